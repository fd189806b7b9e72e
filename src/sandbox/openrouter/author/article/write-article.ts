import type { ArticleAnswer } from '../../../../services/ai/answers.ts';
import { niches } from '../../../../services/quality/niches.ts';
import { makeChance } from '../chance.ts';
import { fill, type Slots } from '../fill.ts';
import { conclusions, conclusionTitles, faqTitles, introductions } from '../material/openings.ts';
import { nicheMaterial } from '../niches/find-niche.ts';
import type { NicheMaterial } from '../niches/niche-material.ts';
import type { Tags } from '../read-tags.ts';
import { type ArticleBrief, readArticleBrief } from './brief.ts';
import { type Block, type Draft, fixed, paragraph, toMarkdown } from './draft.ts';
import { faqFor, type Question } from './faq.ts';
import { isFitTitle, metaFor, seoTitleFor, titleFor } from './headlines.ts';
import { insertExtras } from './inserts.ts';
import { placePictures } from './pictures.ts';
import { type PlannedSection, planSections } from './plan-sections.ts';
import { isConclusionHeading } from './read-outline.ts';
import { spreadLinks, spreadPhrase, spreadSecondary } from './spread.ts';
import { makeStock } from './stock.ts';
import { writeSections } from './write-sections.ts';

const MOST_LINKS = 5;

export function writeArticle(tags: Tags): ArticleAnswer {
  const brief = readArticleBrief(tags);
  const { phrase, niche: nicheName } = brief;
  const niche = nicheMaterial[nicheName];
  const chance = makeChance([phrase.text, brief.company, ...brief.questions].join('|'));
  const slots = { phrase, chance };

  const questions = faqFor(brief.questions, niche, slots);
  const planned = planSections(phrase, brief.outline, chance);
  const draft = frameOf(brief, { niche, planned, questions, slots });
  writeSections(draft, planned, { stock: makeStock(niche, slots), aim: bodyLength(brief), chance });
  insertExtras(draft, brief, niche, chance);
  spreadSecondary(draft, brief.secondary, phrase, chance);
  spreadLinks(draft, brief.links.slice(0, MOST_LINKS), chance);
  const images_meta = placePictures(draft, brief, slots);
  spreadPhrase(draft, phrase, chance);

  return {
    title: draft.title,
    seo_title: seoTitleFor(phrase, chance),
    meta_description: metaFor(phrase, chance),
    content_markdown: toMarkdown(draft),
    faq_schema: questions,
    images_meta,
  };
}

/** The length at which paragraphs stop: table, list and the sentences about phrases and links come on top. */
function bodyLength({ words: { min, max }, phrase, secondary, links, prices, images }: ArticleBrief): number {
  const aim = min + (max - min) * 0.45;
  const carriers = (aim * 0.013) / phrase.text.split(' ').length;
  const extras =
    130 +
    prices.length * 6 +
    images * 6 +
    (carriers + secondary.length) * 11 +
    Math.min(links.length, MOST_LINKS) * 7;
  return aim - extras;
}

type Frame = {
  niche: NicheMaterial;
  planned: readonly PlannedSection[];
  questions: Question[];
  slots: Slots;
};

/** Everything but what stands in the sections. */
function frameOf(brief: ArticleBrief, { niche, planned, questions, slots }: Frame): Draft {
  const { outline, phrase } = brief;
  const { chance } = slots;
  return {
    title: outline && isFitTitle(outline.title) ? outline.title : titleFor(phrase, chance),
    opening: [chance.pick(introductions), niche.hook].map((text) => paragraph(fill(text, slots), 'choose')),
    sections: planned.map(({ kind, heading }) => ({ kind, heading, blocks: [] })),
    closing: closingOf(brief, questions, slots),
  };
}

function closingOf(brief: ArticleBrief, questions: Question[], slots: Slots): Block[] {
  const { chance } = slots;
  const disclaimer = niches.find(({ niche }) => niche === brief.niche)?.disclaimer;
  const heading = brief.outline?.sections.map(({ h2 }) => h2).find(isConclusionHeading);
  return [
    ...(disclaimer ? [`*${disclaimer}*`] : []),
    `## ${chance.pick(faqTitles)}`,
    ...questions.flatMap(({ question, answer }) => [`### ${question}`, answer]),
    `## ${heading ?? chance.pick(conclusionTitles)}`,
    `${fill(chance.pick(conclusions), slots)} ${callToAction(brief)}`,
  ].map((text) => fixed(text, 'care'));
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
