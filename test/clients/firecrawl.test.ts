import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFirecrawl, type FirecrawlCost, type FirecrawlOptions } from '../../src/clients/firecrawl.ts';
import type { KeyValueStore } from '../../src/engine/key-value-store.ts';
import type { Fault } from '../../src/sandbox/faults.ts';
import { type FirecrawlStandIn, startFirecrawlStandIn } from '../../src/sandbox/firecrawl/start.ts';
import { createMemoryKeyValueStore } from '../../src/store/key-value-memory.ts';

const page = 'https://sovety.example/kak-vybrat-kukhnyu';
const site = 'https://shop.example';
const reading = { userId: 7 };

let service: FirecrawlStandIn;
let warnings: Record<string, unknown>[];
let costs: FirecrawlCost[];
let waits: number[];
let cache: KeyValueStore;
let now: number;

beforeEach(async () => {
  service = await startFirecrawlStandIn({ apiKey: 'fc-key' });
  [warnings, costs, waits, now] = [[], [], [], 0];
  cache = createMemoryKeyValueStore(() => now);
});
afterEach(() => service.close());

const client = (options: Partial<FirecrawlOptions> = {}) =>
  createFirecrawl({
    baseUrl: `${service.url}/v2`,
    apiKey: 'fc-key',
    log: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) }),
    cache,
    noteCost: async (cost) => void costs.push(cost),
    waitMs: (repeat) => {
      waits.push(repeat);
      return 1;
    },
    ...options,
  });
const fail = (times: number | null, fault: Fault) => service.faults.add({ match: 'POST', times, fault });
const answering = (body: unknown): Fault => ({ kind: 'status', status: 200, body });
const hours = (n: number) => n * 3_600_000;

describe('a page', () => {
  it('is read with its words, headings and summary', async () => {
    const read = await client().scrape(page, reading);
    expect(read).toMatchObject({ url: page, title: expect.stringMatching(/^Как выбрать кухню: /u) });
    expect(read?.words).toBeGreaterThan(700);
    expect(read?.headings.filter(({ level }) => level === 2).length).toBeGreaterThanOrEqual(5);
    expect(read?.summary).toContain('как выбрать кухню');
  });

  it('is paid for once a day', async () => {
    const { scrape } = client();
    const first = await scrape(page, reading);
    now = hours(23);
    expect(await scrape(page, reading)).toEqual(first);
    expect(costs).toEqual([
      { userId: 7, operation: 'api_firecrawl', costUsd: 0.001, description: 'Firecrawl: page' },
    ]);
    now = hours(25);
    await scrape(page, reading);
    expect(costs).toHaveLength(2);
  });

  it('is tried three times', async () => {
    fail(2, { kind: 'status', status: 500 });
    expect(await client().scrape(page, reading)).not.toBeNull();
    expect(waits).toEqual([0, 1]);
  });

  it.each<[string, Fault]>([
    ['the reader is down', { kind: 'status', status: 503 }],
    ['there are too many requests', { kind: 'status', status: 429 }],
    ['the page takes too long', { kind: 'status', status: 408 }],
    ['the credits are used up', { kind: 'status', status: 402 }],
    ['the address is refused', { kind: 'status', status: 403 }],
    ['the connection breaks', { kind: 'reset' }],
    ['the answer is no JSON', { kind: 'malformed' }],
    ['the answer breaks off', { kind: 'truncated' }],
    ['200 means failure', answering({ success: false, error: 'blocked' })],
    ['the answer has another shape', answering({ success: true, data: 'none' })],
    ['the answer is a list', answering([])],
  ])('is null with a warning when %s (E31a)', async (_, fault) => {
    fail(null, fault);
    expect(await client().scrape(page, reading)).toBeNull();
    expect(warnings).toEqual([expect.objectContaining({ msg: 'Firecrawl could not read', url: page })]);
  });

  it('is null when the reader never answers (E31a)', async () => {
    fail(null, { kind: 'hang' });
    expect(await client({ timeoutsMs: { page: 50 } }).scrape(page, reading)).toBeNull();
    expect(warnings).toHaveLength(1);
  });

  it.each([402, 408, 403])('is not asked for again after %i', async (status) => {
    fail(null, { kind: 'status', status });
    await client().scrape(page, reading);
    expect(waits).toEqual([]);
  });

  it('that does not exist is no content, though the reading succeeded', async () => {
    service.moods.set('sovety.example', 'not-found');
    expect(await client().scrape(page, reading)).toBeNull();
  });

  it('without text is no content, and is read again next time', async () => {
    service.moods.set('sovety.example', 'empty');
    const { scrape } = client();
    expect(await scrape(page, reading)).toBeNull();
    service.moods.clear();
    expect(await scrape(page, reading)).not.toBeNull();
  });

  it('is refused without a key', async () => {
    expect(await client({ apiKey: 'stolen' }).scrape(page, reading)).toBeNull();
    expect(JSON.stringify(warnings)).toContain('Invalid token');
    expect(JSON.stringify(warnings)).not.toContain('stolen');
  });

  it('ends with its reader: that is no failure of the service', async () => {
    fail(null, { kind: 'hang' });
    const leaving = new AbortController();
    const read = client().scrape(page, { ...reading, signal: leaving.signal });
    leaving.abort(new Error('the person left'));
    await expect(read).rejects.toThrow('the person left');
    expect(warnings).toEqual([]);
  });

  it('comes although its cost could not be noted', async () => {
    const noteCost = () => Promise.reject(new Error('the database is away'));
    expect(await client({ noteCost }).scrape(page, reading)).not.toBeNull();
    expect(warnings).toEqual([expect.objectContaining({ level: 50 })]);
  });
});

