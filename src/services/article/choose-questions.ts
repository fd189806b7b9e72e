import { createHash, randomUUID } from 'node:crypto';

const CHOSEN = 3;

/**
 * A few of the questions people ask, by chance, so that two companies of one niche get different articles. The same
 * seed chooses the same ones again: a scheduled run that is repeated must not write another article.
 */
export function chooseQuestions(questions: readonly string[], seed: string = randomUUID()): string[] {
  const lot = (question: string) => createHash('md5').update(`${seed}\n${question}`).digest('hex');
  return [...new Set(questions)]
    .map((question) => ({ question, lot: lot(question) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, CHOSEN)
    .map(({ question }) => question);
}
