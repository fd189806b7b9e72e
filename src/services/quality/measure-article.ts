import { type ReadHtml, textOf } from './read-html.ts';
import { countPhrase, type Language, stems } from './russian-text.ts';
import type { Article } from './score-article.ts';
import { senseOf } from './sentence-sense.ts';
import { meaningfulStems } from './topic.ts';

type Share = { share: number; missing: string[] };

/** What is counted in an article before it is judged. */
export type Measures = {
  mainPhrase: string;
  hasText: boolean;
  /** In words. */
  length: number;
  /** Per cent of the words that belong to the phrase, said word for word. */
  density: number;
  inTitle: boolean;
  inOpening: boolean;
  /** Of the terms that several results share, by weight; null when the topic is not known. */
  coverage: Share | null;
  questions: Share | null;
  secondary: Share | null;
  /** The share of the sections that speak of the topic (null when it is not known), and the headings of those that do not. */
  relevance: number | null;
  strays: string[];
  sense: number;
  /** The share of word triples that are said for the first time. */
  freshness: number;
  perSentence: number;
  longestParagraph: number;
  worn: readonly string[];
  figures: number;
  title: number;
  seoTitle: number;
  description: number;
  sections: number;
  /** 0 to 1: how many of the opening and the answers are short and direct. */
  shortAnswers: number;
  lists: number;
  links: number;
};

export function measureArticle(
  article: Article,
  page: ReadHtml,
  language: Language,
  wornIn: (text: string, language: Language) => readonly string[],
): Measures {
  const { mainPhrase, topic } = article;
  const text = textOf(page);
  const textStems = stems(text, language);
  const phrase = stems(mainPhrase, language);
  const prose = page.blocks.filter(({ heading }) => !heading).map((block) => block.text);
  const sentences = prose.flatMap(language.sentences);
  const said = sentences.filter((sentence) => language.words(sentence).length > 2);
  const paragraphs = page.paragraphs.map((paragraph) => language.words(paragraph).length);
  const known = new Set(textStems);
  const terms = topic?.terms ?? [];
  const shared = terms.filter(({ weight }) => weight > 0);
  const title = page.h1[0] ?? '';
  const about = new Set([
    ...terms.map(({ stem }) => stem),
    ...[mainPhrase, ...article.secondaryPhrases].flatMap((each) => meaningfulStems(each, language)),
  ]);
  const parts = sectionsOf(page).map((section) => ({
    ...section,
    isRelevant: speaksOf(section.text, about, TERMS_IN_A_SECTION, language),
  }));
  const windows = sentences.map((sentence) => new Set(stems(sentence, language)));

  return {
    mainPhrase,
    hasText: textStems.length > 0,
    length: textStems.length,
    density:
      textStems.length === 0 ? 0 : (100 * countPhrase(textStems, phrase) * phrase.length) / textStems.length,
    inTitle: holds(title, mainPhrase, language),
    inOpening: holds(page.paragraphs.slice(0, 2).join(' '), mainPhrase, language),
    coverage: shared.length < FEWEST_TERMS ? null : covered(shared, known),
    questions:
      topic && topic.questions.length > 0
        ? shareOf(topic.questions, (asked) => isAnswered(asked, page, language))
        : null,
    secondary:
      article.secondaryPhrases.length > 0
        ? shareOf(article.secondaryPhrases, (each) => saidNaturally(each, windows, language))
        : null,
    relevance:
      terms.length < FEWEST_TERMS
        ? null
        : parts.length === 0
          ? 0
          : parts.filter(({ isRelevant }) => isRelevant).length / parts.length,
    strays: parts.filter(({ isRelevant }) => !isRelevant).map(({ heading }) => heading),
    sense: senseOf(said, language),
    freshness: freshnessOf(stems(prose.join(' '), language)),
    perSentence: mean(said.map((sentence) => language.words(sentence).length)),
    longestParagraph: Math.max(0, ...paragraphs),
    worn: wornIn(text, language),
    figures: text.match(/\d+(?:[.,\s]\d+)*/gu)?.length ?? 0,
    title: title.length,
    seoTitle: (article.seoTitle ?? title).trim().length,
    description: article.metaDescription.trim().length,
    sections: page.h2.length,
    shortAnswers: shortAnswersIn(page, language),
    lists: page.lists,
    links: page.links,
  };
}