describe('a map of a site', () => {
  const mapping = { ...reading, projectId: 3, limit: 5 };

  it('lists its pages, as many as asked', async () => {
    const links = await client().map(site, mapping);
    expect(links).toHaveLength(5);
    expect(links[0]).toBe('https://shop.example/');
  });

  it('may come as plain addresses or as objects, and is cleaned of what is no page', async () => {
    const links = [
      `${site}/a`,
      { url: `${site}/b` },
      `${site}/a`,
      'javascript:alert(1)',
      'https://',
      { url: '/c' },
    ];
    fail(1, answering({ success: true, links }));
    expect(await client().map(site, mapping)).toEqual([`${site}/a`, `${site}/b`]);
  });

  it('is kept for two weeks, for this site of the project', async () => {
    const { map } = client();
    await map(site, mapping);
    now = hours(24 * 13);
    await map(site, mapping);
    expect(costs).toHaveLength(1);
    await map('https://moved.example', mapping);
    expect(costs).toHaveLength(2);
  });

  it('is empty when it cannot be had (E15)', async () => {
    fail(null, { kind: 'status', status: 500 });
    expect(await client().map(site, mapping)).toEqual([]);
    expect(warnings).toHaveLength(1);
  });
});

describe('the branding of a site', () => {
  const looking = { ...reading, projectId: 3 };

  it('is read and kept for a week', async () => {
    const { branding } = client();
    const seen = await branding(site, looking);
    expect(seen?.colors.accent).toMatch(/^#[0-9a-f]{6}$/u);
    expect(seen?.logoUrl).toBe('https://shop.example/logo.svg');
    now = hours(24 * 6);
    expect(await branding(site, looking)).toEqual(seen);
    expect(costs).toEqual([expect.objectContaining({ costUsd: 0.005 })]);
  });

  it('is null when the page tells nothing or cannot be read (E15)', async () => {
    service.moods.set('shop.example', 'empty');
    expect(await client().branding(site, looking)).toBeNull();
    fail(null, { kind: 'reset' });
    expect(await client().branding(site, looking)).toBeNull();
    expect(warnings).toHaveLength(2);
  });
});

describe('notes on a competitor', () => {
  it('come in the form that was asked for', async () => {
    expect(await client().extractCompetitor(site, reading)).toEqual({
      company_name: expect.any(String),
      main_topics: expect.arrayContaining([expect.any(String)]),
      content_types: expect.any(Array),
      unique_selling_points: expect.any(Array),
      content_gaps: expect.any(Array),
      estimated_pages: expect.any(Number),
      primary_keywords: expect.any(Array),
    });
  });

  it('may lack anything', async () => {
    const json = { company_name: 'Окна', main_topics: 'окна', estimated_pages: 'много' };
    fail(1, answering({ success: true, data: { json, metadata: { statusCode: 200 } } }));
    expect(await client().extractCompetitor(site, reading)).toMatchObject({
      company_name: 'Окна',
      main_topics: [],
      estimated_pages: null,
    });
  });

  it('are null when they cannot be had', async () => {
    fail(null, { kind: 'status', status: 500 });
    expect(await client().extractCompetitor(site, reading)).toBeNull();
  });
});
