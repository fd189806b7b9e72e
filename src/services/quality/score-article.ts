import { cliches, emptyOpeners, phrasesFound } from './cliches.ts';
import { type ReadHtml, readHtml, textOf } from './read-html.ts';
import {
  anyLanguage,
  countPhrase,
  type Language,
  remembering,
  russian,
  stems,
  syllables,
} from './russian-text.ts';

export type Article = {
  /** The rendered draft: headings, contents, JSON-LD; pictures may still be tokens. */
  html: string;
  mainPhrase: string;
  secondaryPhrases: readonly string[];
  metaDescription: string;
};

export type Group = 'seo' | 'readability' | 'structure' | 'naturalness' | 'depth';

export const groupMaxima: Readonly<Record<Group, number>> = {
  seo: 30,
  readability: 25,
  structure: 20,
  naturalness: 15,
  depth: 10,
};

/** `name` is for logs and tests; `advice` is what a critique tells the writer, absent when nothing is amiss. */
export type Check = { group: Group; name: string; points: number; max: number; advice?: string };

export type Score = {
  total: number;
  groups: Readonly<Record<Group, number>>;
  checks: readonly Check[];
  failed: readonly string[];
  /** The language could not be read: the total says too little to block a text (E45). */
  languageFailed: boolean;
  /** What the language failed with, for the log. */
  languageError?: unknown;
};

/** Below `pass` one rewrite is asked for; below `quiet` the person is told; below `block` nothing goes out. */
export const thresholds = { pass: 80, quiet: 60, block: 40 } as const;

export type Gate = 'passed' | 'noted' | 'warned' | 'blocked';

export function gate({ total, languageFailed }: Pick<Score, 'total' | 'languageFailed'>): Gate {
  if (total >= thresholds.pass) return 'passed';
  if (total >= thresholds.quiet) return 'noted';
  return total < thresholds.block && !languageFailed ? 'blocked' : 'warned';
}

export const needsCritique = ({ total }: Pick<Score, 'total'>): boolean => total < thresholds.pass;

export type Judged = {
  total: number;
  /** How much the company's data do not bear out. */
  untrue: number;
  /** Cannot go out as it is. */
  isUnfit: boolean;
};

/**
 * One rewrite and no second (E44): the better of the two is kept, the rewrite when they are equal. A better score does
 * not make up for an invented price; only a text that could not go out at all gives way to any that can.
 */
export function rewriteIsKept(original: Judged, rewrite: Judged): boolean {
  if (original.isUnfit !== rewrite.isUnfit) return original.isUnfit;
  return rewrite.untrue <= original.untrue && rewrite.total >= original.total;
}

/** `page` is what is read in the HTML, for a caller who has read it already. */
export function scoreArticle(
  article: Article,
  language: Language = russian,
  page: ReadHtml = readHtml(article.html),
): Score {
  try {
    return summed(checksOf(article, page, remembering(language)), false);
  } catch (languageError) {
    // E45: whatever broke, it broke on the language. The rest is counted by plain letters, and the caller is told.
    const counted = checksOf(article, page, anyLanguage).map((check) =>
      check.group === 'readability' || check.group === 'naturalness'
        ? { group: check.group, name: check.name, max: check.max, points: 0 }
        : check,
    );
    return { ...summed(counted, true), languageError };
  }
}

function summed(checks: readonly Check[], languageFailed: boolean): Score {
  const groups = { seo: 0, readability: 0, structure: 0, naturalness: 0, depth: 0 };
  for (const { group, points } of checks) groups[group] += points;
  return {
    total: Object.values(groups).reduce((sum, points) => sum + points, 0),
    groups,
    checks,
    failed: checks.flatMap(({ advice }) => advice ?? []),
    languageFailed,
  };
}

const checksOf = (article: Article, page: ReadHtml, language: Language): Check[] => [
  ...seo(article, page, language),
  ...readability(page, language),
  ...structure(page),
  ...naturalness(page, language),
  ...depth(page, language),
];

