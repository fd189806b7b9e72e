import snowball from 'snowball-stemmers';

/** What scoring needs to know about a language; a slot, so that its failure can be survived (E45). */
export type Language = {
  words(text: string): string[];
  sentences(text: string): string[];
  stem(word: string): string;
};

const wordSegmenter = new Intl.Segmenter('ru', { granularity: 'word' });
const sentenceSegmenter = new Intl.Segmenter('ru', { granularity: 'sentence' });
/** No word and no paragraph is longer. The segmenter copies what it was given with each segment, and would fill memory. */
const LONGEST_PIECE = /.{1,500}/gsu;
const LONGEST_LINE = /.{1,10000}/gsu;
/** Letters and digits without a break, between marks that never join what stands beside them. */
const PLAIN_WORD = /^[«»„“”"(),.!?…:;—–-]*(?:([A-Za-zА-Яа-яЁё0-9]+)[«»„“”"(),.!?…:;—–-]*)?$/u;
const stemmer = snowball.newStemmer('russian');

export const russian: Language = { words, sentences, stem };

/** The same language that answers at once when asked again: scoring asks for the same text a dozen times. */
export const remembering = (language: Language): Language => ({
  words: once(language.words),
  sentences: once(language.sentences),
  stem: once(language.stem),
});

/** No dictionary and no rules: letters between spaces. Enough to count words and find literal phrases. */
export const anyLanguage: Language = {
  words: (text) => text.match(/[\p{L}\p{N}]+/gu) ?? [],
  sentences: (text) => text.split(/(?<=[.!?…])\s+/u).filter((part) => part.trim() !== ''),
  stem: (word) => word.toLowerCase(),
};

/**
 * Words and numbers in their own letter case; punctuation is left out. Cut at spaces first: the segmenter's time
 * grows with the square of what it is given. And it is asked only about pieces that leave a question, such as
 * «сине-жёлтый» or «3,5»: it needs twenty times as long for the answer that a plain word has only one of.
 */
export function words(text: string): string[] {
  return text.split(/\s+/u).flatMap((piece) => {
    const plain = PLAIN_WORD.exec(piece);
    return plain ? (plain[1] ?? []) : segmented(piece);
  });
}

const segmented = (piece: string): string[] =>
  (piece.match(LONGEST_PIECE) ?? []).flatMap((part) =>
    [...wordSegmenter.segment(part)].flatMap(({ isWordLike, segment }) => (isWordLike ? segment : [])),
  );

export function sentences(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.match(LONGEST_LINE) ?? [])
    .flatMap((part) => Array.from(sentenceSegmenter.segment(part), ({ segment }) => segment.trim()))
    .filter((part) => words(part).length > 0);
}

/** Snowball treats ё as a foreign letter, and people write е for it. */
export function stem(word: string): string {
  return stemmer.stem(word.toLowerCase().replaceAll('ё', 'е'));
}

export const stems = (text: string, language: Language = russian): string[] =>
  language.words(text).map(language.stem);

/** Russian has as many syllables as vowels; a word without one (and a number) is still said at once. */
export function syllables(word: string): number {
  return Math.max(1, word.match(/[аеёиоуыэюяaeiouy]/giu)?.length ?? 0);
}

/** How often the words of the phrase stand side by side, in any grammatical form; overlaps count once. */
export function countPhrase(textStems: readonly string[], phraseStems: readonly string[]): number {
  if (phraseStems.length === 0) return 0;
  let found = 0;
  let at = 0;
  while (at + phraseStems.length <= textStems.length) {
    const here = phraseStems.every((part, i) => textStems[at + i] === part);
    if (here) found += 1;
    at += here ? phraseStems.length : 1;
  }
  return found;
}

export const containsPhrase = (text: string, phrase: string, language: Language = russian): boolean =>
  countPhrase(stems(text, language), stems(phrase, language)) > 0;

function once<Answer>(ask: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const known = answers.get(text) ?? ask(text);
    answers.set(text, known);
    return known;
  };
}
