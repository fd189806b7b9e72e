import type { AnswerTo } from '../../../../services/ai/answers.ts';
import { slug } from '../../../../services/content/slug.ts';
import { countPhrase, sentences, stems } from '../../../../services/quality/russian-text.ts';
import { type Chance, makeChance } from '../chance.ts';
import { linesOf, type Tags } from '../read-tags.ts';
import { type Question, type RecordedArticle, recordOf } from '../recorded-articles.ts';
import { type ArticleBrief, readArticleBrief } from './brief.ts';
import { type Draft, isProse, mentions, readDraft, toMarkdown, wordCount } from './draft.ts';
import { faqFor } from './faq.ts';
import { fillSections } from './fill-sections.ts';
import { isFitTitle, metaFor, seoTitleFor, titleFor } from './headlines.ts';
import { checklist, nameSecondary } from './inserts.ts';
import { planSections } from './plan-sections.ts';
import { isConclusionHeading, isFaqHeading } from './read-outline.ts';
import { conclusionOf, openingOf } from './write-article.ts';

const FEWEST_SECTIONS = 3;

type Work = { brief: ArticleBrief; record: RecordedArticle; chance: Chance; issues: readonly string[] };
/** Each correction says what it did, or nothing when there was nothing to do. */
type Correction = (draft: Draft, work: Work) => string | null;

const corrections: readonly Correction[] = [
  dropWhatWasNamed,
  dropRepetitions,
  phraseInPlace,
  moreSections,
  questionsAndConclusion,
  listForChecking,
  moreWords,
  secondaryPhrases,
];

/** An editor who does what the remarks say and leaves the rest alone. */
export function writeCritique(tags: Tags, turn = 0): AnswerTo<'article_critique'> {
  const brief = readArticleBrief(tags);
  const { phrase } = brief;
  const chance = makeChance(`critique|${phrase.text}|${brief.company}|${turn}`);
  const draft = readDraft(tags('current_markdown'), phrase.text);
  const work = {
    brief,
    record: recordOf(brief.niche, brief.phrase.text),
    chance,
    issues: linesOf(tags('quality_issues')),
  };
  const kept = isFitTitle(draft.title) && mentions(draft.title, phrase.text);
  if (!kept) draft.title = titleFor(phrase, chance);

  const done = corrections.flatMap((correct) => correct(draft, work) ?? []);
  const content_markdown = toMarkdown(draft);
  return {
    title: draft.title,
    seo_title: seoTitleFor(phrase, chance),
    meta_description: metaFor(phrase, chance),
    content_markdown,
    faq_schema: questionsIn(draft),
    images_meta: imagesIn(content_markdown),
    changes_summary:
      done.length > 0 ? done.join(' ') : 'Существенных правок не потребовалось, текст оставлен как есть.',
  };
}

/** An editor who adds answers to what people ask now and leaves the rest word for word. */
export function writeRefresh(tags: Tags, turn = 0): AnswerTo<'article_refresh'> {
  const brief = readArticleBrief(tags);
  const { phrase } = brief;
  const chance = makeChance(`refresh|${phrase.text}|${brief.company}|${turn}`);
  const draft = readDraft(tags('current_markdown'), phrase.text);
  const record = recordOf(brief.niche, brief.phrase.text);
  const known = new Set(questionsIn(draft).flatMap(({ question, answer }) => [question, answer]));
  // An article may answer all that is asked: then those of the trade follow.
  const others = [...chance.shuffled(record.questions), ...recordOf('general').questions];
  const fresh = [...faqFor(brief.questions, record, chance), ...others]
    .filter(({ question, answer }) => {
      const isNew = !known.has(question) && !known.has(answer);
      known.add(question).add(answer);
      return isNew;
    })
    .slice(0, 2);
  const isFaq = (block: string) => /^##\s/u.test(block) && isFaqHeading(block);
  if (!draft.closing.some(isFaq)) draft.closing.unshift('## Частые вопросы');
  draft.closing.splice(
    draft.closing.findIndex(isFaq) + 1,
    0,
    ...fresh.flatMap(({ question, answer }) => [`### ${question}`, answer]),
  );
  const content_markdown = toMarkdown(draft);
  return {
    title: draft.title || titleFor(phrase, chance),
    seo_title: seoTitleFor(phrase, chance),
    meta_description: metaFor(phrase, chance),
    content_markdown,
    faq_schema: questionsIn(draft),
    images_meta: imagesIn(content_markdown),
    changes_summary: `Добавлены ответы на новые вопросы: ${fresh.length}.`,
  };
}