function seo(article: Article, page: ReadHtml, language: Language): Check[] {
  const phrase = stems(article.mainPhrase, language);
  const textStems = stems(textOf(page), language);
  const hits = countPhrase(textStems, phrase);
  const density = percent(hits * phrase.length, textStems.length);
  const has = (text: string | undefined) => countPhrase(stems(text ?? '', language), phrase) > 0;

  const missing = article.secondaryPhrases.filter(
    (secondary) => countPhrase(textStems, stems(secondary, language)) === 0,
  );
  const wanted = article.secondaryPhrases.length;
  const covered = wanted === 0 ? 0.5 : (wanted - missing.length) / wanted;
  const meta = article.metaDescription.trim().length;
  const named = `«${article.mainPhrase}»`;

  return [
    check(
      'seo',
      'density',
      8,
      between(density, 1.5, 2.5) ? 8 : between(density, 1, 3.5) ? 4 : 0,
      () => `Плотность фразы ${named} — ${shown(density)} %, нужно 1,5–2,5 %.`,
    ),
    check('seo', 'phrase in H1', 6, has(page.h1[0]) ? 6 : 0, () => `В заголовке H1 нет фразы ${named}.`),
    check(
      'seo',
      'phrase in the first paragraph',
      5,
      has(page.paragraphs[0]) ? 5 : 0,
      () => `В первом абзаце нет фразы ${named}.`,
    ),
    check(
      'seo',
      'phrase in the conclusion',
      3,
      has(page.paragraphs.at(-1)) ? 3 : 0,
      () => `В последнем абзаце нет фразы ${named}.`,
    ),
    {
      ...check('seo', 'secondary phrases', 8, Math.floor(covered * 8)),
      ...(missing.length > 0 && { advice: `Не раскрыты фразы: ${missing.join(', ')}.` }),
    },
    // Worth no points, still worth a remark: search engines show it.
    {
      ...check('seo', 'meta description', 0, 0),
      ...(!between(meta, 120, 160) && { advice: `Мета-описание — ${meta} знаков, нужно 120–160.` }),
    },
  ];
}

function readability(page: ReadHtml, language: Language): Check[] {
  const lengths = sentenceLengths(page, language);
  const read = proseWords(page, language);
  const perSentence = mean(lengths);
  const perWord = mean(read.map(syllables));
  const flesch = read.length === 0 ? 0 : 206.835 - 1.3 * perSentence - 60.1 * perWord;
  const perParagraph = mean(page.paragraphs.map((paragraph) => language.words(paragraph).length));
  const variety = ratio(new Set(Array.from(new Set(read), (word) => word.toLowerCase())).size, read.length);
  const some = read.length > 0;

  return [
    check(
      'readability',
      'ease of reading',
      8,
      some ? reached(flesch, [60, 8], [40, 5], [20, 2]) : 0,
      () => `Текст читается тяжело: индекс Флеша ${shown(flesch)}, нужно от 60. Выбирайте слова короче.`,
    ),
    check(
      'readability',
      'sentence length',
      6,
      some ? within(perSentence, [20, 6], [25, 3]) : 0,
      () => `В предложении в среднем ${shown(perSentence)} слова, нужно не больше 20.`,
    ),
    check(
      'readability',
      'paragraph length',
      5,
      some ? within(perParagraph, [150, 5], [200, 2]) : 0,
      () => `В абзаце в среднем ${shown(perParagraph)} слова, нужно не больше 150.`,
    ),
    check(
      'readability',
      'variety of words',
      6,
      variety > 0.4 ? 6 : variety > 0.3 ? 3 : 0,
      () => `Слова повторяются: разных ${shown(variety * 100)} %, нужно больше 40 %.`,
    ),
  ];
}

function structure(page: ReadHtml): Check[] {
  const { h1, h2, headings, links } = page;
  const hasFaq = headings.some((heading) => /\bFAQ\b|(?<!\p{L})вопрос/iu.test(heading));
  return [
    check(
      'structure',
      'one H1',
      4,
      h1.length === 1 ? 4 : 0,
      () => `Заголовков H1 — ${h1.length}, нужен один.`,
    ),
    check(
      'structure',
      'H2 sections',
      4,
      between(h2.length, 3, 6) ? 4 : between(h2.length, 2, 8) ? 2 : 0,
      () => `Разделов H2 — ${h2.length}, нужно 3–6.`,
    ),
    check('structure', 'FAQ', 3, hasFaq ? 3 : 0, () => 'Нет раздела с частыми вопросами.'),
    check('structure', 'Schema.org', 3, page.hasJsonLd ? 3 : 0, () => 'Нет разметки Schema.org.'),
    check(
      'structure',
      'links',
      3,
      reached(links, [3, 3], [1, 1]),
      () => `Ссылок на другие страницы — ${links}, нужно от 3.`,
    ),
    check('structure', 'contents', 3, page.hasContents ? 3 : 0, () => 'Нет оглавления.'),
  ];
}

