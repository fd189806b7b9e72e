import { z } from 'zod';
import type { Niche } from '../../../../services/quality/niches.ts';
import { sentences } from '../../../../services/quality/russian-text.ts';
import { findNiche } from '../find-niche.ts';
import { type Phrase, readPhrase } from '../phrase.ts';
import { jsonOf, linesOf, numberOf, type Tags } from '../read-tags.ts';
import { fromLatin } from './from-latin.ts';
import { type Outline, readOutline } from './read-outline.ts';

/** All that the writer of an article is told. */
export type ArticleBrief = {
  phrase: Phrase;
  secondary: readonly string[];
  niche: Niche;
  company: string;
  advantages: string;
  /** Of the category, its first sentence. */
  description: string;
  /** What a customer has said; empty when none has. */
  review: string;
  city: string;
  website: string;
  prices: readonly { item: string; price: string }[];
  links: readonly { url: string; hint: string }[];
  facts: readonly { claim: string; source: string; url: string; year: string }[];
  questions: readonly string[];
  outline: Outline | null;
  images: number;
  /** What the owner says of the first of them, which are photos of the company's own. */
  ownPhotos: string[];
  words: { min: number; max: number };
  /** Whether the request wants a block of key points, answers of a certain length, and sources named with links. */
  /** What only the owner knows; what they do not want to be written about. */
  knows: string;
  avoid: string;
  keyPoints: boolean;
  answersAtLength: boolean;
  citesSources: boolean;
};

const SHORTEST = 1_500;
const research = z.object({
  facts: z.array(
    z.object({ claim: z.string(), source: z.string(), url: z.string().catch(''), year: z.string() }),
  ),
});

export function readArticleBrief(tags: Tags): ArticleBrief {
  const city = tags('city') || tags('geography');
  const outline = readOutline(tags('outline'));
  const min = numberOf(tags('words_min'), SHORTEST);
  return {
    phrase: readPhrase(tags('main_phrase'), city),
    secondary: readSecondary(tags),
    niche: findNiche(tags('niche_type'), tags('main_phrase'), tags('specialization')),
    company: tags('company_name'),
    advantages: tags('advantages'),
    city,
    website: tags('website_url'),
    prices: readPrices(tags('prices_excerpt')),
    description: firstSentence(tags('category_description')),
    review: reviewIn(tags('reviews_excerpt')),
    links: readLinks(tags('internal_links')),
    facts: readFacts(tags('current_research')),
    questions: [
      ...new Set([
        ...(outline?.questions ?? []),
        ...linesOf(tags('asked_questions') || tags('serper_questions')).map(withoutAnswer),
      ]),
    ],
    outline,
    images: numberOf(tags('images_count'), 0),
    ownPhotos: linesOf(tags('own_photos')).map((line) => line.replace(/^\d+ — /u, '')),
    words: { min, max: Math.max(min, numberOf(tags('words_max'), min + 500)) },
    knows: tags('own_knowledge').replace(/\s+/gu, ' '),
    avoid: tags('avoid'),
    keyPoints: tags('key_points') !== '',
    answersAtLength: tags('answer_words') !== '',
    citesSources: tags('answer_words') !== '',
  };
}

/** «вопрос — в поиске отвечают: …» */
const withoutAnswer = (line: string): string => line.split(' — в поиске отвечают:')[0]!.trim();

/** A quotation without its author. */
export const reviewIn = (excerpt: string): string =>
  firstSentence((linesOf(excerpt)[0] ?? '').replace(/^[^:«»]{1,40}: /u, ''));

export const firstSentence = (text: string): string =>
  (sentences(text.replace(/\s+/gu, ' ').trim())[0] ?? '').replace(/[.!?…\s]+$/u, '');

/** «фраза (120/мес)», one per line. */
function readSecondary(tags: Tags): string[] {
  const main = tags('main_phrase').toLowerCase();
  const phrases = linesOf(tags('secondary_phrases')).map((line) =>
    line
      .replace(/\s*\([^()]*\)\s*$/u, '')
      .trim()
      .toLowerCase(),
  );
  return [...new Set(phrases)].filter((phrase) => phrase !== '' && phrase !== main);
}

/** «товар — цена», and whatever else people put between the two. */
export const readPrices = (excerpt: string): { item: string; price: string }[] =>
  linesOf(excerpt).flatMap((line) => {
    const [, item = '', price = ''] =
      /^(.*?)\s*(?:[—–:;|\t]|\s-\s)\s*([^—–:;|\t]*(?:\d|бесплатн|договорн).*)$/iu.exec(line) ?? [];
    return item && price ? [{ item: withoutPipes(item), price: withoutPipes(price) }] : [];
  });

const withoutPipes = (text: string): string => text.replaceAll('|', '/').trim();

const readLinks = (lines: string): { url: string; hint: string }[] =>
  linesOf(lines).flatMap((line) => {
    const url = /https?:\/\/[^\s"'<>)\]},]+/u.exec(line)?.[0];
    if (url === undefined) return [];
    const hint = /"hint"\s*:\s*"([^"]+)"/u.exec(line)?.[1] ?? line.split(/\s+[—–-]\s+/u)[1] ?? '';
    return [{ url, hint: fromLatin(hint.replace(/[[\]]/gu, '').trim()) || 'страница сайта' }];
  });

/** Research that came as plain text is left alone: facts and remarks cannot be separated in it. */
function readFacts(value: string): ArticleBrief['facts'] {
  const parsed = research.safeParse(jsonOf(value));
  return parsed.success ? parsed.data.facts : [];
}
