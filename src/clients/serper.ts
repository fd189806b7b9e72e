import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import type { Log } from '../log.ts';
import { createSupplier } from './http/supplier.ts';

export type SerperOptions = {
  baseUrl: string;
  apiKey: string;
  log: Log;
  cache: Pick<KeyValueStore, 'get' | 'set'>;
  timeoutMs?: number;
  retries?: number;
  waitMs?: (repeat: number) => number;
};

export type SearchResults = z.infer<typeof searchResults>;
/** What Google shows for the query in Russian; null when it could not be asked (E04), and then the log has it. */
export type SearchWeb = (query: string, call?: { signal?: AbortSignal }) => Promise<SearchResults | null>;

/** Google's Russia has come back empty in practice; its Ukraine answers in Russian too. */
const COUNTRIES = ['ru', 'ua'] as const;
const RESULTS = 10;
const DEEP_RESULTS = 100;
const CACHE_SECONDS = 24 * 60 * 60;

const searchResults = z.object({
  organic: z.array(z.object({ title: z.string(), link: z.string(), snippet: z.string() })),
  questions: z.array(z.object({ question: z.string(), snippet: z.string() })),
  related: z.array(z.string()),
});

const text = z.string().nullish();
const answer = z.object({
  organic: z.array(z.object({ title: text, link: text, snippet: text })).nullish(),
  peopleAlsoAsk: z.array(z.object({ question: text, snippet: text })).nullish(),
  relatedSearches: z.array(z.object({ query: text })).nullish(),
});

export function createSerper({
  baseUrl,
  apiKey,
  log,
  cache,
  timeoutMs = 10_000,
  retries = 1,
  waitMs,
}: SerperOptions): { search: SearchWeb; addressesFor(query: string): Promise<string[] | null> } {
  const supplier = createSupplier({
    name: 'Serper',
    baseUrl,
    headers: { 'x-api-key': apiKey },
    timeoutMs,
    retries,
    ...(waitMs && { waitMs }),
  });
  return { search, addressesFor };

  /** The first hundred addresses, in order, as they are now; null when Google could not be asked. */
  async function addressesFor(query: string): Promise<string[] | null> {
    try {
      const json = { q: query, num: DEEP_RESULTS, gl: COUNTRIES[0], hl: 'ru' };
      const { organic } = answer.parse(await supplier.json('/search', { json, signal: undefined }));
      return (organic ?? []).flatMap(({ link }) => link ?? []);
    } catch (err) {
      log.warn({ err, query }, 'positions could not be looked up');
      return null;
    }
  }

  async function search(query: string, { signal }: { signal?: AbortSignal } = {}) {
    const key = `serper:${createHash('md5').update(query.trim().toLowerCase()).digest('hex')}`;
    const known = await recall(key);
    if (known) return known;
    try {
      const found = await ask(query, signal);
      if (!isEmpty(found)) await keep(key, found);
      return found;
    } catch (err) {
      signal?.throwIfAborted();
      log.warn({ err, query }, 'the web could not be searched');
      return null;
    }
  }

  async function ask(query: string, signal: AbortSignal | undefined): Promise<SearchResults> {
    let found: SearchResults = { organic: [], questions: [], related: [] };
    for (const gl of COUNTRIES) {
      const json = { q: query, num: RESULTS, gl, hl: 'ru' };
      found = toResults(answer.parse(await supplier.json('/search', { json, signal })));
      if (!isEmpty(found)) break;
    }
    return found;
  }

  // The cache saves money, nothing else: without it the search goes on.
  async function recall(key: string): Promise<SearchResults | null> {
    try {
      const kept = await cache.get(key);
      return kept === null ? null : searchResults.parse(JSON.parse(kept));
    } catch (err) {
      log.warn({ err, key }, 'the cache of searches could not be read');
      return null;
    }
  }

  async function keep(key: string, found: SearchResults): Promise<void> {
    try {
      await cache.set(key, JSON.stringify(found), CACHE_SECONDS);
    } catch (err) {
      log.warn({ err, key }, 'a search could not be cached');
    }
  }
}

/** Results without an address or a text are dropped. */
function toResults({ organic, peopleAlsoAsk, relatedSearches }: z.infer<typeof answer>): SearchResults {
  return {
    organic: (organic ?? []).flatMap(({ title, link, snippet }) =>
      title && link ? { title, link, snippet: snippet ?? '' } : [],
    ),
    questions: (peopleAlsoAsk ?? []).flatMap(({ question, snippet }) =>
      question ? { question, snippet: snippet ?? '' } : [],
    ),
    related: (relatedSearches ?? []).flatMap(({ query }) => query || []),
  };
}

const isEmpty = ({ organic, questions }: SearchResults): boolean => organic.length + questions.length === 0;
