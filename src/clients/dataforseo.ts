import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { Log } from '../log.ts';
import type { NoteCost } from '../services/ai/ask.ts';
import type { Asking, FoundPhrases, KeywordData, PhraseData } from '../services/keywords/keyword-data.ts';
import { envelope, OK, readers, verdictOf } from './dataforseo-answers.ts';
import { createSupplier, SupplierFailed } from './http/supplier.ts';

export type DataForSeoOptions = {
  /** Ends with `/v3`. */
  baseUrl: string;
  login: string;
  password: string;
  log: Log;
  noteCost?: NoteCost;
  /** Location codes, in the order in which they are asked. */
  markets?: readonly number[];
  timeoutMs?: number;
  retries?: number;
  waitMs?: (repeat: number) => number;
};

/** No Russian or Belarusian location is served; these two search in Russian too. */
export const UKRAINE = 2804;
export const KAZAKHSTAN = 2398;

const MOST_AT_ONCE = 5;
const BATCH = 700;
const USUAL_COST_USD = 0.01;

const calls = {
  suggestions: {
    path: '/dataforseo_labs/google/keyword_suggestions/live',
    fields: { limit: 200 },
    read: readers.suggestions,
  },
  related: {
    path: '/dataforseo_labs/google/related_keywords/live',
    fields: { depth: 2, limit: 100 },
    read: readers.related,
  },
  volumes: {
    path: '/keywords_data/google_ads/search_volume/live',
    fields: { sort_by: 'search_volume' },
    read: readers.volumes,
  },
} as const;
type Call = (typeof calls)[keyof typeof calls];

const NO_RESULTS = 40_102;
const INVALID_FIELD = 40_501;
/** Too often, too many at once; from 50000 on the trouble is theirs. All of it comes with HTTP 200. */
const mayPass = (code: number): boolean => code === 40_202 || code === 40_209 || code >= 50_000;

export function createDataForSeo({
  baseUrl,
  login,
  password,
  log,
  noteCost,
  markets = [UKRAINE, KAZAKHSTAN],
  timeoutMs = 30_000,
  retries = 2,
  waitMs = (repeat) => 1_000 * 2 ** repeat,
}: DataForSeoOptions): KeywordData {
  const supplier = createSupplier({
    name: 'DataForSEO',
    baseUrl,
    headers: { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` },
    timeoutMs,
    retries,
    waitMs,
  });
  const queue = new PQueue({ concurrency: MOST_AT_ONCE });

  return {
    suggestions: (seeds, asking) =>
      inFirstMarketThatKnows(asking, (market) =>
        seeds.map((keyword) => phrasesOf(calls.suggestions, { keyword }, market, asking)),
      ),
    related: (phrases, asking) =>
      inFirstMarketThatKnows(asking, (market) =>
        phrases.map((keyword) => phrasesOf(calls.related, { keyword }, market, asking)),
      ),
    volumes,
  };

  /** Phrases go out as the supplier takes them and come back as they were given. */
  function volumes(phrases: readonly string[], asking: Asking): Promise<FoundPhrases | null> {
    const spellings = new Map<string, string[]>();
    for (const phrase of phrases) {
      const plain = sendable(phrase);
      if (plain !== null) spellings.set(plain, [...(spellings.get(plain) ?? []), phrase]);
    }
    const asGiven = (data: PhraseData): PhraseData[] =>
      (spellings.get(data.phrase.toLowerCase()) ?? []).map((phrase) => ({ ...data, phrase }));
    return inFirstMarketThatKnows(asking, (market) =>
      batchesOf([...spellings.keys()], BATCH).map(async (keywords) => {
        const found = await phrasesOf(calls.volumes, { keywords }, market, asking);
        return found?.flatMap(asGiven) ?? null;
      }),
    );
  }

  /** Volumes of two countries do not compare, so one market answers for the whole list. */
  async function inFirstMarketThatKnows(
    { market: fixed }: Asking,
    askAll: (market: number) => Promise<PhraseData[] | null>[],
  ): Promise<FoundPhrases | null> {
    let found: FoundPhrases | null = null;
    for (const market of fixed ? [fixed] : markets) {
      const batches = await Promise.all(askAll(market));
      if (batches.length > 0 && batches.every((batch) => batch === null)) return found;
      const phrases = batches.flatMap((batch) => batch ?? []);
      if (phrases.length > 0) return { market, phrases };
      found = { market: null, phrases };
    }
    return found;
  }

  /** Null: the call failed, and the log has it. */
  async function phrasesOf(
    { path, fields, read }: Call,
    about: { keyword: string } | { keywords: string[] },
    market: number,
    { userId, signal }: Asking,
  ): Promise<PhraseData[] | null> {
    const task = { ...about, location_code: market, language_code: 'ru', ...fields };
    try {
      return await queue.add(async () => read(await resultOf(path, task, userId, signal)), { signal });
    } catch (err) {
      signal?.throwIfAborted();
      log.warn({ err, path, market }, 'keyword data did not come');
      return null;
    }
  }

  async function resultOf(
    path: string,
    task: object,
    userId: number,
    signal: AbortSignal | undefined,
  ): Promise<unknown[]> {
    for (let repeat = 0; ; repeat += 1) {
      const answer = envelope.parse(await supplier.json(path, { json: [task], signal }));
      await keepCost(answer.cost ?? USUAL_COST_USD, path, userId);
      const { code, message } = verdictOf(answer);
      if (code === OK) return answer.tasks?.[0]?.result ?? [];
      if (code === NO_RESULTS) return [];
      if (code === INVALID_FIELD && message.includes('location')) {
        log.warn({ path, code, message }, 'a market is not served');
        return [];
      }
      if (repeat >= retries || !mayPass(code)) {
        throw new SupplierFailed('DataForSEO', `answered ${code}: ${message}`);
      }
      await sleep(waitMs(repeat), undefined, { signal });
    }
  }

  async function keepCost(costUsd: number, path: string, userId: number): Promise<void> {
    if (costUsd === 0) return;
    try {
      await noteCost?.({ userId, operation: 'api_dataforseo', costUsd, description: path });
    } catch (err) {
      log.error({ err, costUsd, path, userId }, 'a cost was not noted'); // the data is bought: use it
    }
  }
}

const MOST_CHARS = 80;
const MOST_WORDS = 10;

/** One phrase that Google Ads refuses fails its whole batch. Null: nothing can be known about it. */
function sendable(phrase: string): string | null {
  const plain = phrase
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s.\-+'&#]|[\u{10000}-\u{10ffff}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const fits = plain.length <= MOST_CHARS && plain.split(' ').length <= MOST_WORDS;
  return plain !== '' && fits ? plain : null;
}

function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}