/** The remarks quote what should go: «Уберите штампы: …». */
function dropWhatWasNamed(draft: Draft, { issues }: Work): string | null {
  const named = issues
    .filter((issue) => /^Уберите/u.test(issue))
    .flatMap((issue) => issue.slice(issue.indexOf(':') + 1).split(','))
    .map((phrase) => stems(phrase.replace(/[.«»]/gu, ' ')))
    .filter((phrase) => phrase.length > 0);
  if (named.length === 0) return null;
  const cleaned = (block: string) =>
    isProse(block)
      ? sentences(block)
          .filter((sentence) => named.every((phrase) => countPhrase(stems(sentence), phrase) === 0))
          .join(' ')
      : block;
  return changed(draft, 'Предложения со штампами убраны.', () =>
    eachList(draft, (blocks) => blocks.map(cleaned)),
  );
}

function dropRepetitions(draft: Draft): string | null {
  const seen = new Set<string>();
  return changed(draft, 'Повторы убраны.', () =>
    eachList(draft, (blocks) =>
      blocks.filter((block) => {
        if (block === '' || (isProse(block) && seen.has(block))) return false;
        seen.add(block);
        return true;
      }),
    ),
  );
}

function phraseInPlace(draft: Draft, { brief, record, chance }: Work): string | null {
  if (mentions(draft.opening.find(isProse) ?? '', brief.phrase.text)) return null;
  draft.opening.unshift(...openingOf(brief, record, chance));
  return 'Вступление отвечает на вопрос сразу.';
}

function moreSections(draft: Draft, { brief, record, chance }: Work): string | null {
  if (draft.sections.length >= FEWEST_SECTIONS) return null;
  const taken = new Set(draft.sections.map(({ kind }) => kind));
  const missing = planSections(brief.phrase, record, null, chance).filter(({ kind }) => !taken.has(kind));
  draft.sections.push(...missing.map(({ kind, heading }) => ({ kind, heading, blocks: [] })));
  return 'Добавлены недостающие разделы.';
}

function questionsAndConclusion(draft: Draft, { brief, record, chance }: Work): string | null {
  const headings = draft.closing.flatMap((block) => /^##\s+(.+)$/u.exec(block)?.[1] ?? []);
  const hasFaq = headings.some(isFaqHeading);
  if (!hasFaq) {
    const faq = faqFor(brief.questions, record, chance);
    draft.closing.unshift(
      '## Частые вопросы',
      ...faq.flatMap(({ question, answer }) => [`### ${question}`, answer]),
    );
  }
  const isConcluded = headings.some(isConclusionHeading);
  if (!isConcluded) draft.closing.push('## Что запомнить', conclusionOf(brief, record, chance));
  if (hasFaq && isConcluded) return null;
  return hasFaq ? 'Добавлено заключение.' : 'Добавлен раздел с частыми вопросами.';
}

function listForChecking(draft: Draft, { record }: Work): string | null {
  const hasList = draft.sections.some(({ blocks }) =>
    blocks.some((block) => /^(?:[-*]|\d+\.)\s/u.test(block)),
  );
  const last = draft.sections.at(-1);
  if (hasList || last === undefined) return null;
  last.blocks.push(...checklist(record));
  return 'Добавлен список для проверки.';
}

function moreWords(draft: Draft, { brief, record, chance }: Work): string | null {
  const { min, max } = brief.words;
  const missing = min + (max - min) * 0.3 - wordCount(toMarkdown(draft));
  if (missing <= (max - min) * 0.3) return null;
  return changed(draft, 'Разделы раскрыты подробнее.', () =>
    fillSections(draft.sections, { record, subject: brief.phrase.text, chance, aim: missing }),
  );
}

function secondaryPhrases(draft: Draft, { brief }: Work): string | null {
  return changed(draft, 'Раскрыты дополнительные фразы.', () => nameSecondary(draft, brief));
}

function eachList(draft: Draft, change: (blocks: string[]) => string[]): void {
  draft.opening = change(draft.opening);
  for (const section of draft.sections) section.blocks = change(section.blocks);
  draft.closing = change(draft.closing);
}

function changed(draft: Draft, said: string, change: () => void): string | null {
  const before = toMarkdown(draft);
  change();
  return toMarkdown(draft) === before ? null : said;
}

function questionsIn({ closing }: Draft): Question[] {
  return closing.flatMap((block, i) => {
    const [, question] = /^###\s+(.+)$/u.exec(block) ?? [];
    const answer = closing[i + 1];
    return question && answer && isProse(answer) ? [{ question, answer }] : [];
  });
}

const imagesIn = (markdown: string) =>
  [...markdown.matchAll(/!\[([^\]]*)\]\(\{\{IMAGE_(\d+)\}\}(?: "([^"]*)")?\)/gu)].map(
    ([, alt = '', number = '', figcaption = '']) => ({
      alt,
      filename: `${slug(alt).slice(0, 50).replace(/-+$/u, '') || 'image'}-${number}`,
      figcaption,
    }),
  );
