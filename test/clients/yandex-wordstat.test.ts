import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWordstat, type WordstatOptions } from '../../src/clients/yandex-wordstat.ts';
import type { StandIn } from '../../src/sandbox/stand-in.ts';
import { startWordstatStandIn } from '../../src/sandbox/wordstat/start.ts';
import type { ApiCost } from '../../src/services/ai/ask.ts';
import { createMemoryKeyValueStore } from '../../src/store/key-value-memory.ts';

let service: StandIn;
let warnings: Record<string, unknown>[];
const cache = () => createMemoryKeyValueStore();

beforeEach(async () => {
  service = await startWordstatStandIn({ apiKey: 'y-key', folderId: 'f1', limit: 6 });
  warnings = [];
});
afterEach(() => service.close());

const asking = { userId: 7, place: 'Казань и область' };
const client = (options: Partial<WordstatOptions> = {}) =>
  createWordstat({
    baseUrl: service.url,
    apiKey: 'y-key',
    folderId: 'f1',
    cache: cache(),
    log: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) }),
    waitMs: () => 1,
    now: () => new Date('2026-11-18T10:00:00Z'),
    ...options,
  });
const answering = (match: string, body: unknown, times = 1) =>
  service.faults.add({ match, times, fault: { kind: 'status', status: 200, body } });

describe('what people ask Yandex', () => {
  it('comes with its demand in the region of the company, and says so', async () => {
    const found = await client().suggestions(['торты на заказ'], asking);
    expect(found?.market).toBe(43);
    expect(found?.phrases.length).toBeGreaterThan(50);
    expect(found?.phrases.find(({ phrase }) => phrase === 'торты на заказ цена')).toEqual({
      phrase: 'торты на заказ цена',
      volume: expect.any(Number),
      difficulty: null,
      cpc: null,
      intent: 'commercial',
      market: 43,
    });
  });

  it('is read from counts that are strings', async () => {
    answering('topRequests', {
      totalCount: '48885',
      results: [{ phrase: 'торты', count: '48885' }],
      associations: [{ phrase: 'пирожные', count: '120' }],
    });
    const wordstat = client();
    expect((await wordstat.suggestions(['торты'], asking))?.phrases).toMatchObject([
      { phrase: 'торты', volume: 48_885, intent: 'informational' },
    ]);
    // The same answer tells what else these people look for: no second request.
    expect((await wordstat.related(['торты'], asking))?.phrases).toMatchObject([
      { phrase: 'пирожные', volume: 120 },
    ]);
  });

  it('is asked once a month about a phrase and a region, however it is spelled', async () => {
    const costs: ApiCost[] = [];
    const wordstat = client({ noteCost: async (cost) => void costs.push(cost) });
    await wordstat.suggestions(['Торты'], asking);
    await wordstat.suggestions(['Торты'], asking);
    expect(costs).toHaveLength(1);
    await wordstat.suggestions(['Торты'], { userId: 7, place: 'Россия' });
    expect(costs).toEqual([
      expect.objectContaining({ operation: 'api_yandex', userId: 7 }),
      expect.anything(),
    ]);
  });

  it.each([
    ['Москва', 213],
    ['Санкт-Петербург', 2],
    ['работаем по СПб', 2],
    ['Нижний Новгород', 47],
    ['Урюпинск', 225],
    ['', 225],
  ])('is counted in the region of «%s»', async (place, market) => {
    expect((await client().suggestions(['торты'], { userId: 7, place }))?.market).toBe(market);
  });

  it('tells the demand of a long list in a few requests: a short phrase tells of the longer ones', async () => {
    const phrases = ['торты цена', 'торты', 'купить торты', 'торты отзывы', 'Торты своими руками'];
    const costs: ApiCost[] = [];
    const found = await client({ noteCost: async (cost) => void costs.push(cost) }).volumes(phrases, asking);
    expect(found?.phrases.map(({ phrase }) => phrase).sort()).toEqual([...phrases].sort());
    expect(costs).toHaveLength(1);
  });

  it('says what it knows when the hour is used up, and null when it knows nothing', async () => {
    const wordstat = client();
    const many = ['окна', 'двери', 'полы', 'стены', 'крыши', 'ворота', 'заборы', 'лестницы'];
    const found = await wordstat.volumes(many, asking);
    expect(found?.phrases).toHaveLength(6);
    expect(await wordstat.volumes(['бани'], asking)).toBeNull();
    expect(await wordstat.suggestions(['бани'], asking)).toBeNull();
    expect(warnings.length).toBeGreaterThan(0);
  });

  it.each([
    ['a wrong key', { apiKey: 'other' }],
    ['a folder that is not ours', { folderId: 'other' }],
  ])('is null with %s', async (_, options) => {
    expect(await client(options).suggestions(['торты'], asking)).toBeNull();
    expect(JSON.stringify(warnings)).not.toContain('y-key');
  });
});

describe('the cities of a phrase', () => {
  it('are those that have a name, the one with most searches first', async () => {
    answering('regions', {
      results: [
        { region: '43', count: '300', share: 0.1, affinityIndex: 164.4 },
        { region: '213', count: '1200', share: 0.2, affinityIndex: 90 },
        { region: '10738', count: '9000', share: 0.2, affinityIndex: 90 },
        { region: '225', count: '90000', share: 1, affinityIndex: 100 },
        { region: '2', count: '0', share: 0, affinityIndex: 0 },
      ],
    });
    expect(await client().places('букеты', { userId: 7 })).toEqual([
      { market: 213, count: 1_200, affinity: 90 },
      { market: 43, count: 300, affinity: 164 },
    ]);
  });

  it('are asked for once a month', async () => {
    const costs: ApiCost[] = [];
    const wordstat = client({ noteCost: async (cost) => void costs.push(cost) });
    const places = await wordstat.places('Букеты', { userId: 7 });
    expect(places?.length).toBeGreaterThan(5);
    expect(await wordstat.places('Букеты', { userId: 8 })).toEqual(places);
    expect(costs).toHaveLength(1);
  });

  it('are null where Yandex has no numbers, and where it is away', async () => {
    answering('regions', { results: [] });
    expect(await client().places('букеты', { userId: 7 })).toBeNull();
    expect(await client({ apiKey: 'other' }).places('букеты', { userId: 7 })).toBeNull();
  });
});

describe('the season of a phrase', () => {
  it('is twelve whole months, the oldest first', async () => {
    const season = await client().season('букеты', { userId: 7, market: 213 });
    expect(season?.map(({ month }) => month)).toEqual([11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(season?.map(({ count }) => count)).size).toBeGreaterThan(3);
  });

  it('is asked for from the first day of a month to the last of another', async () => {
    answering('dynamics', { results: [{ date: '2026-10-01T00:00:00Z', count: '7', share: 0.1 }] });
    expect(await client().season('букеты', { userId: 7, market: 213 })).toEqual([{ month: 10, count: 7 }]);
  });

  it('is null where Yandex has no numbers', async () => {
    answering('dynamics', { results: [] });
    expect(await client().season('букеты', { userId: 7, market: 213 })).toBeNull();
  });
});
