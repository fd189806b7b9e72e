import { countPhrase, type Language, russian, stems } from './russian-text.ts';

/** Phrases that mark thoughtless text. Found in any grammatical form. */
export const cliches: readonly string[] = [
  'является',
  'осуществлять',
  'данный',
  'на сегодняшний день',
  'в современном мире',
  'играет важную роль',
  'индивидуальный подход',
  'комплексный подход',
  'широкий спектр',
  'богатый выбор',
  'команда профессионалов',
  'высокое качество',
  'доступные цены',
  'в кратчайшие сроки',
  'лидер рынка',
  'гибкая система скидок',
  'инновационные решения',
  'идеальный вариант',
  'уникальная возможность',
  'непревзойдённый',
];

/** Beginnings that promise a thought and give none. */
export const emptyOpeners: readonly string[] = ['как известно', 'всем известно', 'не секрет', 'само собой'];

/** «Данные» the noun shares its stem with «данный» the cliché; its forms are not held against the text. */
const innocentForms = new Set(['данные', 'данных', 'данным', 'данными']);

/** Every phrase of the list found in the text, once per occurrence. */
export function phrasesFound(
  text: string,
  list: readonly string[],
  language: Language = russian,
): readonly string[] {
  // Compared first: changing the case of every Cyrillic word took nearly half of the time.
  const innocentStems = new Set(Array.from(innocentForms, language.stem));
  const textStems = language.words(text).map((word) => {
    const stem = language.stem(word);
    return innocentStems.has(stem) && innocentForms.has(word.toLowerCase()) ? '' : stem;
  });
  return list.flatMap((phrase) =>
    Array<string>(countPhrase(textStems, stems(phrase, language))).fill(phrase),
  );
}
