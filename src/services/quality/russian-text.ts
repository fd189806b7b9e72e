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
const PLAIN_LETTER = /[A-Za-zА-Яа-яЁё0-9]/u;
const stemmer = snowball.newStemmer('russian');
/** Under three megabytes when full; a string longer than any real word is not worth its place. */
const STEMS_KEPT = 20_000;
const LONGEST_KEPT = 40;
const knownStems = new Map<string, string>();

export const russian: Language = { words, sentences, stem };

/** The same language that answers at once when asked again: scoring asks for the same text a dozen times. */
export const remembering = ({ words, sentences, stem }: Language): Language => ({
  words: once(words),
  sentences: once(sentences),
  stem, // Russian remembers its stems from article to article
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
  const found: string[] = [];
  for (const piece of text.split(/\s+/u)) {
    const plain = PLAIN_WORD.exec(piece);
    if (!plain) for (const word of segmented(piece)) found.push(word);
    else if (plain[1] !== undefined) found.push(plain[1]);
  }
  return found;
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
    .filter((part) => PLAIN_LETTER.test(part) || words(part).length > 0);
}

/**
 * Snowball treats ё as a foreign letter, and people write е for it. It takes longer than anything else that is asked
 * about a word, and most words of an article were in the last one as well.
 */
export function stem(word: string): string {
  const known = knownStems.get(word);
  if (known !== undefined) return known;
  if (word.length > LONGEST_KEPT) return stemmed(word);
  if (knownStems.size >= STEMS_KEPT) knownStems.clear();
  const kept = copied(word);
  const found = stemmed(kept);
  knownStems.set(kept, found);
  return found;
}

const stemmed = (word: string): string => stemmer.stem(word.toLowerCase().replaceAll('ё', 'е'));

/** A word cut out of a text holds on to the whole text for as long as it is kept itself. */
const copied = (word: string): string => Buffer.from(word, 'utf16le').toString('utf16le');

export const stems = (text: string, language: Language = russian): string[] =>
  language.words(text).map(language.stem);

/** Russian has as many syllables as vowels; a word without one (and a number) is still said at once. */
export function syllables(word: string): number {
  return Math.max(1, word.match(/[аеёиоуыэюяaeiouy]/giu)?.length ?? 0);
}

/** How often the words of the phrase stand side by side, in any grammatical form; overlaps count once. */
export function countPhrase(textStems: readonly string[], phraseStems: readonly string[]): number {
  if (phraseStems.length === 0) return 0;
  const [first] = phraseStems;
  let found = 0;
  let at = 0;
  while (at + phraseStems.length <= textStems.length) {
    // The first word is compared by itself: nearly everywhere that settles it.
    const here = textStems[at] === first && phraseStems.every((part, i) => textStems[at + i] === part);
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
