import type { OutlineAnswer } from '../../../../services/ai/answers.ts';
import { makeChance } from '../chance.ts';
import type { Tags } from '../read-tags.ts';
import { paragraphsAbout, recordOf, type SectionKind } from '../recorded-articles.ts';
import { readArticleBrief } from './brief.ts';
import { faqFor } from './faq.ts';
import { titleFor } from './headlines.ts';
import { kindMarks, planSections } from './plan-sections.ts';
import { conclusionTitle, firstSentences } from './write-article.ts';

export function writeOutline(tags: Tags, turn = 0): OutlineAnswer {
  const brief = readArticleBrief(tags);
  const { phrase, secondary, words } = brief;
  const record = recordOf(brief.niche, phrase.text);
  const chance = makeChance(`outline|${phrase.text}|${brief.company}|${turn}`);
  const planned = planSections(phrase, record, null, chance);

  const homeOf = (wanted: string, n: number) => {
    const fitting = planned.findIndex(({ kind }) => kindMarks[kind].test(wanted));
    return fitting < 0 ? n % planned.length : fitting;
  };
  const sections = planned.map(({ kind, heading }, i) => ({
    h2: heading,
    h3_list: [],
    key_points: pointsOf(kind),
    target_phrases: [
      ...(i === 0 ? [phrase.text] : []),
      ...secondary.filter((wanted, n) => homeOf(wanted, n) === i),
    ],
  }));
  const conclusion = {
    h2: conclusionTitle({ ...brief, outline: null }, chance),
    h3_list: [],
    key_points: ['Повторить главное тремя мыслями.', 'Назвать один следующий шаг.'],
    target_phrases: [phrase.text],
  };
  return {
    title: titleFor(phrase, chance),
    sections: [...sections, conclusion],
    faq_questions: faqFor(brief.questions, record, chance).map(({ question }) => question),
    target_word_count: Math.round((words.min + words.max) / 2),
    suggested_images: planned.map(({ kind }) => `${phrase.capital}: ${scenes[kind]}`),
  };

  /** What each paragraph begins with is what it is about. */
  function pointsOf(kind: SectionKind): string[] {
    const own = paragraphsAbout(record, kind, phrase.text);
    const texts = own.length > 0 ? own : paragraphsAbout(recordOf('general'), kind, phrase.text);
    return texts.slice(0, 4).map((text) => firstSentences(text, 1));
  }
}

const scenes: Readonly<Record<SectionKind, string>> = {
  choose: 'человек за светлым столом сравнивает образцы и делает пометки',
  compare: 'несколько вариантов рядом на ровном фоне, мягкий дневной свет',
  price: 'аккуратная смета, карандаш и чашка на деревянном столе',
  order: 'рабочий момент: мастер занят делом, инструменты разложены по порядку',
  mistakes: 'крупный план детали, которую легко упустить',
  care: 'готовый результат в обычный будний день, спокойная обстановка',
  contract: 'двое за столом обсуждают документы, спокойный свет из окна',
  timing: 'настенный календарь и часы в рабочей комнате',
};
