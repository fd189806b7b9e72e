/** What things cost, in tokens. The one table: nothing computes a price elsewhere. */
export const prices = {
  /** For every hundred words begun. */
  textPer100Words: 10,
  image: 30,
  keyword: 1,
  description: 20,
  review: 10,
  /** For every channel. */
  crossPost: 10,
  competitorAnalysis: 50,
  audit: 50,
} as const;

/** What everybody starts with: the default of `users.balance` in schema.sql. */
export const WELCOME_BONUS = 1_500;

/** The parts of a price that are settled apart. */
export type Price = { text: number; images: number };
export type WordRange = { min: number; max: number };

export const total = ({ text, images }: Price): number => text + images;

export const textPrice = (words: number): number => Math.ceil(words / 100) * prices.textPer100Words;

/** Before the work: the middle of the range for an article, its lower end for a post. */
export const articleEstimate = ({ min, max }: WordRange, images: number): Price => ({
  text: textPrice((min + max) / 2),
  images: images * prices.image,
});

export const postEstimate = ({ min }: WordRange, images: number): Price => ({
  text: textPrice(min),
  images: images * prices.image,
});

/** After the work, downward only: a person pays at most what they confirmed, and nothing for a picture that did not come. */
export function settled(confirmed: Price, delivered: { words: number; images: number }): Price {
  return {
    text: Math.min(confirmed.text, textPrice(delivered.words)),
    images: Math.min(confirmed.images, delivered.images * prices.image),
  };
}