/** Fewer than that say nothing about a topic. */
const FEWEST_TERMS = 8;
/** A section of the right topic uses at least so many different ones of its terms. */
const TERMS_IN_A_SECTION = 3;

function covered(terms: NonNullable<Article['topic']>['terms'], known: ReadonlySet<string>): Share {
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  const found = terms.filter(({ stem }) => known.has(stem)).reduce((sum, { weight }) => sum + weight, 0);
  return {
    share: found / whole,
    missing: terms.filter(({ stem }) => !known.has(stem)).map(({ word }) => word),
  };
}

function shareOf(items: readonly string[], isThere: (item: string) => boolean): Share {
  const missing = items.filter((item) => !isThere(item));
  return { share: 1 - missing.length / items.length, missing };
}

/** All words of the phrase in one text, in any form and order. */
function holds(text: string, phrase: string, language: Language): boolean {
  const known = new Set(stems(text, language));
  const wanted = meaningfulStems(phrase, language);
  return wanted.length > 0 && wanted.every((stem) => known.has(stem));
}

/** In one sentence or two neighbours: a phrase in natural forms is spread over its sentence. */
function saidNaturally(phrase: string, windows: readonly ReadonlySet<string>[], language: Language): boolean {
  const wanted = meaningfulStems(phrase, language);
  return windows.some((window, i) => wanted.every((stem) => window.has(stem) || windows[i + 1]?.has(stem)));
}

/** Most words of the question stand together in one block or heading with what follows. */
function isAnswered(question: string, { blocks }: ReadHtml, language: Language): boolean {
  const wanted = meaningfulStems(question, language);
  if (wanted.length === 0) return true;
  return blocks.some(({ text }, i) => {
    const here = new Set(stems(`${text} ${blocks[i + 1]?.text ?? ''}`, language));
    return wanted.filter((stem) => here.has(stem)).length >= 0.6 * wanted.length;
  });
}

function sectionsOf({ blocks, h2 }: ReadHtml): { heading: string; text: string }[] {
  const sections: { heading: string; text: string }[] = [];
  const headings = new Set(h2);
  for (const { text, heading } of blocks) {
    if (heading && headings.has(text)) sections.push({ heading: text, text: '' });
    else if (sections.length > 0) sections.at(-1)!.text += `\n${text}`;
  }
  return sections.filter(({ text }) => text !== '');
}

/** The phrase alone may be sprinkled over anything: it counts as one of the terms and no more. */
function speaksOf(text: string, about: ReadonlySet<string>, least: number, language: Language): boolean {
  return new Set(stems(text, language).filter((stem) => about.has(stem))).size >= least;
}

const TRIPLE = 3;

function freshnessOf(all: readonly string[]): number {
  if (all.length < TRIPLE) return all.length === 0 ? 0 : 1;
  const seen = new Set<string>();
  for (let i = TRIPLE; i <= all.length; i += 1) seen.add(`${all[i - 3]} ${all[i - 2]} ${all[i - 1]}`);
  return seen.size / (all.length - TRIPLE + 1);
}

const ANSWER = { low: 30, high: 75 } as const;
const FEWEST_QUESTIONS = 3;

function shortAnswersIn({ paragraphs, faq }: ReadHtml, language: Language): number {
  const fits = (text: string) => {
    const { length } = language.words(text);
    return length >= ANSWER.low && length <= ANSWER.high;
  };
  const answers = faq.map(({ answer }) => fits(answer[0] ?? ''));
  const good = answers.filter(Boolean).length + (fits(paragraphs[0] ?? '') ? 1 : 0);
  return good / (Math.max(FEWEST_QUESTIONS, answers.length) + 1);
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
