import { createRequire } from 'node:module';
import { type Language, russian } from './russian-text.ts';

/** What the top results say a topic needs. JSON: a stage of the work keeps it. */
export type Topic = {
  /** Stems of the results, those first that most of them use; the weight is the share of them that does. */
  terms: readonly { stem: string; word: string; weight: number }[];
  /** What people ask about it. */
  questions: readonly string[];
};

export const unknownTopic: Topic = { terms: [], questions: [] };

const MOST_TERMS = 60;
const SHORTEST = 4;

/** Stems of any text about anything, learned from articles about many trades (test/corpus/learn-word-pairs.ts). */
const common = new Set(createRequire(import.meta.url)('./common-stems.json') as string[]);

/** Each page's words count once, so that a long page says no more than a short one. */
export function readTopic(
  pages: readonly string[],
  questions: readonly string[] = [],
  language: Language = russian,
): Topic {
  const used = new Map<string, { word: string; pages: number }>();
  for (const page of pages) {
    const own = new Map(language.words(page).map((word) => [language.stem(word), word.toLowerCase()]));
    for (const [stem, word] of own) {
      if (stem.length < SHORTEST || common.has(stem) || /\d/u.test(stem)) continue;
      used.set(stem, { word, pages: (used.get(stem)?.pages ?? 0) + 1 });
    }
  }
  const terms = [...used]
    .sort(([, one], [, other]) => other.pages - one.pages)
    .slice(0, MOST_TERMS)
    .map(([stem, { word, pages: count }]) => ({ stem, word, weight: count / pages.length }));
  return { terms, questions: [...questions] };
}

export const meaningfulStems = (text: string, language: Language): string[] =>
  language
    .words(text)
    .map(language.stem)
    .filter((stem) => stem.length > 2);
