import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createDataForSeo,
  type DataForSeoOptions,
  KAZAKHSTAN,
  UKRAINE,
} from '../../src/clients/dataforseo.ts';
import { createHttpServer, type HttpHandler, listen, readBody, sendJson } from '../../src/http/server.ts';
import { startDataForSeoStandIn } from '../../src/sandbox/dataforseo/start.ts';
import { done, envelope, nothingFound, refused } from '../../src/sandbox/dataforseo/wire.ts';
import type { StandIn } from '../../src/sandbox/stand-in.ts';
import type { ApiCost } from '../../src/services/ai/ask.ts';

let service: StandIn;
let warnings: Record<string, unknown>[];

beforeEach(async () => {
  service = await startDataForSeoStandIn({ login: 'shop', password: 'secret' });
  warnings = [];
});
afterEach(() => service.close());

const asking = { userId: 7 };
const client = (options: Partial<DataForSeoOptions> = {}) =>
  createDataForSeo({
    baseUrl: `${service.url}/v3`,
    login: 'shop',
    password: 'secret',
    log: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) }),
    waitMs: () => 1,
    ...options,
  });
const answering = (match: string, body: unknown, times = 1) =>
  service.faults.add({ match, times, fault: { kind: 'status', status: 200, body } });
const phrasesOf = (found: { phrases: readonly { phrase: string }[] } | null) =>
  found?.phrases.map(({ phrase }) => phrase);

describe('searches around a seed', () => {
  it('come with their volume, difficulty, price and intent, from Ukraine', async () => {
    const found = await client().suggestions(['торты на заказ'], asking);
    expect(found?.market).toBe(UKRAINE);
    expect(found?.phrases).toHaveLength(200);
    expect(found?.phrases.find(({ phrase }) => phrase === 'торты на заказ цена')).toEqual({
      phrase: 'торты на заказ цена',
      volume: expect.any(Number),
      difficulty: expect.any(Number),
      cpc: expect.any(Number),
      intent: expect.stringMatching(/^(commercial|informational)$/u),
    });
  });

  it('count competition from 0 to 1 as difficulty from 0 to 100, and call HIGH commercial', async () => {
    const info = { search_volume: 90, competition: 0.67, competition_level: 'HIGH', cpc: 0.4 };
    answering(
      'keyword_suggestions',
      envelope(20_000, [done([{ items: [{ keyword: 'торты', keyword_info: info }] }], 0.01, {})]),
    );
    expect((await client().suggestions(['торты'], asking))?.phrases).toEqual([
      { phrase: 'торты', volume: 90, difficulty: 67, cpc: 0.4, intent: 'commercial' },
    ]);
  });

  it('may lack anything', async () => {
    const items = [null, { keyword: null }, { keyword: 'торты', keyword_info: null }, { keyword: 'эклеры' }];
    answering('keyword_suggestions', envelope(20_000, [done([null, { items: null }, { items }], 0.01, {})]));
    expect((await client().suggestions(['торты'], asking))?.phrases).toEqual([
      { phrase: 'торты', volume: null, difficulty: null, cpc: null, intent: 'informational' },
      { phrase: 'эклеры', volume: null, difficulty: null, cpc: null, intent: 'informational' },
    ]);
  });

  it.each([
    ['an empty list', nothingFound()],
    ['the code for no results', envelope(20_000, [refused(40_102, {})])],
  ])('are asked in Kazakhstan, once, when Ukraine answers with %s', async (_, nothing) => {
    answering('keyword_suggestions', nothing, 2);
    const found = await client().suggestions(['торты', 'эклеры'], asking);
    expect(found?.market).toBe(KAZAKHSTAN);
    expect(found?.phrases).toHaveLength(400);
  });

  it('are none when both know none', async () => {
    expect(await client().suggestions(['щпкршт'], asking)).toEqual({ market: null, phrases: [] });
  });

  it('are looked for in the next market when one is not served', async () => {
    const found = await client({ markets: [2643, KAZAKHSTAN] }).suggestions(['торты'], asking);
    expect(found?.market).toBe(KAZAKHSTAN);
    expect(warnings).toMatchObject([{ code: 40_501 }]);
  });

  it('stay in the market that is named', async () => {
    answering('keyword_suggestions', nothingFound());
    const found = await client().suggestions(['торты'], { ...asking, market: UKRAINE });
    expect(found).toEqual({ market: null, phrases: [] });
  });

  it('of a seed that failed are missing, those of the others are there', async () => {
    answering('keyword_suggestions', envelope(20_000, [refused(40_101, {})]));
    expect((await client().suggestions(['торты', 'эклеры'], asking))?.phrases).toHaveLength(200);
    expect(warnings).toHaveLength(1);
  });
});

