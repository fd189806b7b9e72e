import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSerper, type SerperOptions } from '../../src/clients/serper.ts';
import { startSerperStandIn } from '../../src/sandbox/serper/start.ts';
import type { StandIn } from '../../src/sandbox/stand-in.ts';
import { createMemoryKeyValueStore } from '../../src/store/key-value-memory.ts';

let service: StandIn;
let warnings: Record<string, unknown>[];
let cache: SerperOptions['cache'];
let now: number;

beforeEach(async () => {
  service = await startSerperStandIn({ apiKey: 'key' });
  warnings = [];
  now = 0;
  cache = createMemoryKeyValueStore(() => now);
});
afterEach(() => service.close());

const client = (options: Partial<SerperOptions> = {}) =>
  createSerper({
    baseUrl: service.url,
    apiKey: 'key',
    log: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) }),
    cache,
    waitMs: () => 1,
    ...options,
  });
const fail = (times: number | null, fault: Parameters<StandIn['faults']['add']>[0]['fault']) =>
  service.faults.add({ match: 'search', times, fault });
const nothing = {
  kind: 'status',
  status: 200,
  body: { searchParameters: {}, organic: [], credits: 1 },
} as const;

describe('a search of the web', () => {
  it('brings pages, questions and related searches', async () => {
    const found = await client().search('ремонт квартир');
    expect(found?.organic).toHaveLength(10);
    expect(found?.organic[0]).toEqual({
      title: 'Ремонт квартир: полное руководство для тех, кто выбирает впервые',
      link: 'https://zhurnal-o-dele.example/remont-kvartir',
      snippet: expect.any(String),
    });
    expect(found?.questions[0]).toEqual({
      question: 'Ремонт квартир: сколько это стоит?',
      snippet: expect.any(String),
    });
    expect(found?.related).toContain('ремонт квартир отзывы');
  });

  it('may lack anything', async () => {
    const organic = [{ title: 'Без адреса' }, { title: 'Торты', link: 'https://a.example/' }];
    fail(1, { kind: 'status', status: 200, body: { organic, peopleAlsoAsk: [{ snippet: 'x' }] } });
    expect(await client().search('торты')).toEqual({
      organic: [{ title: 'Торты', link: 'https://a.example/', snippet: '' }],
      questions: [],
      related: [],
    });
  });

  it('is made in the Ukrainian Google when the Russian one comes back empty', async () => {
    fail(1, nothing);
    expect((await client().search('торты'))?.organic).toHaveLength(10);
  });

  it('is empty, and asked again the next time, when both come back empty', async () => {
    fail(2, nothing);
    expect(await client().search('торты')).toEqual({ organic: [], questions: [], related: [] });
    expect((await client().search('торты'))?.organic).toHaveLength(10);
  });

  it('is not paid twice within a day', async () => {
    const first = await client().search('торты');
    fail(null, { kind: 'status', status: 500 });
    now += 86_399_000;
    expect(await client().search(' Торты ')).toEqual(first);
    now += 1_000;
    expect(await client().search('торты')).toBeNull();
  });

  it('goes on without its cache', async () => {
    const broken = () => Promise.reject(new Error('no Redis'));
    expect((await client({ cache: { get: broken, set: broken } }).search('торты'))?.organic).toHaveLength(10);
    expect(warnings.map(({ msg }) => msg)).toEqual([
      'the cache of searches could not be read',
      'a search could not be cached',
    ]);
  });

  it('goes on with nonsense in its cache', async () => {
    await client().search('торты');
    const nonsense = { ...cache, get: async () => '{"organic":1}' };
    expect((await client({ cache: nonsense }).search('торты'))?.organic).toHaveLength(10);
  });
});

describe('E04: when the web cannot be searched', () => {
  it.each([
    [
      'the quota is used up',
      { kind: 'status', status: 400, body: { message: 'Not enough credits', statusCode: 400 } },
    ],
    ['it answers 500 twice', { kind: 'status', status: 500 }],
    ['it resets every connection', { kind: 'reset' }],
    ['its answers are no JSON', { kind: 'malformed' }],
    ['it speaks another language', { kind: 'status', status: 200, body: { organic: 'none' } }],
  ] as const)('because %s, there is nothing and one line in the log', async (_, fault) => {
    fail(null, fault);
    expect(await client().search('торты')).toBeNull();
    expect(warnings).toHaveLength(1);
  });

  it('because it hangs, there is nothing when the time is over', async () => {
    fail(null, { kind: 'hang' });
    expect(await client({ timeoutMs: 30 }).search('торты')).toBeNull();
  });

  it('403 is not asked again', async () => {
    fail(1, { kind: 'status', status: 403 });
    expect(await client().search('торты')).toBeNull();
  });

  it('a wrong key is told to the log without the key', async () => {
    expect(await client({ apiKey: 'my-own-key' }).search('торты')).toBeNull();
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toContain('my-own-key');
  });

  it('a second try may succeed', async () => {
    fail(1, { kind: 'status', status: 503 });
    expect((await client().search('торты'))?.organic).toHaveLength(10);
  });

  it('a person who left is not answered with silence', async () => {
    fail(1, { kind: 'hang' });
    const leaving = new AbortController();
    const asked = client().search('торты', { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(asked).rejects.toThrow('left');
    expect(warnings).toEqual([]);
  });
});
