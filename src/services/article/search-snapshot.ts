import type { Sources } from './gather-sources.ts';

/** What search showed when an article was written: enough to tell later what is new. */
export type SearchSnapshot = { pages: string[]; questions: string[] };

export const snapshotOf = ({
  results = [],
  questions,
}: Pick<Sources, 'results' | 'questions'>): SearchSnapshot => ({
  pages: results.map(({ url }) => url),
  questions: questions.slice(0, MOST_QUESTIONS),
});

const MOST_QUESTIONS = 10;
