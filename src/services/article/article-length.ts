import type { WordRange } from '../../prices.ts';

const USUAL: WordRange = { min: 1_500, max: 2_500 };
const LONGEST = { min: 4_500, max: 5_000 };
const SPREAD = 500;
const LONGER_THAN_COMPETITORS = 1.1;

/** How long an article is to be: as the person chose, else a little longer than what it competes with. */
export function articleLength(chosen: WordRange | null, competitorWords: readonly number[]): WordRange {
  if (chosen) return chosen;
  if (competitorWords.length === 0) return USUAL;
  const wanted = Math.floor(median(competitorWords) * LONGER_THAN_COMPETITORS);
  const min = Math.min(LONGEST.min, Math.max(USUAL.min, wanted));
  return { min, max: Math.min(LONGEST.max, min + SPREAD) };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]!;
}
