import type { Chance } from '../chance.ts';
import type { Phrase } from '../phrase.ts';

type Bounds = readonly [min: number, max: number];
const TITLE: Bounds = [50, 80];
const SEO_TITLE: Bounds = [40, 60];
const META: Bounds = [120, 160];

/** After «{Phrase}: »; of every length, so that one of them fits a phrase of any length. */
const titleEndings: readonly string[] = [
  'что проверить до оплаты и о чём спросить',
  'как выбрать, сколько ждать и где не ошибиться',
  'порядок действий, сроки и частые ошибки',
  'что решить до договора и как оценить результат',
  'с чего начать, за что платить и чего не делать',
  'подробный разбор для тех, кто решает этот вопрос впервые',
  'на что смотреть при выборе и как не платить дважды',
  'как выбрать и не переплатить',
  'как решить вопрос один раз',
  'что важно знать заранее',
  'выбор, цена и сроки',
  'за что платить',
];
const seoEndings: readonly string[] = [
  'как выбрать и не переплатить',
  'что проверить до оплаты',
  'цены, сроки, частые ошибки',
  'порядок действий и сроки',
  'как выбрать и сколько стоит',
  'с чего начать и за что платить',
  'выбор и цена',
  'как выбрать',
  'советы',
];
const metaPieces: readonly string[] = [
  'как выбрать, что проверить до оплаты и где чаще всего ошибаются.',
  'за что платить, сколько ждать и о чём спросить на первой встрече.',
  'порядок действий, сроки и то, на чём не стоит экономить.',
  'выбор, сроки, деньги и всё, что стоит решить заранее.',
];
const metaTails: readonly string[] = [
  'Таблица и список для проверки — внутри.',
  'Ответы на вопросы, которые задают чаще всего.',
  'По шагам и с примерами.',
  'Сохраните, чтобы не искать.',
];

export const titleFor = (phrase: Phrase, chance: Chance): string =>
  fitted(ended(phrase, titleEndings, chance), TITLE);

export const seoTitleFor = (phrase: Phrase, chance: Chance): string =>
  fitted(ended(phrase, seoEndings, chance), SEO_TITLE);

export function metaFor(phrase: Phrase, chance: Chance): string {
  const tails = metaTails.flatMap((one, i) => [one, ...metaTails.slice(i + 1).map((two) => `${one} ${two}`)]);
  const candidates = metaPieces.flatMap((piece) =>
    ['', ...tails].map((tail) => `${phrase.capital}: ${piece} ${tail}`.trim()),
  );
  return fitted(chance.shuffled(candidates), META);
}

export const isFitTitle = (title: string): boolean => title.length >= TITLE[0] && title.length <= TITLE[1];

const ended = ({ capital }: Phrase, endings: readonly string[], chance: Chance): string[] => [
  ...chance.shuffled(endings.map((ending) => `${capital}: ${ending}`)),
  capital,
];

/** The first within bounds; else the longest that is not too long; else the shortest, and a machine cuts it. */
function fitted(candidates: readonly string[], [min, max]: Bounds): string {
  const fit = candidates.find(({ length }) => length >= min && length <= max);
  if (fit !== undefined) return fit;
  const byLength = [...candidates].sort((one, other) => other.length - one.length);
  return byLength.find(({ length }) => length <= max) ?? byLength.at(-1)!;
}
