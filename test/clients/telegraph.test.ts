import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTelegraph, type TelegraphOptions } from '../../src/clients/telegraph.ts';
import type { KeyValueStore } from '../../src/engine/key-value-store.ts';
import type { Fault } from '../../src/sandbox/faults.ts';
import { startTelegraphStandIn, type TelegraphStandIn } from '../../src/sandbox/telegraph/start.ts';
import { createMemoryKeyValueStore } from '../../src/store/key-value-memory.ts';

const TOKEN_KEY = 'telegraph:access_token';
const article = {
  title: 'Как выбрать окна',
  authorName: 'Окна Плюс',
  nodes: [{ tag: 'p', children: ['Начните с замера.'] }],
};

let service: TelegraphStandIn;
let cache: KeyValueStore;
let warnings: Record<string, unknown>[];

beforeEach(async () => {
  service = await startTelegraphStandIn();
  cache = createMemoryKeyValueStore();
  warnings = [];
});
afterEach(() => service.close());

const client = (options: Partial<TelegraphOptions> = {}) =>
  createTelegraph({
    baseUrl: service.url,
    cache,
    log: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) }),
    waitMs: () => 1,
    ...options,
  });
const fail = (match: string, times: number | null, fault: Fault) =>
  service.faults.add({ match, times, fault });
const refusing = (error: string): Fault => ({ kind: 'status', status: 200, body: { ok: false, error } });
const ownPages = async () => service.pages.pagesOf((await cache.get(TOKEN_KEY)) ?? '');

describe('a preview page', () => {
  it('is made, and opens in a browser', async () => {
    const page = await client().createPage(article);
    expect(page?.path).toMatch(/^Kak-vybrat-okna-\d\d-\d\d$/u);
    expect(await (await fetch(page!.url)).text()).toContain('<p>Начните с замера.</p>');
  });

  it('belongs to one account, however many are made at once', async () => {
    const telegraph = client();
    await Promise.all([1, 2, 3].map(() => telegraph.createPage(article)));
    await client().createPage(article);
    expect(await ownPages()).toHaveLength(4);
  });

  it('belongs to the account of the settings, if they name one', async () => {
    const { token } = service.pages.openAccount('ours', '');
    await client({ accessToken: token }).createPage(article);
    expect(service.pages.pagesOf(token)).toHaveLength(1);
    expect(await cache.get(TOKEN_KEY)).toBeNull();
  });

  it('gets an account anew when the old token is no longer known', async () => {
    await cache.set(TOKEN_KEY, 'forgotten', 60);
    const telegraph = client();
    await Promise.all([1, 2, 3].map(() => telegraph.createPage(article)));
    expect(await ownPages()).toHaveLength(3);
  });

  it('is not made with a wrong token of the settings', async () => {
    expect(await client({ accessToken: 'wrong' }).createPage(article)).toBeNull();
    expect(JSON.stringify(warnings)).toContain('ACCESS_TOKEN_INVALID');
  });

  it('has its title and author cut to what Telegraph takes', async () => {
    await client().createPage({ ...article, title: '🪟'.repeat(300), authorName: 'я'.repeat(300) });
    const [page] = await ownPages();
    expect([...page!.title]).toHaveLength(256);
    expect(page!.authorName).toHaveLength(128);
  });

  it('waits out a short flood wait', async () => {
    fail('createPage', 1, refusing('FLOOD_WAIT_0'));
    expect(await client().createPage(article)).not.toBeNull();
    expect(await ownPages()).toHaveLength(1);
  });

  it('does not wait long: a preview is not worth it (E05)', async () => {
    fail('createPage', 1, refusing('FLOOD_WAIT_7'));
    expect(await client({ mostFloodWaitMs: 5_000 }).createPage(article)).toBeNull();
    expect(await ownPages()).toEqual([]);
  });

  it('is not sent again when its answer was lost: the first may exist', async () => {
    fail('createPage', 1, { kind: 'reset-after' });
    expect(await client().createPage(article)).toBeNull();
    expect(await ownPages()).toHaveLength(1);
  });

  it.each<[string, Fault]>([
    ['is down', { kind: 'status', status: 502 }],
    ['refuses', refusing('CONTENT_TOO_BIG')],
    ['never answers', { kind: 'hang' }],
    ['answers no JSON', { kind: 'malformed' }],
    [
      'leads to no web page',
      { kind: 'status', status: 200, body: { ok: true, result: { url: 'javascript:1', path: 'x' } } },
    ],
  ])('is null with a warning when Telegraph %s (E05)', async (_, fault) => {
    fail('createPage', null, fault);
    expect(await client({ timeoutMs: 100 }).createPage(article)).toBeNull();
    expect(warnings).toEqual([expect.objectContaining({ msg: 'Telegraph made no page' })]);
  });

  it('is null when no account can be made (E05)', async () => {
    fail('createAccount', null, { kind: 'status', status: 500 });
    expect(await client().createPage(article)).toBeNull();
    expect(warnings).toHaveLength(1);
  });

  it('is null when the store of the token is away (E05)', async () => {
    const away = () => Promise.reject(new Error('connection refused'));
    expect(await client({ cache: { get: away, set: away, delete: away } }).createPage(article)).toBeNull();
  });
});

describe('a preview that is over', () => {
  it('is emptied', async () => {
    const telegraph = client();
    const page = await telegraph.createPage(article);
    expect(await telegraph.clearPage(page!.path)).toBe(true);
    const shown = await (await fetch(page!.url)).text();
    expect(shown).not.toMatch(/окна|замера|Окна Плюс/u);
  });

  it('is tried again, because emptying twice is emptying', async () => {
    const telegraph = client();
    const page = await telegraph.createPage(article);
    fail('editPage', 1, { kind: 'reset-after' });
    expect(await telegraph.clearPage(page!.path)).toBe(true);
  });

  it.each<[string, Fault]>([
    ['is down', { kind: 'status', status: 503 }],
    ['refuses', refusing('PAGE_ACCESS_DENIED')],
  ])('stays, with a warning, when Telegraph %s', async (_, fault) => {
    const telegraph = client();
    const page = await telegraph.createPage(article);
    fail('editPage', null, fault);
    expect(await telegraph.clearPage(page!.path)).toBe(false);
    expect(warnings).toEqual([expect.objectContaining({ path: page!.path })]);
  });

  it('stays when its token is lost: a new account could not empty it', async () => {
    const telegraph = client();
    const page = await telegraph.createPage(article);
    await cache.delete(TOKEN_KEY);
    expect(await telegraph.clearPage(page!.path)).toBe(false);
    expect(await cache.get(TOKEN_KEY)).toBeNull();
  });
});
