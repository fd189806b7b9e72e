import { stems } from '../quality/russian-text.ts';

const CHOSEN = 5;
/** One word of the company's own in a question is worth as much as this many places in the order of search. */
const OWN_WORD = 2;
const MEANINGFUL = 4;

/**
 * The most asked questions, those first that touch what the company speaks of: two companies of one trade answer what
 * people ask, each from its own side. `angle` is what the company says of itself.
 */
export function chooseQuestions(questions: readonly string[], angle = ''): string[] {
  const own = new Set(stems(angle).filter(({ length }) => length >= MEANINGFUL));
  const touches = (question: string): number => new Set(stems(question).filter((stem) => own.has(stem))).size;
  return [...new Set(questions)]
    .map((question, place) => ({ question, rank: place - OWN_WORD * touches(question) }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, CHOSEN)
    .map(({ question }) => question);
}
