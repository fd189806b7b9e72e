import { stem, words } from '../quality/russian-text.ts';

export const MOST_PHRASE_CHARS = 100;

/** One line without invisible signs; what a file or a model brings may hold any, and the database takes no NUL. */
export const tidyPhrase = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC') // "й" may come as "и" and a breve
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();

/** Two spellings of one search have the same key. */
export const phraseKey = (text: string): string => tidyPhrase(text).toLowerCase().replaceAll('ё', 'е');

const linkingWords = new Set(
  'в во на с со по для из от до и или а к ко у о об за при без под над'.split(' '),
);

export const isLinkingWord = (word: string): boolean => linkingWords.has(word.toLowerCase());

export const tellingStems = (text: string): string[] =>
  words(text)
    .filter((word) => !isLinkingWord(word))
    .map(stem);

/** The first spelling of each. */
export function distinct<Item>(items: readonly Item[], phraseOf: (item: Item) => string): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = phraseKey(phraseOf(item));
    const isNew = key !== '' && !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
