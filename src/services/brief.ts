import type { Variables } from './ai/ask.ts';

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
};

/** What a text is about. */
export type Topic = {
  name: string;
  description: string;
  /** "goods — price", one per line. */
  prices: string;
  reviews: readonly { author: string; text: string }[];
};

export type Brief = { company: Company; topic: Topic };

const EXCERPTS = { article: { lines: 10, length: 500 }, other: { lines: 5, length: 300 } } as const;

/** The head of a price list, cut at a line: half a price would be an invented one. */
export function pricesExcerpt(prices: string, of: keyof typeof EXCERPTS): string {
  const { lines, length } = EXCERPTS[of];
  const kept: string[] = [];
  for (const line of prices
    .split('\n')
    .filter((text) => text.trim() !== '')
    .slice(0, lines)) {
    if (kept.join('\n').length + line.length > length) break;
    kept.push(line.trim());
  }
  return kept.join('\n');
}

const REVIEWS_QUOTED = 3;
const REVIEW_LENGTH = 100;

export const reviewsExcerpt = (reviews: Topic['reviews']): string =>
  reviews
    .slice(0, REVIEWS_QUOTED)
    .map(({ author, text }) => `${author}: ${text.slice(0, REVIEW_LENGTH)}`)
    .join('\n');

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
