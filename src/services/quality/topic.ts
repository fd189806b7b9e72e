import { createRequire } from 'node:module';
import { type Language, russian } from './russian-text.ts';

/** What the top results say a topic needs. JSON: a stage of the work keeps it. */
export type Topic = {
  /**
   * Stems of the results, those first that most of them use. The weight grows with the number of pages that use a stem:
   * 1 for all of them, 0 for a single one, whose words may be its menu, its brand or its author's manner.
   */
  terms: readonly { stem: string; word: string; weight: number }[];
  /** What people ask about it. */
  questions: readonly string[];
};

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
    const words = proseOf(page, language).flatMap(language.words);
    const own = new Map(words.map((word) => [language.stem(word), word.toLowerCase()]));
    for (const [stem, word] of own) {
      if (stem.length < SHORTEST || common.has(stem) || /\d/u.test(stem)) continue;
      used.set(stem, { word, pages: (used.get(stem)?.pages ?? 0) + 1 });
    }
  }
  const terms = [...used]
    .sort(([, one], [, other]) => other.pages - one.pages)
    .slice(0, MOST_TERMS)
    .map(([stem, { word, pages: count }]) => ({
      stem,
      word,
      weight: (count - 1) / Math.max(1, pages.length - 1),
    }));
  return { terms, questions: [...questions] };
}

/** Menus, buttons and baskets stand in lines of a few words, and shops share them whatever they sell. */
const MENU_WORDS = 4;

function proseOf(page: string, language: Language): string[] {
  const lines = page.split('\n');
  const prose = lines.filter((line) => language.words(line).length > MENU_WORDS);
  return prose.length > 0 ? prose : lines;
}

export const meaningfulStems = (text: string, language: Language): string[] =>
  language
    .words(text)
    .map(language.stem)
    .filter((stem) => stem.length > 2);
