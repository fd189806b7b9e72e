import type { ArticleAnswer } from '../../../../services/ai/answers.ts';
import { niches } from '../../../../services/quality/niches.ts';
import { sentences, words as wordsOf } from '../../../../services/quality/russian-text.ts';
import { type Chance, makeChance } from '../chance.ts';
import type { Tags } from '../read-tags.ts';
import { type Question, type RecordedArticle, recordOf, type SectionKind } from '../recorded-articles.ts';
import { type ArticleBrief, readArticleBrief } from './brief.ts';
import { type Draft, toMarkdown, wordCount } from './draft.ts';
import { faqFor } from './faq.ts';
import { fillSections } from './fill-sections.ts';
import { isFitTitle, metaFor, seoTitleFor, titleFor } from './headlines.ts';
import { insertExtras } from './inserts.ts';
import { placePictures } from './pictures.ts';
import { planSections } from './plan-sections.ts';
import { isConclusionHeading } from './read-outline.ts';

/** A recorded article of the trade, cut and filled for this request; another turn makes another cut. */
export function writeArticle(tags: Tags, turn = 0): ArticleAnswer {
  const brief = readArticleBrief(tags);
  const { phrase, outline } = brief;
  const record = recordOf(brief.niche, phrase.text);
  const chance = makeChance(
    [phrase.text, brief.company, ...brief.questions, tags('outline'), turn].join('|'),
  );

  const isAvoided = avoided(brief.avoid);
  const questions = faqFor(brief.questions, record, chance)
    .filter(({ question, answer }) => !isAvoided(`${question} ${answer}`))
    .map((asked) => ({
      ...asked,
      answer: brief.answersAtLength ? asked.answer : firstSentences(asked.answer, 2),
    }));
  const planned = planSections(phrase, record, outline, chance);
  const draft: Draft = {
    title: outline && isFitTitle(outline.title) ? outline.title : titleFor(phrase, chance),
    opening: openingOf(brief, record, chance),
    sections: planned.map(({ kind, heading }) => ({ kind, heading: named(kind, heading), blocks: [] })),
    closing: closingOf(brief, record, questions, chance),
  };
  fillSections(draft.sections, {
    record,
    subject: phrase.text,
    chance,
    aim: bodyLength(draft, brief, record),
  });
  for (const [i, { blocks }] of draft.sections.entries()) spreadSubheadings(blocks, planned[i]!.subheadings);
  insertExtras(draft, brief, record, chance);
  leaveOut(draft, isAvoided);
  const images_meta = placePictures(draft, brief, phrase);

  return {
    title: draft.title,
    seo_title: seoTitleFor(phrase, chance),
    meta_description: metaFor(phrase, chance),
    content_markdown: toMarkdown(draft),
    faq_schema: questions,
    images_meta,
  };

  /** Another heading for the same matter, where the planned one names what is to be left out. */
  function named(kind: SectionKind, heading: string): string {
    if (!isAvoided(heading)) return heading;
    const others = [record, recordOf('general')].flatMap((each) => each.sections[kind]?.headings ?? []);
    return others.find((other) => !isAvoided(other)) ?? heading;
  }
}

/** What the owner asked not to write about, by any of its words. */
function avoided(words: string): (text: string) => boolean {
  // By beginnings: stems of «эмаль» and «эмали» differ.
  const stopped = wordsOf(words)
    .filter(({ length }) => length > 3)
    .map((word) => word.toLowerCase().slice(0, Math.max(4, word.length - 2)));
  return (text) => {
    const said = wordsOf(text).map((word) => word.toLowerCase());
    return stopped.some((beginning) => said.some((word) => word.startsWith(beginning)));
  };
}

