import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import type { Log } from '../log.ts';
import { createSupplier, type Supplier, SupplierFailed } from './http/supplier.ts';

export type TelegraphNode = string | TelegraphElement;
export type TelegraphElement = {
  tag: string;
  attrs?: { href?: string; src?: string };
  children?: TelegraphNode[];
};

export type TelegraphOptions = {
  baseUrl: string;
  /** Of an account that is there already; without one an account is made and its token kept in the cache. */
  accessToken?: string | undefined;
  cache: Pick<KeyValueStore, 'get' | 'set' | 'delete'>;
  log: Log;
  timeoutMs?: number;
  waitMs?: (repeat: number) => number;
  /** A longer wait than this is not worth a preview. */
  mostFloodWaitMs?: number;
};
export type TelegraphPage = { url: string; path: string };

const TOKEN_KEY = 'telegraph:access_token';
// Without its token a page can never be erased: it outlives every page.
const TOKEN_TTL_SECONDS = 20 * 365 * 24 * 3_600;
const TITLE_LENGTH = 256;
const AUTHOR_LENGTH = 128;
const SHORT_NAME = 'SEO Master';

/** Telegraph cannot delete, and it takes no page without a word on it. */
const erased = {
  title: 'Предпросмотр удалён',
  content: [{ tag: 'p', children: ['Страница больше не доступна.'] }],
};

const page = z.object({ url: z.url({ protocol: /^https?$/u }), path: z.string().min(1) });
const account = z.object({ access_token: z.string().min(1) });
const envelope = z.object({ ok: z.boolean(), result: z.unknown().optional(), error: z.string().optional() });

/** Telegraph's own no: it did nothing. */
class TelegraphRefused extends SupplierFailed {
  readonly reason: string;
  constructor(reason: string) {
    super('Telegraph', `refused: ${reason}`);
    this.reason = reason;
  }
}

/** Pages for previews. A failure is logged and null, or false. */
export function createTelegraph({
  baseUrl,
  accessToken,
  cache,
  log,
  timeoutMs = 15_000,
  waitMs = (repeat) => 1_000 * 2 ** repeat,
  mostFloodWaitMs = 10_000,
}: TelegraphOptions) {
  const supplier = createSupplier({ name: 'Telegraph', baseUrl, timeoutMs, waitMs });
  let beingMade: Promise<string> | null = null;
  return { createPage, clearPage };

  async function createPage(
    { title, authorName, nodes }: { title: string; authorName: string; nodes: TelegraphNode[] },
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<TelegraphPage | null> {
    const request = {
      title: cut(title, TITLE_LENGTH),
      author_name: cut(authorName, AUTHOR_LENGTH),
      content: nodes,
    };
    try {
      const made = await withToken((token) =>
        call('once', '/createPage', { access_token: token, ...request }, signal),
      );
      return page.parse(made);
    } catch (err) {
      signal?.throwIfAborted();
      log.warn({ err }, 'Telegraph made no page');
      return null;
    }
  }

  /** Leaves a page that says it is gone. May be repeated: the second time changes nothing. */
  async function clearPage(path: string, { signal }: { signal?: AbortSignal } = {}): Promise<boolean> {
    try {
      const token = accessToken ?? (await cache.get(TOKEN_KEY));
      if (!token) throw new TelegraphRefused('the token of the account is lost');
      const request = { access_token: token, author_name: '', ...erased };
      await call('read', `/editPage/${encodeURIComponent(path)}`, request, signal);
      return true;
    } catch (err) {
      signal?.throwIfAborted();
      log.warn({ err, path }, 'Telegraph did not erase a page');
      return false;
    }
  }

  /** A token of ours that stopped being valid is replaced once; the one in the settings is not ours to replace. */
  async function withToken<Result>(work: (token: string) => Promise<Result>): Promise<Result> {
    if (accessToken) return work(accessToken);
    const token = await ownToken();
    try {
      return await work(token);
    } catch (error) {
      if (!(error instanceof TelegraphRefused) || error.reason !== 'ACCESS_TOKEN_INVALID') throw error;
      // Another caller that was refused may have stored a good one already.
      if ((await cache.get(TOKEN_KEY)) === token) await cache.delete(TOKEN_KEY);
      return work(await ownToken());
    }
  }

  async function ownToken(): Promise<string> {
    const kept = await cache.get(TOKEN_KEY);
    if (kept) return kept;
    beingMade ??= makeAccount().finally(() => {
      beingMade = null;
    });
    return beingMade;
  }

  async function makeAccount(): Promise<string> {
    const made = account.parse(await call('once', '/createAccount', { short_name: SHORT_NAME }));
    await cache.set(TOKEN_KEY, made.access_token, TOKEN_TTL_SECONDS);
    // Another process may have made one at the same moment: all processes use the one that stayed.
    return (await cache.get(TOKEN_KEY)) ?? made.access_token;
  }

  /** A flood wait is a refusal: nothing was made, so a call that creates may be sent again after it. */
  async function call(
    manner: keyof Pick<Supplier, 'once' | 'read'>,
    path: string,
    json: object,
    signal?: AbortSignal,
  ): Promise<unknown> {
    try {
      return resultOf(await supplier[manner](path, { json, signal }));
    } catch (error) {
      const wait = error instanceof TelegraphRefused ? floodWaitMs(error.reason) : null;
      if (wait === null || wait > mostFloodWaitMs) throw error;
      await sleep(wait, undefined, { signal });
      return resultOf(await supplier[manner](path, { json, signal }));
    }
  }
}

function resultOf({ body }: { body: Buffer }): unknown {
  const answer = envelope.parse(JSON.parse(body.toString('utf8')));
  if (!answer.ok) throw new TelegraphRefused(answer.error ?? 'no reason given');
  return answer.result;
}

function floodWaitMs(reason: string): number | null {
  const seconds = /^FLOOD_WAIT_(\d+)$/u.exec(reason)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}

/** By letters: half of an emoji is none. */
const cut = (text: string, most: number): string => [...text.trim()].slice(0, most).join('');
