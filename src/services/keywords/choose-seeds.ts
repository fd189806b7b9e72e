import { stems } from '../quality/russian-text.ts';
import { distinct, isLinkingWord, tellingStems, tidyPhrase } from './phrase-text.ts';

const MOST_SEEDS = 5;
const MOST_WORDS = 4;
const MOST_CHARS = 100;

/**
 * What to ask suggestions for. They contain their seed, so a long one finds nothing, and one with the city in it finds
 * little. Neither the jargon of the person nor the fancy of the model should fill all five: they take turns.
 */
export function chooseSeeds({
  products,
  specialization,
  geography,
  variants,
}: {
  products: string;
  specialization: string;
  geography: string;
  /** The model's wordings of the same; may be none. */
  variants: readonly string[];
}): string[] {
  const places = new Set(tellingStems(geography));
  const seedsIn = (text: string): string[] => listed(text).map((part) => shortened(part, places));
  const own = seedsIn(products).concat(seedsIn(specialization));
  const isPhrase = (seed: string): boolean => seed.includes(' ');
  // A single word is too broad to come first and too good to be thrown away.
  const ranked = [...own.filter(isPhrase), ...own.filter((seed) => !isPhrase(seed))];
  const suggested = variants.flatMap(seedsIn);
  return distinct(alternating(ranked, suggested), (seed) => seed).slice(0, MOST_SEEDS);
}

const listed = (text: string): string[] => text.split(/[,;\n•]|\.\s/u);

function shortened(text: string, places: ReadonlySet<string>): string {
  const kept = tidyPhrase(text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\s-]/gu, ' '))
    .split(' ')
    .filter((word) => !isPlace(word, places));
  return trimmed(trimmed(kept).slice(0, MOST_WORDS)).join(' ').slice(0, MOST_CHARS).trim();
}

const isPlace = (word: string, places: ReadonlySet<string>): boolean => {
  const parts = stems(word);
  return parts.length > 0 && parts.every((part) => places.has(part));
};

/** Without prepositions that lead nowhere: the city behind them is gone. */
function trimmed(phrase: readonly string[]): string[] {
  const first = phrase.findIndex(isMeant);
  return first < 0 ? [] : phrase.slice(first, phrase.findLastIndex(isMeant) + 1);
}

const isMeant = (word: string): boolean => /[\p{L}\p{N}]/u.test(word) && !isLinkingWord(word);

const alternating = (one: readonly string[], other: readonly string[]): string[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, i) => [one[i], other[i]])
    .flat()
    .filter((seed) => seed !== undefined);
