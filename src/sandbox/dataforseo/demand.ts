import { createHash } from 'node:crypto';

/** What people search for around any trade, invented from the words alone: the same phrase always has the same demand. */

export type Demand = {
  /** Searches a month; null: the phrase is unknown. */
  volume: number | null;
  /** 0 to 100, as Google Ads counts competition. */
  competition: number;
  cpc: number | null;
};

type Wording = readonly [pattern: string, share: number, buys: boolean];

const wordings: readonly Wording[] = [
  ['* цена', 0.6, true],
  ['купить *', 0.55, true],
  ['заказать *', 0.45, true],
  ['* стоимость', 0.4, true],
  ['* недорого', 0.32, true],
  ['* рядом со мной', 0.3, true],
  ['* отзывы', 0.3, false],
  ['как выбрать *', 0.28, false],
  ['* своими руками', 0.26, false],
  ['какой лучше *', 0.24, false],
  ['сколько стоит *', 0.22, true],
  ['* фото', 0.2, false],
  ['* под ключ', 0.19, true],
  ['* с доставкой', 0.18, true],
  ['лучшие *', 0.16, false],
  ['* рейтинг', 0.15, false],
  ['* каталог', 0.14, true],
  ['* виды', 0.13, false],
  ['* прайс', 0.12, true],
  ['* для дома', 0.12, false],
  ['* срочно', 0.11, true],
  ['* на заказ', 0.11, true],
  ['* плюсы и минусы', 0.1, false],
  ['* советы', 0.1, false],
  ['* для начинающих', 0.09, false],
  ['* скидки', 0.09, true],
  ['* с гарантией', 0.08, true],
  ['что нужно знать *', 0.08, false],
  ['* пошаговая инструкция', 0.08, false],
  ['* онлайн', 0.07, true],
  ['* сравнение', 0.07, false],
  ['* идеи', 0.07, false],
  ['* примеры работ', 0.06, false],
  ['* ошибки', 0.06, false],
  ['* сроки', 0.06, false],
  ['* для бизнеса', 0.05, true],
  ['* в рассрочку', 0.05, true],
  ['* с чего начать', 0.05, false],
  ['* частые вопросы', 0.04, false],
  ['* тренды', 0.04, false],
];

/** Beside the searches themselves: what the same people look for next. */
const neighbours: readonly Wording[] = [
  ['* калькулятор', 0.2, true],
  ['* расчет стоимости', 0.16, true],
  ['* частный мастер', 0.14, true],
  ['* этапы', 0.12, false],
  ['* договор', 0.1, false],
  ['* чек лист', 0.09, false],
  ['* варианты', 0.09, false],
  ['* рейтинг компаний', 0.08, true],
  ['* для семьи', 0.06, false],
  ['* подготовка', 0.06, false],
  ['* мнение экспертов', 0.05, false],
  ['* вопросы и ответы', 0.04, false],
];

/** The long tail: each of them after each wording. */
const tails: readonly Wording[] = [
  ['* в интернете', 0.12, true],
  ['* форум', 0.1, false],
  ['* видео', 0.09, false],
  ['* подробно', 0.06, false],
  ['* без переплаты', 0.05, true],
];

const edges = [...wordings, ...neighbours, ...tails].map(([pattern, share, buys]) => {
  const [before = '', after = ''] = pattern.split('*');
  return { before, after, share, buys };
});

export const suggestionsFor = (seed: string): string[] =>
  isGibberish(seed) ? [] : [seed, ...applied(seed, wordings), ...withTails(applied(seed, wordings))];

export const relatedTo = (phrase: string): string[] =>
  isGibberish(phrase) ? [] : applied(partsOf(phrase).core, [...neighbours, ...wordings]);

/** What is left of a phrase without the words that say what the person wants of it. */
export const coreOf = (phrase: string): string => partsOf(phrase).core;

export function demandFor(phrase: string, marketShare: number): Demand {
  const { core, share, buys } = partsOf(phrase.toLowerCase());
  const chance = draw(phrase);
  return {
    volume: isGibberish(phrase) ? null : asGoogleRounds(mostSearched(core) * share * marketShare),
    competition: buys ? 55 + (chance % 44) : 4 + (chance % 42),
    cpc:
      chance % 13 === 0 ? null : Math.round((buys ? 30 + (chance % 150) : 4 + (chance % 25)) * share) / 100,
  };
}

/** A number that belongs to the text for ever. */
export const draw = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

function partsOf(phrase: string): { core: string; share: number; buys: boolean } {
  for (const { before, after, share, buys } of edges) {
    if (phrase.length <= before.length + after.length) continue;
    if (!phrase.startsWith(before) || !phrase.endsWith(after)) continue;
    const inner = partsOf(phrase.slice(before.length, phrase.length - after.length));
    return { core: inner.core, share: inner.share * share, buys: inner.buys || buys };
  }
  return { core: phrase, share: 1, buys: false };
}

/** A wording whose last word is there already is left out. */
const applied = (core: string, list: readonly Wording[]): string[] =>
  list
    .filter(([pattern]) => !core.split(' ').includes(pattern.match(/\p{L}+/gu)!.at(-1)!))
    .map(([pattern]) => pattern.replace('*', () => core));

const withTails = (phrases: readonly string[]): string[] =>
  tails.flatMap(([tail]) => phrases.map((phrase) => tail.replace('*', () => phrase)));

/** The more words, the fewer people. */
const mostSearched = (core: string): number =>
  (2_000 + (draw(core) % 18_000)) / core.split(/\s+/u).length ** 1.5;

const GOOGLE_STEPS = [10, 20, 30, 40, 50, 70, 90, 110, 140, 170, 210, 260, 320, 390, 480, 590, 720, 880];

/** Google tells demand in steps of about a fifth. */
function asGoogleRounds(volume: number): number {
  let scale = 1;
  while (volume / scale >= 1_000) scale *= 10;
  return (GOOGLE_STEPS.findLast((step) => step <= volume / scale) ?? 0) * scale;
}

/** Words that cannot be pronounced have no searches. */
const isGibberish = (phrase: string): boolean =>
  (phrase.match(/\p{L}{4,}/gu) ?? []).some((word) => {
    const vowels = word.match(/[аеёиоуыэюяaeiouy]/giu)?.length ?? 0;
    return vowels / word.length < 0.15;
  });