function leaveOut(draft: Draft, isAvoided: (text: string) => boolean): void {
  const kept = (blocks: string[]) =>
    blocks
      .map((block) =>
        /^[-|]/u.test(block)
          ? block
              .split('\n')
              .filter((line) => !isAvoided(line))
              .join('\n')
          : block,
      )
      .filter((block) => block !== '' && !isAvoided(block));
  draft.opening = kept(draft.opening);
  for (const section of draft.sections) section.blocks = kept(section.blocks);
  draft.closing = kept(draft.closing);
}

export const firstSentences = (text: string, count: number): string =>
  sentences(text).slice(0, count).join(' ');

/** How far into the range that was asked for: in its middle, which is what is charged for. */
const SHARE_OF_RANGE = 0.5;

/** What the paragraphs of the sections have to add to what else the article will hold. */
function bodyLength(
  draft: Draft,
  { words, secondary, prices, images }: ArticleBrief,
  record: RecordedArticle,
): number {
  const beside = wordCount([toMarkdown(draft), record.table, ...record.checklist].join('\n\n'));
  const extras = secondary.length * 12 + prices.length * 6 + images * 6;
  return words.min + (words.max - words.min) * SHARE_OF_RANGE - beside - extras;
}

/** The answer first; then, where the request asks for it, the key points. */
export function openingOf(
  { phrase, keyPoints }: ArticleBrief,
  record: RecordedArticle,
  chance: Chance,
): string[] {
  const openings = record.openings.length > 0 ? record.openings : recordOf('general').openings;
  const opening = withPhrase(chance.pick(openings), phrase.capital);
  if (!keyPoints) return [opening];
  return [opening, '**Коротко о главном:**', record.points.map((point) => `- ${point}`).join('\n')];
}

const withPhrase = (text: string, phrase: string): string => text.replaceAll('{Фраза}', () => phrase);

function spreadSubheadings(blocks: string[], subheadings: readonly string[]): void {
  const step = Math.max(1, Math.floor(blocks.length / (subheadings.length + 1)));
  subheadings.forEach((title, i) => {
    blocks.splice(Math.min(blocks.length - 1, step * (i + 1) + i), 0, `### ${title}`);
  });
}

const faqTitles = ['Частые вопросы', 'Вопросы и ответы', 'Вопросы, которые задают чаще всего'];
const conclusionTitles = ['Что запомнить', 'Итог на одну минуту', 'Вывод'];

export const conclusionTitle = (brief: ArticleBrief, chance: Chance): string =>
  brief.outline?.sections.map(({ h2 }) => h2).find(isConclusionHeading) ?? chance.pick(conclusionTitles);

export function closingOf(
  brief: ArticleBrief,
  record: RecordedArticle,
  questions: readonly Question[],
  chance: Chance,
): string[] {
  const disclaimer = niches.find(({ niche }) => niche === brief.niche)?.disclaimer;
  return [
    ...(disclaimer ? [`*${disclaimer}*`] : []),
    `## ${chance.pick(faqTitles)}`,
    ...questions.flatMap(({ question, answer }) => [`### ${question}`, answer]),
    `## ${conclusionTitle(brief, chance)}`,
    conclusionOf(brief, record, chance),
  ];
}

export function conclusionOf(brief: ArticleBrief, record: RecordedArticle, chance: Chance): string {
  const closings = record.closings.length > 0 ? record.closings : recordOf('general').closings;
  return `${withPhrase(chance.pick(closings), brief.phrase.capital)} ${callToAction(brief)}`;
}

/** One, in the last paragraph, and only with what the company told of itself. */
function callToAction({ company, website, city }: ArticleBrief): string {
  const name = `«${company.replace(/[«»"]/gu, '')}»`;
  const where = city ? ` (${city})` : '';
  if (website)
    return `Опишите свой случай тремя строками [на сайте компании ${name}](${website})${where}: ответ начнётся с вопросов, а не с цены.`;
  return company
    ? `Напишите в компанию ${name}${where} три строки о своей задаче: разговор начнётся с вопросов, а не с цены.`
    : 'Напишите три строки о своей задаче и начните разговор с вопросов.';
}
