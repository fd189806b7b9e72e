import type { z } from 'zod';
import type { FetchCall, FetchedPage, GuardedFetch } from '../../clients/http/guarded-fetch.ts';
import { doubling, MOST_WAIT_MS, repeat } from '../../clients/http/repeat.ts';
import { WordPressFailed } from './client-failed.ts';
import { networkFailure, parseJson, refusalOf, unreadable } from './client-refusal.ts';

export type Access = { restRoot: string; login: string; appPassword: string };

type WordPressCall = {
  method?: 'GET' | 'POST' | 'DELETE';
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  /** Sent as it is, with its own headers. */
  body?: Uint8Array;
  headers?: Readonly<Record<string, string>>;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
};

export type RequestOptions = {
  fetch: GuardedFetch;
  /** Of a read, beyond the first try. */
  retries?: number;
  waitMs?: (repeat: number) => number;
};

export type WordPressRequest = ReturnType<typeof makeRequest>['request'];

/** One call of a site's REST API with a person's application password. Reads are repeated, nothing else is. */
export function makeRequest({ fetch, retries = 2, waitMs = doubling }: RequestOptions) {
  return { request, requestPart };

  async function request<Answer>(
    access: Access,
    path: string,
    shape: z.ZodType<Answer>,
    call: WordPressCall = {},
  ): Promise<Answer> {
    return (await answered(access, path, shape, call)).answer;
  }

  /** Of a list, with how long the whole of it is. */
  async function requestPart<Item>(
    access: Access,
    path: string,
    shape: z.ZodType<Item[]>,
    call: WordPressCall,
  ): Promise<{ items: Item[]; total: number }> {
    const { answer: items, headers } = await answered(access, path, shape, call);
    const total = Number(headers['x-wp-total']);
    // A proxy may have dropped the header: then what came is all there is to know of.
    return { items, total: Number.isSafeInteger(total) ? total : items.length };
  }

  async function answered<Answer>(
    access: Access,
    path: string,
    shape: z.ZodType<Answer>,
    call: WordPressCall,
  ): Promise<{ answer: Answer; headers: FetchedPage['headers'] }> {
    const method = call.method ?? 'GET';
    const isWrite = method !== 'GET';
    const what = `${method} ${path}`;
    const url = endpoint(access.restRoot, path, call.query);
    const page = await repeat(() => asked(url, { ...sent(access, call), method }, what, isWrite), {
      retries: isWrite ? 0 : retries,
      waitMs,
      mostWaitMs: MOST_WAIT_MS,
      signal: call.signal,
      mayPass,
    });
    const answer = shape.safeParse(parseJson(page.body));
    if (!answer.success) throw unreadable(page, what, isWrite);
    return { answer: answer.data, headers: page.headers };
  }

  async function asked(url: string, call: FetchCall, what: string, isWrite: boolean): Promise<FetchedPage> {
    const page = await fetch(url, call).catch((error: unknown) => {
      throw networkFailure(error, what, isWrite);
    });
    if (page.status < 200 || page.status > 299) throw refusalOf(page, what, isWrite);
    return page;
  }
}

/** `root` ends in `/wp-json/`, or in `?rest_route=/` where addresses are not rewritten. */
export function endpoint(root: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(root);
  if (url.searchParams.has('rest_route')) url.searchParams.set('rest_route', `/${path}`);
  else url.pathname += path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** The front page of a site, from the address of its API. */
export const homeOf = (restRoot: string): string => restRoot.replace(/(?:wp-json\/|\?rest_route=\/)$/u, '');

function sent({ login, appPassword }: Access, call: WordPressCall): FetchCall {
  const { json, body, headers, timeoutMs, signal } = call;
  const password = appPassword.replace(/\s+/gu, ''); // shown in groups of four; the blanks mean nothing
  return {
    headers: {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined ? { body: JSON.stringify(json) } : body && { body }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    signal,
  };
}

/** What took all its time once will take it again; a person may be waiting. */
function mayPass(error: unknown): false | { retryAfterSec: number | null } {
  if (!(error instanceof WordPressFailed)) return false;
  const passing = ['unreachable', 'busy', 'broken'].includes(error.fault);
  const { retryAfterMs } = error.report;
  return passing && { retryAfterSec: retryAfterMs === undefined ? null : retryAfterMs / 1_000 };
}