describe('related searches', () => {
  it('are read from one level deeper', async () => {
    const found = await client().related(['торты на заказ цена'], { ...asking, market: UKRAINE });
    expect(phrasesOf(found)).toContain('торты калькулятор');
  });
});

describe('volumes', () => {
  it('are told for what is known, in the spelling that was given', async () => {
    const found = await client().volumes(['Торты на заказ', 'Сколько стоит торт?', 'щпкршт'], asking);
    expect(phrasesOf(found)).toEqual(['Торты на заказ', 'Сколько стоит торт?']);
    expect(found?.phrases[0]).toMatchObject({ volume: expect.any(Number), difficulty: expect.any(Number) });
  });

  it('are asked for every spelling of the same search at once', async () => {
    const found = await client().volumes(['Торт', 'торт!'], asking);
    expect(phrasesOf(found)).toEqual(['Торт', 'торт!']);
  });

  it('are not asked for phrases that would fail the whole list', async () => {
    const long = 'торт '.repeat(11).trim();
    const found = await client().volumes(['торт', long, 'х'.repeat(81), '🎂', '!!!'], asking);
    expect(phrasesOf(found)).toEqual(['торт']);
    expect(warnings).toEqual([]);
  });

  it('are unknown, not unavailable, when nothing can be asked', async () => {
    expect(await client().volumes(['🎂'], asking)).toEqual({ market: null, phrases: [] });
  });

  it('come in lists of 700, and a list that failed is skipped', async () => {
    answering('search_volume', envelope(20_000, [refused(40_501, {}, 'keywords')]));
    const phrases = Array.from({ length: 1_500 }, (_, i) => `торт ${i}`);
    expect((await client().volumes(phrases, asking))?.phrases).toHaveLength(800);
  });
});

describe('the service', () => {
  let server: Server;
  afterEach(() => server.close());

  it('is asked five things at once at most, in Russian, one task in a list', async () => {
    let open = 0;
    let most = 0;
    let fiveCame = () => {};
    const five = new Promise<void>((resolve) => {
      fiveCame = resolve;
    });
    const tasks: unknown[] = [];
    const handle: HttpHandler = async (request, response) => {
      open += 1;
      most = Math.max(most, open);
      tasks.push(...JSON.parse((await readBody(request, 1_000)).toString()));
      if (open === 5) fiveCame();
      await five;
      await sleep(20); // long enough for a sixth to show itself
      open -= 1;
      sendJson(response, 200, nothingFound());
      return true;
    };
    server = createHttpServer([handle], () => {});
    const baseUrl = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
    const seeds = Array.from({ length: 12 }, (_, i) => `торт ${i}`);
    await client({ baseUrl }).related(seeds, { ...asking, market: UKRAINE });
    expect(most).toBe(5);
    expect(tasks).toHaveLength(12);
    expect(tasks[0]).toEqual({
      keyword: 'торт 0',
      location_code: 2804,
      language_code: 'ru',
      depth: 2,
      limit: 100,
    });
  });
});

