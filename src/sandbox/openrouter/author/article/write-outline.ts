import type { OutlineAnswer } from '../../../../services/ai/answers.ts';
import { makeChance } from '../chance.ts';
import { conclusionTitles } from '../material/openings.ts';
import { keyPoints, sceneIdeas } from '../material/outline-points.ts';
import { kindMarks } from '../material/section-kinds.ts';
import { nicheMaterial } from '../niches/find-niche.ts';
import type { Tags } from '../read-tags.ts';
import { readArticleBrief } from './brief.ts';
import { faqFor } from './faq.ts';
import { titleFor } from './headlines.ts';
import { planSections } from './plan-sections.ts';

export function writeOutline(tags: Tags): OutlineAnswer {
  const brief = readArticleBrief(tags);
  const { phrase, secondary, words } = brief;
  const chance = makeChance(`outline|${phrase.text}|${brief.company}`);
  const planned = planSections(phrase, null, chance);
  const niche = nicheMaterial[brief.niche];

  const homeOf = (wanted: string, n: number) => {
    const fitting = planned.findIndex(({ kind }) => kindMarks[kind].test(wanted));
    return fitting < 0 ? n % planned.length : fitting;
  };
  const sections = planned.map(({ kind, heading }, i) => ({
    h2: heading,
    h3_list: [],
    key_points: [...keyPoints[kind]],
    target_phrases: [
      ...(i === 0 ? [phrase.text] : []),
      ...secondary.filter((wanted, n) => homeOf(wanted, n) === i),
    ],
  }));
  const conclusion = {
    h2: chance.pick(conclusionTitles),
    h3_list: [],
    key_points: ['Повторить главное тремя мыслями.', 'Назвать один следующий шаг.'],
    target_phrases: [phrase.text],
  };
  return {
    title: titleFor(phrase, chance),
    sections: [...sections, conclusion],
    faq_questions: faqFor(brief.questions, niche, { phrase, chance }).map(({ question }) => question),
    target_word_count: Math.round((words.min + words.max) / 2),
    suggested_images: planned.map(({ kind }) => `${phrase.capital}: ${sceneIdeas[kind]}`),
  };
}
