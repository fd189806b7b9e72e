import { cliches, emptyOpeners, phrasesFound } from './cliches.ts';
import { type Measures, measureArticle } from './measure-article.ts';
import { type ReadHtml, readHtml } from './read-html.ts';
import { anyLanguage, type Language, remembering, russian } from './russian-text.ts';
import type { Topic } from './topic.ts';

export type Article = {
  /** The rendered draft; pictures may still be tokens. */
  html: string;
  mainPhrase: string;
  secondaryPhrases: readonly string[];
  /** What search engines show; where it is not known, the heading of the page. */
  seoTitle?: string;
  metaDescription: string;
  /** What the top results say the topic needs; absent when they could not be read. */
  topic?: Topic;
};

export type Group = 'topic' | 'text' | 'snippet' | 'structure';

/** `name` is for logs and tests; `advice` is what a critique tells the writer, absent when nothing is amiss. */
export type Check = {
  group: Group;
  name: string;
  points: number;
  max: number;
  advice?: string;
  /** The same for the person who ordered the article. */
  strength: string;
  weakness: string;
};

type Score = {
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
const thresholds = { pass: 80, quiet: 60, block: 40 } as const;

type Gate = 'passed' | 'noted' | 'warned' | 'blocked';

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

type Rule = {
  group: Group;
  name: string;
  max: number;
  /** 0 to 1; null where nothing is known to judge by, and then the others carry its weight. */
  reached(measured: Measures): number | null;
  advice(measured: Measures): string;
  strength: string;
  weakness: string;
};

/**
 * What is judged, with its weight and the reason for it. Calibrated on good and spoiled articles over ten niches
 * (test/corpus): what tells them apart carries the points, what every rendered page has (H1, contents, data) carries none.
 */
export const rules: readonly Rule[] = [
  // Half of the points: an article that does not say what the topic needs is useless however well it is written.
  rule(
    'topic',
    'terms',
    14,
    ({ coverage }) => (coverage === null ? null : rising(coverage.share, 0.2, 0.5)),
    ({ coverage }) =>
      `Не раскрыто то, о чём пишут все в выдаче: ${coverage?.missing.slice(0, 8).join(', ')}.`,
    'раскрывает то, о чём пишут лучшие страницы поиска',
    'обходит часть того, о чём пишут лучшие страницы поиска',
  ),
  rule(
    'topic',
    'questions',
    8,
    ({ questions }) => (questions === null ? null : rising(questions.share, 0, 0.75)),
    ({ questions }) => `Нет ответа на вопросы: ${questions?.missing.slice(0, 3).join(' ')}`,
    'отвечает на вопросы, которые люди задают поиску',
    'отвечает не на все вопросы, которые люди задают поиску',
  ),
  rule(
    'topic',
    'secondary phrases',
    6,
    ({ secondary }) => (secondary === null ? null : rising(secondary.share, 0, 0.9)),
    ({ secondary }) => `Не раскрыты фразы: ${secondary?.missing.join(', ')}.`,
    'учитывает все фразы группы',
    'учитывает не все фразы группы',
  ),
  // A section about something else is what a reader leaves at; one in four may be general advice.
  rule(
    'topic',
    'relevance',
    12,
    ({ relevance }) => (relevance === null ? null : rising(relevance, 0.3, 0.75)),
    ({ strays }) => `Разделы не по теме: ${strays.slice(0, 3).join('; ')}.`,
    'каждый раздел — по теме',
    'есть разделы в стороне от темы',
  ),
  // Natural forms, in the two places where a reader checks that the page is the right one.
  rule(
    'topic',
    'phrase in its places',
    6,
    ({ inTitle, inOpening }) => (inTitle ? 0.5 : 0) + (inOpening ? 0.5 : 0),
    ({ mainPhrase }) =>
      `Фразы «${mainPhrase}» нет в заголовке или в начале текста (подойдёт любая естественная форма).`,
    'сразу видно, о чём статья',
    'из заголовка и начала не сразу видно, о чём статья',
  ),

  rule(
    'text',
    'sentences',
    10,
    ({ sense }) => rising(sense, 0, 0.1),
    () => 'Часть предложений не складывается в русскую речь: перепиши их.',
    'написана живым, грамотным языком',
    'часть предложений звучит нескладно',
  ),
  rule(
    'text',
    'repetition',
    7,
    ({ freshness }) => rising(freshness, 0.6, 0.93),
    () => 'Текст повторяет сам себя: убери повторы абзацев и фраз.',
    'не повторяется',
    'повторяет одно и то же',
  ),
  rule(
    'text',
    'length of sentences',
    4,
    ({ perSentence }) => (perSentence === 0 ? 0 : 1 - rising(perSentence, 19, 28)),
    ({ perSentence }) => `В предложении в среднем ${shown(perSentence)} слова, нужно не больше 19.`,
    'читается легко: предложения короткие',
    'предложения длинноваты',
  ),
  rule(
    'text',
    'length of paragraphs',
    2,
    ({ longestParagraph }) => (longestParagraph === 0 ? 0 : 1 - rising(longestParagraph, 130, 220)),
    ({ longestParagraph }) => `Самый длинный абзац — ${longestParagraph} слов, нужно не больше 130.`,
    'разбита на короткие абзацы',
    'есть слишком длинные абзацы',
  ),
  rule(
    'text',
    'worn words',
    4,
    ({ worn, hasText }) => (hasText ? 1 - rising(worn.length, 0, 5) : 0),
    ({ worn }) => `Уберите штампы: ${[...new Set(worn)].join(', ') || 'текста нет'}.`,
    'без штампов и рекламных слов',
    'встречаются штампы',
  ),
  rule(
    'text',
    'figures',
    2,
    ({ figures }) => rising(figures, 0, 5),
    ({ figures }) => `Конкретных чисел — ${figures}, нужно от 5.`,
    'опирается на конкретные числа',
    'мало конкретных чисел',
  ),

  // The whole of what a person sees before the click.
  rule(
    'snippet',
    'title',
    4,
    ({ title }) => inside(title, 40, 80, 25),
    ({ title }) => `Заголовок — ${title} знаков, нужно 40–80.`,
    'заголовок удобной длины',
    'заголовок слишком длинный или короткий',
  ),
  rule(
    'snippet',
    'SEO title',
    2,
    ({ seoTitle }) => inside(seoTitle, 30, 65, 20),
    ({ seoTitle }) => `Заголовок для поиска — ${seoTitle} знаков, нужно 30–65.`,
    'заголовок для поиска поместится целиком',
    'заголовок для поиска обрежется',
  ),
  rule(
    'snippet',
    'meta description',
    4,
    ({ description }) => inside(description, 110, 165, 50),
    ({ description }) => `Мета-описание — ${description} знаков, нужно 120–160.`,
    'описание для поиска удобной длины',
    'описание для поиска слишком короткое или длинное',
  ),

  rule(
    'structure',
    'sections',
    3,
    ({ sections }) => inside(sections, 3, 9, 2),
    ({ sections }) => `Разделов H2 — ${sections}, нужно 3–8.`,
    'удобно разбита на разделы',
    'неудобно разбита на разделы',
  ),
  rule(
    'structure',
    'answers',
    5,
    ({ shortAnswers }) => shortAnswers,
    () => 'Под заголовком статьи и под каждым вопросом нужен прямой ответ в 40–60 слов; вопросов — от трёх.',
    'отвечает коротко и сразу',
    'короткого прямого ответа под вопросами не хватает',
  ),
  rule(
    'structure',
    'list or table',
    2,
    ({ lists }) => (lists > 0 ? 1 : 0),
    () => 'Нет ни списка, ни таблицы.',
    'есть списки и таблицы',
    'нет ни списка, ни таблицы',
  ),
  rule(
    'structure',
    'links',
    2,
    ({ links }) => rising(links, 0, 2),
    ({ links }) => `Ссылок на другие страницы и источники — ${links}, нужно от 2.`,
    'есть ссылки на страницы и источники',
    'мало ссылок на страницы и источники',
  ),
  rule(
    'structure',
    'length',
    3,
    ({ length }) => rising(length, 250, 1_100),
    ({ length }) => `В тексте ${length} слов, нужно от 1100.`,
    'подробная',
    'коротковата для такой темы',
  ),
];

/** A fault that no merit makes up for: the total goes no higher, and the reason stands before all other advice. */
type Ceiling = { most: number; applies(measured: Measures): boolean; advice(measured: Measures): string };

/** In words. A short text names few terms of any topic: it is held back by its length, not by its subject. */
const JUDGED_FROM = 400;

/** A share of the sections: an article about something else still speaks of the topic in some of them, by chance. */
const OFF_TOPIC = 0.6;

const lacksTerms = ({ coverage, length }: Measures): boolean =>
  length >= JUDGED_FROM && coverage !== null && coverage.share < 0.2;
const strays = ({ relevance, sections, length }: Measures, below: number): boolean =>
  length >= JUDGED_FROM && sections > 0 && relevance !== null && relevance < below;

const ceilings: readonly Ceiling[] = [
  // Prose has a sense of 0.13 and more, shuffled words of −0.2 and less: halfway is neither.
  {
    most: 15,
    applies: ({ sense, length }) => length > 50 && sense < 0,
    advice: () => 'Слова не складываются в предложения: напиши статью заново.',
  },
  // Good articles say more than nine tenths of their word triples once.
  {
    most: 25,
    applies: ({ freshness }) => freshness < 0.6,
    advice: () => 'Больше трети текста — повторы: напиши каждую мысль один раз.',
  },
  // Off the topic by both measures: of 60 good articles none covers less than 0.4 of the shared terms, and of those about
  // another trade none more than 0.15. Either measure alone may be wrong about poor results, so it warns and does not block.
  {
    most: 35,
    applies: (measured) => lacksTerms(measured) && strays(measured, OFF_TOPIC),
    advice: ({ mainPhrase }) => `Статья не о том: напиши её о теме «${mainPhrase}».`,
  },
  {
    most: 55,
    applies: (measured) => lacksTerms(measured) || strays(measured, 0.3),
    advice: ({ mainPhrase }) => `Почти все разделы в стороне от темы «${mainPhrase}».`,
  },
  // The stuffing that search engines punish begins above three per cent.
  {
    most: 55,
    applies: ({ density }) => density > 3.5,
    advice: ({ mainPhrase, density }) =>
      `Фраза «${mainPhrase}» занимает ${shown(density)} % текста: оставь её там, где она звучит естественно.`,
  },
  // A snippet that cannot be shown is sent to be mended, however good the article is.
  {
    most: 79,
    applies: ({ title, description }) => title > 120 || title < 15 || description < 70,
    advice: () => 'Заголовок или описание не годятся для поиска.',
  },
];

/** `page` is what is read in the HTML, for a caller who has read it already. */
export function scoreArticle(
  article: Article,
  language: Language = russian,
  page: ReadHtml = readHtml(article.html),
): Score {
  try {
    return judgedBy(
      measureArticle(article, page, remembering(language), (text, own) =>
        phrasesFound(text, [...cliches, ...emptyOpeners], own),
      ),
      false,
    );
  } catch (languageError) {
    // E45: whatever broke, it broke on the language. The rest is counted by plain letters, and the caller is told.
    const measured = measureArticle(article, page, anyLanguage, () => []);
    return { ...judgedBy({ ...measured, sense: 1 }, true), languageError };
  }
}

function judgedBy(measured: Measures, languageFailed: boolean): Score {
  const checks = rules.flatMap((each): Check[] => {
    const { group, name, max, strength, weakness } = each;
    if (!measured.hasText)
      return [{ group, name, max, strength, weakness, points: 0, advice: each.advice(measured) }];
    const isSilent = languageFailed && group === 'text';
    const reached = isSilent ? 0 : each.reached(measured);
    if (reached === null) return [];
    const points = Math.round(10 * max * reached) / 10;
    return [
      {
        group,
        name,
        max,
        points,
        strength,
        weakness,
        ...(points < max && !isSilent && { advice: each.advice(measured) }),
      },
    ];
  });
  const groups = { topic: 0, text: 0, snippet: 0, structure: 0 };
  for (const { group, points } of checks) groups[group] += points;
  const most = checks.reduce((sum, { max }) => sum + max, 0);
  const reached = checks.reduce((sum, { points }) => sum + points, 0);
  const hit = ceilings.filter(({ applies }) => applies(measured));
  const total = Math.min(Math.round((100 * reached) / most), ...hit.map((ceiling) => ceiling.most));
  const failed = [
    ...hit.map(({ advice }) => advice(measured)),
    ...checks.flatMap(({ advice }) => advice ?? []),
  ];
  return { total, groups, checks, failed, languageFailed };
}

const SHOWN = 3;

/** Three strengths and three weaknesses for the person, the weightiest first. */
export function verdictOf({ checks }: Pick<Score, 'checks'>): { strengths: string[]; weaknesses: string[] } {
  const lost = (check: Check) => check.max - check.points;
  const won = checks.filter((check) => check.points >= 0.9 * check.max).sort((a, b) => b.max - a.max);
  const weak = checks.filter((check) => lost(check) >= 0.1 * check.max).sort((a, b) => lost(b) - lost(a));
  return {
    strengths: won.slice(0, SHOWN).map(({ strength }) => strength),
    weaknesses: weak.slice(0, SHOWN).map(({ weakness }) => weakness),
  };
}

function rule(
  group: Group,
  name: string,
  max: number,
  reached: Rule['reached'],
  advice: Rule['advice'],
  strength: string,
  weakness: string,
): Rule {
  return { group, name, max, reached, advice, strength, weakness };
}

/** 0 up to `low`, 1 from `high` on, evenly between. */
const rising = (value: number, low: number, high: number): number =>
  Math.min(1, Math.max(0, (value - low) / (high - low)));
/** 1 within the bounds, falling to 0 at `slack` outside. */
const inside = (value: number, low: number, high: number, slack: number): number =>
  Math.max(0, 1 - Math.max(0, low - value, value - high) / slack);
const shown = (value: number): string => value.toFixed(1).replace('.', ',');