describe('when the service fails', () => {
  it.each([
    ['there is no money', { kind: 'status', status: 200, body: envelope(40_210) }],
    [
      'the task fails under a good envelope',
      { kind: 'status', status: 200, body: envelope(20_000, [refused(40_101, {})]) },
    ],
    ['there is no task in the answer', { kind: 'status', status: 200, body: envelope(20_000) }],
    ['it speaks another language', { kind: 'status', status: 200, body: { result: [] } }],
    ['it answers 402', { kind: 'status', status: 402 }],
    ['it answers 500 for ever', { kind: 'status', status: 500 }],
    ['it resets every connection', { kind: 'reset' }],
    ['its answers are no JSON', { kind: 'malformed' }],
    ['its answers break off', { kind: 'truncated' }],
  ] as const)('E03: because %s, there is no data and one line in the log', async (_, fault) => {
    service.faults.add({ match: 'keyword_suggestions', times: Number.POSITIVE_INFINITY, fault });
    expect(await client().suggestions(['торты'], asking)).toBeNull();
    expect(warnings).toHaveLength(1);
  });

  it('E03: because it hangs, there is no data when the time is over', async () => {
    service.faults.add({ match: 'keyword_suggestions', times: null, fault: { kind: 'hang' } });
    expect(await client({ timeoutMs: 30 }).suggestions(['торты'], asking)).toBeNull();
  });

  it.each([401, 402, 404])('%i is not asked again', async (status) => {
    service.faults.add({ match: 'keyword_suggestions', fault: { kind: 'status', status } });
    expect(await client().suggestions(['торты'], asking)).toBeNull();
  });

  it('a wrong password is told to the log without the password', async () => {
    expect(await client({ password: 'my-old-one' }).suggestions(['торты'], asking)).toBeNull();
    expect(warnings).toHaveLength(1);
    const sent = Buffer.from('shop:my-old-one').toString('base64');
    expect(JSON.stringify(warnings)).not.toMatch(new RegExp(`my-old-one|${sent}`, 'u'));
  });

  it.each([
    ['too many requests', envelope(40_202)],
    ['too many requests, said by the task', envelope(20_000, [refused(40_202, {})])],
    ['an error of its own', envelope(50_000)],
  ])('it is asked again after %s', async (_, body) => {
    answering('keyword_suggestions', body, 2);
    expect((await client().suggestions(['торты'], asking))?.phrases).toHaveLength(200);
  });

  it('it is asked three times, no more', async () => {
    answering('keyword_suggestions', envelope(40_202), 3);
    expect(await client().suggestions(['торты'], asking)).toBeNull();
    expect(service.faults.list()).toEqual([]);
    expect((await client().suggestions(['торты'], asking))?.phrases).toHaveLength(200);
  });

  it('a person who left is not answered with silence', async () => {
    service.faults.add({ match: 'keyword_suggestions', fault: { kind: 'hang' } });
    const leaving = new AbortController();
    const asked = client().suggestions(['торты'], { ...asking, signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(asked).rejects.toThrow('left');
    expect(warnings).toEqual([]);
  });
});

describe('the cost', () => {
  it('of every call is noted with the person it was made for', async () => {
    const costs: ApiCost[] = [];
    const noteCost = async (cost: ApiCost) => void costs.push(cost);
    await client({ noteCost }).suggestions(['торты', 'эклеры'], asking);
    expect(costs).toMatchObject([
      { userId: 7, operation: 'api_dataforseo', costUsd: 0.01 },
      { userId: 7, operation: 'api_dataforseo', costUsd: 0.01 },
    ]);
  });

  it('that cannot be noted does not throw away what was bought', async () => {
    const noteCost = () => Promise.reject(new Error('no database'));
    expect((await client({ noteCost }).suggestions(['торты'], asking))?.phrases).toHaveLength(200);
    expect(warnings).toMatchObject([{ msg: 'a cost was not noted' }]);
  });
});