function naturalness(page: ReadHtml, language: Language): Check[] {
  const text = textOf(page);
  const found = phrasesFound(text, [...cliches, ...emptyOpeners], language);
  const worn = found.filter((phrase) => cliches.includes(phrase));
  const openers = found.filter((phrase) => emptyOpeners.includes(phrase));
  const lengths = sentenceLengths(page, language);
  const rhythm = ratio(deviation(lengths), mean(lengths));
  const figures = text.match(/\d+(?:[.,\s]\d+)*/gu)?.length ?? 0;
  // An empty page has no clichés either; it earns nothing for that.
  const some = lengths.length > 0;

  return [
    check(
      'naturalness',
      'clichés',
      5,
      some ? within(worn.length, [0, 5], [2, 2]) : 0,
      () => `Уберите штампы: ${[...new Set(worn)].join(', ') || 'текста нет'}.`,
    ),
    check(
      'naturalness',
      'rhythm',
      4,
      rhythm > 0.3 ? 4 : rhythm > 0.15 ? 2 : 0,
      () => 'Предложения одной длины: чередуйте короткие и длинные.',
    ),
    check(
      'naturalness',
      'figures',
      3,
      reached(figures, [5, 3], [2, 1]),
      () => `Конкретных чисел — ${figures}, нужно от 5.`,
    ),
    check(
      'naturalness',
      'empty openers',
      3,
      some ? within(openers.length, [0, 3], [1, 1]) : 0,
      () => `Уберите пустые вступления: ${[...new Set(openers)].join(', ') || 'текста нет'}.`,
    ),
  ];
}

function depth(page: ReadHtml, language: Language): Check[] {
  const length = language.words(textOf(page)).length;
  const names = namesIn(page, language);
  return [
    check(
      'depth',
      'length',
      3,
      reached(length, [1500, 3], [1000, 2], [500, 1]),
      () => `В тексте ${length} слов, нужно от 1500.`,
    ),
    check(
      'depth',
      'names',
      3,
      reached(names, [10, 3], [5, 2], [2, 1]),
      () => `Названий, имён и мест — ${names}, нужно от 10.`,
    ),
    check('depth', 'list', 2, page.lists > 0 ? 2 : 0, () => 'Нет ни одного списка.'),
    check(
      'depth',
      'images',
      2,
      reached(page.images, [3, 2], [1, 1]),
      () => `Изображений — ${page.images}, нужно от 3.`,
    ),
  ];
}

/** Different capitalised words that do not merely begin a sentence: a name repeated is still one name. */
function namesIn(page: ReadHtml, language: Language): number {
  const names = prose(page)
    .flatMap(language.sentences)
    .flatMap((sentence) => language.words(sentence).slice(1))
    .filter((word) => /^\p{Lu}/u.test(word));
  return new Set(names.map(language.stem)).size;
}

/** Headings are not sentences: counted as such, they would flatter every average. */
const prose = (page: ReadHtml): string[] =>
  page.blocks.filter(({ heading }) => !heading).map(({ text }) => text);
const proseWords = (page: ReadHtml, language: Language): string[] => prose(page).flatMap(language.words);
const sentenceLengths = (page: ReadHtml, language: Language): number[] =>
  prose(page)
    .flatMap(language.sentences)
    .map((sentence) => language.words(sentence).length);

function check(group: Group, name: string, max: number, points: number, advice?: () => string): Check {
  return { group, name, max, points, ...(advice && points < max && { advice: advice() }) };
}

type Step = readonly [bound: number, points: number];
const reached = (value: number, ...steps: Step[]): number =>
  steps.find(([bound]) => value >= bound)?.[1] ?? 0;
const within = (value: number, ...steps: Step[]): number => steps.find(([bound]) => value <= bound)?.[1] ?? 0;
const between = (value: number, low: number, high: number): boolean => value >= low && value <= high;

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const percent = (part: number, whole: number): number => 100 * ratio(part, whole);
const mean = (values: readonly number[]): number =>
  ratio(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  );
const deviation = (values: readonly number[]): number => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};
const shown = (value: number): string => value.toFixed(1).replace('.', ',');
