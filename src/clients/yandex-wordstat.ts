import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import { z } from 'zod';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import type { Log } from '../log.ts';
import { isYandexMarket, RUSSIA, yandexRegionOf } from '../markets.ts';
import type { NoteCost } from '../services/ai/ask.ts';
import type {
  Asking,
  FoundPhrases,
  KeywordData,
  PhraseData,
  Places,
  Season,
} from '../services/keywords/keyword-data.ts';
import { cached } from './cached.ts';
import { createSupplier } from './http/supplier.ts';

export type WordstatOptions = {
  /** As `https://searchapi.api.cloud.yandex.net`. */
  baseUrl: string;
  apiKey: string;
  folderId: string;
  cache: Pick<KeyValueStore, 'get' | 'set'>;
  log: Log;
  noteCost?: NoteCost;
  timeoutMs?: number;
  waitMs?: (repeat: number) => number;
  now?: () => Date;
};

const MONTH_SECONDS = 30 * 24 * 60 * 60;
/** Of the 2,000 that one answer may hold: enough for a category, and small enough to keep for a month. */
const PHRASES = 500;
/** A hundred requests an hour are all there are, for everybody: one list may not use them up. */
const MOST_REQUESTS = 12;
const MOST_AT_ONCE = 3;
const SEASON_MONTHS = 12;
/** About 20 roubles for a thousand. */
const COST_USD = 0.0002;

/** Counts are strings on the wire. */
const count = z.coerce.number().int().nonnegative().catch(0);
const counted = z.array(z.object({ phrase: z.string(), count }));
const topAnswer = z.object({
  totalCount: count,
  results: counted.catch([]),
  associations: counted.catch([]),
});
type Top = z.infer<typeof topAnswer>;
const dynamicsAnswer = z.object({ results: z.array(z.object({ date: z.string(), count })).catch([]) });
const regionsAnswer = z.object({
  results: z.array(
    z.object({ region: z.coerce.number(), count, affinityIndex: z.coerce.number().catch(100) }),
  ),
});
const places = z.array(z.object({ market: z.number(), count: z.number(), affinity: z.number() }));
const season = z.array(z.object({ month: z.number().int().min(1).max(12), count: z.number() }));

/**
 * What people ask Yandex: phrases with their demand in a region of Russia, and their season. Every answer is kept for
 * a month by phrase and region. A failure is logged and null.
 */
