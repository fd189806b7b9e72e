import type { Variables } from '../ai/ask.ts';
import { type CompanyFacts, readPrices } from '../quality/check-facts.ts';
import { toldGoods } from './told-goods.ts';

/** Whom a text is for, as far as the person has told us. Empty answers are empty strings. */
export type Company = {
  name: string;
  specialization: string;
  description: string;
  experience: string;
  advantages: string;
  city: string;
  phone: string;
  websiteUrl: string;
  telegram: string;
  vk: string;
  pinterest: string;
  /** How the company speaks, in a few sentences that its owner has seen. */
  voice?: string;
  /** The person who signs articles. */
  author?: string;
};

/** What a text is about. */
export type Topic = {
  name: string;
  description: string;
  /** "goods — price", one per line. */
  prices: string;
  reviews: readonly { author: string; text: string }[];
  /** What only the owner knows, and what they do not want to be written about. */
  knows?: string;
  avoid?: string;
};

export type Brief = { company: Company; topic: Topic };

const EXCERPTS = { article: { lines: 10, length: 500 }, other: { lines: 5, length: 300 } } as const;

/** The head of a price list, cut at a line: half a price would be an invented one. */
export function pricesExcerpt(prices: string, of: keyof typeof EXCERPTS): string {
  const { lines, length } = EXCERPTS[of];
  const kept: string[] = [];
  for (const line of linesOf(prices).slice(0, lines).map(toldGoods)) {
    if ([...kept, line].join('\n').length > length) break;
    kept.push(line);
  }
  return kept.join('\n');
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const REVIEWS_QUOTED = 3;
const REVIEW_LENGTH = 100;

export const reviewsExcerpt = (reviews: Topic['reviews']): string =>
  reviews
    .slice(0, REVIEWS_QUOTED)
    .map(({ author, text }) => (author === '' ? beginning(text) : `${author}: ${beginning(text)}`))
    .join('\n');

/** On one line, and no half of an emoji at its end. */
const beginning = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, REVIEW_LENGTH)
    .replace(/[\ud800-\udbff]$/u, '');

/** What a text about the company may say of sums and telephones. */
export const companyFacts = ({ company, topic }: Brief): CompanyFacts => ({
  prices: readPrices([topic.prices, topic.knows ?? ''].join('\n')),
  phones: company.phone === '' ? [] : [company.phone],
});

/** What every prompt knows about the company. */
export const companyVariables = ({ company }: Brief): Variables => ({
  company_name: company.name,
  specialization: company.specialization,
  company_description: company.description,
  experience: company.experience,
  advantages: company.advantages,
  website_url: company.websiteUrl,
  language: 'ru',
});
