/** The longest first: «shch» is one letter. */
const letters: readonly (readonly [string, string])[] = [
  ...([
    ['shch', 'щ'],
    ['zh', 'ж'],
    ['kh', 'х'],
    ['ts', 'ц'],
    ['ch', 'ч'],
    ['sh', 'ш'],
  ] as const),
  ...([
    ['yu', 'ю'],
    ['ya', 'я'],
    ['yo', 'ё'],
    ['a', 'а'],
    ['b', 'б'],
    ['v', 'в'],
    ['g', 'г'],
  ] as const),
  ...([
    ['d', 'д'],
    ['e', 'е'],
    ['z', 'з'],
    ['i', 'и'],
    ['j', 'й'],
    ['k', 'к'],
    ['l', 'л'],
  ] as const),
  ...([
    ['m', 'м'],
    ['n', 'н'],
    ['o', 'о'],
    ['p', 'п'],
    ['r', 'р'],
    ['s', 'с'],
    ['t', 'т'],
  ] as const),
  ...([
    ['u', 'у'],
    ['f', 'ф'],
    ['h', 'х'],
    ['c', 'ц'],
    ['y', 'ы'],
    ['w', 'в'],
    ['x', 'кс'],
    ['q', 'к'],
  ] as const),
];
const byLatin = new Map(letters);
const latin = new RegExp(letters.map(([letter]) => letter).join('|'), 'gu');

/** An address gives its words in Latin letters; a reader should see them in Russian ones. */
export const fromLatin = (words: string): string =>
  /\p{Script=Cyrillic}/u.test(words)
    ? words
    : words.toLowerCase().replace(latin, (found) => byLatin.get(found)!);