export function createWordstat({
  baseUrl,
  apiKey,
  folderId,
  cache,
  log,
  noteCost,
  timeoutMs = 20_000,
  waitMs = (repeat) => 1_000 * 2 ** repeat,
  now = () => new Date(),
}: WordstatOptions): KeywordData & { season: Season; places: Places } {
  const supplier = createSupplier({
    name: 'Wordstat',
    baseUrl,
    headers: { authorization: `Api-key ${apiKey}` },
    timeoutMs,
    // A limit by the hour does not pass in seconds.
    retries: 1,
    waitMs,
    mostWaitMs: 3_000,
  });
  const queue = new PQueue({ concurrency: MOST_AT_ONCE });
  return { suggestions, related, volumes, season: seasonOf, places: placesOf };

  async function suggestions(seeds: readonly string[], asking: Asking): Promise<FoundPhrases | null> {
    return gathered(seeds, asking, ({ results }) => results);
  }

  async function related(phrases: readonly string[], asking: Asking): Promise<FoundPhrases | null> {
    return gathered(phrases.slice(0, MOST_REQUESTS), asking, ({ associations }) => associations);
  }

  async function gathered(
    seeds: readonly string[],
    asking: Asking,
    take: (top: Top) => Top['results'],
  ): Promise<FoundPhrases | null> {
    const region = regionOf(asking);
    const tops = await Promise.all(seeds.map((seed) => topOf(seed, region, asking)));
    if (tops.length > 0 && tops.every((top) => top === null)) return null;
    const phrases = tops.flatMap((top) => (top ? take(top).map((each) => toPhrase(each, region)) : []));
    return { market: phrases.length > 0 ? region : null, phrases };
  }

  /**
   * One answer about a short phrase tells the demand of all longer ones that contain it. So the shortest one that is
   * still unknown is asked about next, and a list of two hundred takes a dozen requests instead of two hundred.
   */
  async function volumes(phrases: readonly string[], asking: Asking): Promise<FoundPhrases | null> {
    const region = regionOf(asking);
    const waiting = new Map(phrases.map((phrase) => [keyOf(phrase), phrase]));
    const found: PhraseData[] = [];
    let answered = waiting.size === 0;
    for (let requests = 0; requests < MOST_REQUESTS && waiting.size > 0; requests += 1) {
      const [key, next] = [...waiting].toSorted(([, one], [, other]) => one.length - other.length)[0]!;
      const top = await topOf(next, region, asking);
      if (!top) break;
      answered = true;
      waiting.delete(key);
      if (top.totalCount > 0) found.push(toPhrase({ phrase: next, count: top.totalCount }, region));
      for (const { phrase, count: demand } of [...top.results, ...top.associations]) {
        const given = waiting.get(keyOf(phrase));
        if (given === undefined) continue;
        waiting.delete(keyOf(phrase));
        found.push(toPhrase({ phrase: given, count: demand }, region));
      }
    }
    return answered ? { market: found.length > 0 ? region : null, phrases: found } : null;
  }

  function topOf(phrase: string, region: number, { userId, signal }: Asking): Promise<Top | null> {
    return remembered(`wordstat:top:${region}:${hashOf(phrase)}`, phrase, topAnswer, () =>
      asked('topRequests', { phrase, numPhrases: PHRASES }, region, userId, signal, (answer) =>
        topAnswer.parse(answer),
      ),
    );
  }

  /** The last twelve whole months, the oldest first. */
  function seasonOf(phrase: string, { userId, market, signal }: Asking) {
    const region = market ?? regionOf({ userId });
    return remembered(`wordstat:season:${region}:${hashOf(phrase)}`, phrase, season, async () => {
      const { from, to } = lastMonths(now());
      const request = { phrase, period: 'PERIOD_MONTHLY', fromDate: from, toDate: to };
      const found = await asked('dynamics', request, region, userId, signal, (answer) =>
        dynamicsAnswer.parse(answer).results.map(({ date, count: demand }) => ({
          month: new Date(date).getUTCMonth() + 1,
          count: demand,
        })),
      );
      return found && found.length > 0 ? found.slice(-SEASON_MONTHS) : null;
    });
  }

  /** Of all cities those that have a name here. */
  function placesOf(phrase: string, { userId, signal }: Asking) {
    return remembered(`wordstat:places:${hashOf(phrase)}`, phrase, places, async () => {
      const found = await asked(
        'regions',
        { phrase, region: 'REGION_CITIES' },
        null,
        userId,
        signal,
        (answer) =>
          regionsAnswer
            .parse(answer)
            .results.filter(({ region, count: demand }) => isCity(region) && demand > 0)
            .map(({ region, count: demand, affinityIndex }) => ({
              market: region,
              count: demand,
              affinity: Math.round(affinityIndex),
            }))
            .toSorted((one, other) => other.count - one.count),
      );
      return found && found.length > 0 ? found : null;
    });
  }

  async function asked<Answer>(
    call: 'topRequests' | 'dynamics' | 'regions',
    request: object,
    region: number | null,
    userId: number,
    signal: AbortSignal | undefined,
    read: (answer: unknown) => Answer,
  ): Promise<Answer | null> {
    const within = region === null ? {} : { regions: [String(region)] };
    const json = { ...request, ...within, devices: ['DEVICE_ALL'], folderId };
    try {
      const answer = await queue.add(() => supplier.json(`/v2/wordstat/${call}`, { json, signal }), {
        signal,
      });
      const description = `Вордстат: ${call}`;
      await noteCost?.({ userId, operation: 'api_yandex', costUsd: COST_USD, description }).catch((err) =>
        log.error({ err, call, userId }, 'the cost of keyword data could not be noted'),
      );
      return read(answer);
    } catch (err) {
      signal?.throwIfAborted();
      log.warn({ err, call, region }, 'Wordstat did not answer');
      return null;
    }
  }

  function remembered<Value>(
    key: string,
    of: string,
    schema: z.ZodType<Value>,
    ask: () => Promise<Value | null>,
  ) {
    return cached({ cache, log, key, of, ttlSeconds: MONTH_SECONDS, schema }, ask);
  }
}

const regionOf = ({ market, place = '' }: Asking): number => market ?? yandexRegionOf(place);

const isCity = (region: number): boolean => isYandexMarket(region) && region !== RUSSIA;

const keyOf = (phrase: string): string => phrase.trim().toLowerCase().replaceAll('ё', 'е');
const hashOf = (phrase: string): string => createHash('md5').update(keyOf(phrase)).digest('hex');

/** Wordstat knows neither difficulty nor prices: what a phrase is for is told by its words. */
const toPhrase = ({ phrase, count: volume }: Top['results'][number], market: number): PhraseData => ({
  phrase,
  volume,
  difficulty: null,
  cpc: null,
  intent: buys.test(phrase) ? 'commercial' : 'informational',
  market,
});

const buys =
  /(?:^|\s)(?:куп|заказ|цен|стоимост|прайс|недорог|дешев|дёшев|достав|магазин|рассрочк|скидк|услуг|аренд|под ключ)/iu;

/** From the first day of the month a year ago to the last day of the month before this one. */
function lastMonths(today: Date): { from: string; to: string } {
  const from = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - SEASON_MONTHS, 1));
  const to = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 0, 23, 59, 59));
  return { from: wireDate(from), to: wireDate(to) };
}

const wireDate = (at: Date): string => at.toISOString().replace('.000Z', 'Z');
