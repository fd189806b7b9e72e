import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPageSpeed, type PageSpeedOptions } from '../../src/clients/pagespeed.ts';
import type { Fault } from '../../src/sandbox/faults.ts';
import { type PageSpeedStandIn, startPageSpeedStandIn } from '../../src/sandbox/pagespeed/start.ts';

const site = 'https://shop.example/';
let service: PageSpeedStandIn;
let warnings: Record<string, unknown>[];

beforeEach(async () => {
  service = await startPageSpeedStandIn({ apiKey: 'g-key' });
  warnings = [];
});
afterEach(() => service.close());

const client = (options: Partial<PageSpeedOptions> = {}) =>
  createPageSpeed({
    baseUrl: `${service.url}/pagespeedonline/v5`,
    apiKey: 'g-key',
    log: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) }),
    waitMs: () => 1,
    ...options,
  });
const fail = (times: number | null, fault: Fault) =>
  service.faults.add({ match: 'runPagespeed', times, fault });

describe('an audit of a site', () => {
  it('gives four scores and what visitors measured', async () => {
    const audit = await client().audit(site);
    for (const score of [audit?.performance, audit?.accessibility, audit?.bestPractices, audit?.seo])
      expect(score).toBeGreaterThanOrEqual(55);
    expect(audit?.lcpMs).toBeGreaterThan(1_000);
    expect(audit?.inpMs).toBeGreaterThan(50);
    expect(audit?.ttfbMs).toBeGreaterThan(100);
    expect(audit?.cls).toBeLessThan(1);
  });

  it('has no measurements for a site with few visitors', async () => {
    service.moods.set('shop.example', 'no-field-data');
    const audit = await client().audit(site);
    expect(audit).toMatchObject({ lcpMs: null, inpMs: null, cls: null, ttfbMs: null });
    expect(audit?.performance).toEqual(expect.any(Number));
  });

  it('ranks its advice, and leaves out what is fine or has no score', async () => {
    const audits = {
      low: { title: 'Почти хорошо', description: 'Мелочь. [Подробнее](https://web.dev/x).', score: 0.8 },
      fine: { title: 'Хорошо', score: 1 },
      info: { title: 'К сведению', score: null },
      high: { title: 'Плохо', displayValue: '4,2 с', score: 0 },
      medium: { title: 'Так себе', description: 'Поправьте.', score: 0.49 },
    };
    const lighthouseResult = { categories: { performance: { score: 0.555 }, seo: { score: null } }, audits };
    fail(1, { kind: 'status', status: 200, body: { lighthouseResult } });
    expect(await client().audit(site)).toEqual({
      performance: 56,
      accessibility: null,
      bestPractices: null,
      seo: null,
      lcpMs: null,
      inpMs: null,
      cls: null,
      ttfbMs: null,
      recommendations: [
        { title: 'Плохо', description: '4,2 с', priority: 'high' },
        { title: 'Так себе', description: 'Поправьте.', priority: 'medium' },
        { title: 'Почти хорошо', description: 'Мелочь.', priority: 'low' },
      ],
      report: { lighthouseResult },
    });
  });

  it('keeps the answer without its screenshots, and without lists of files where it would be too long', async () => {
    const shot = { details: { data: 'data:image/jpeg;base64,AAAA' } };
    const audits = {
      'final-screenshot': shot,
      css: { title: 'CSS', score: 1, details: { items: ['a.css'] } },
    };
    const answer = (more: object) => ({
      lighthouseResult: { categories: {}, audits: { ...audits, ...more }, fullPageScreenshot: shot },
    });
    const { css } = audits;
    fail(1, { kind: 'status', status: 200, body: answer({}) });
    expect((await client().audit(site))?.report).toEqual({
      lighthouseResult: { categories: {}, audits: { css } },
    });
    const long = { title: 'Файлы', score: 1, details: { items: ['f.js'.repeat(100_000)] } };
    fail(1, { kind: 'status', status: 200, body: answer({ long }) });
    expect((await client().audit(site))?.report).toEqual({
      lighthouseResult: {
        categories: {},
        audits: { css: { title: 'CSS', score: 1 }, long: { title: 'Файлы', score: 1 } },
      },
    });
  });

  it('counts the shift of the layout in hundredths', async () => {
    const metrics = { CUMULATIVE_LAYOUT_SHIFT_SCORE: { percentile: 12 } };
    const body = { lighthouseResult: { categories: {}, audits: {} }, loadingExperience: { metrics } };
    fail(1, { kind: 'status', status: 200, body });
    expect((await client().audit(site))?.cls).toBe(0.12);
  });

  it('is tried twice', async () => {
    fail(1, { kind: 'status', status: 500 });
    expect(await client().audit(site)).not.toBeNull();
    fail(2, { kind: 'status', status: 500 });
    expect(await client().audit(site)).toBeNull();
  });

  it.each<[string, Fault]>([
    ['the quota is used up', { kind: 'status', status: 429 }],
    ['the connection breaks', { kind: 'reset' }],
    ['the answer is no JSON', { kind: 'malformed' }],
    ['it takes too long', { kind: 'hang' }],
    ['the answer has another shape', { kind: 'status', status: 200, body: { id: 1 } }],
  ])('is null with a warning when %s (E56)', async (_, fault) => {
    fail(null, fault);
    expect(await client({ timeoutMs: 100 }).audit(site)).toBeNull();
    expect(warnings).toHaveLength(1);
  });

  it('is null when the site could not be opened (E56)', async () => {
    service.moods.set('shop.example', 'runtime-error');
    expect(await client().audit(site)).toBeNull();
    expect(JSON.stringify(warnings)).toContain('NO_FCP');
  });

  it('is null for an address that is none, and the key stays out of the log', async () => {
    expect(await client().audit('shop')).toBeNull();
    expect(await client({ apiKey: 'other-key' }).audit(site)).toBeNull();
    expect(warnings).toHaveLength(2);
    expect(JSON.stringify(warnings)).not.toMatch(/g-key|other-key/u);
  });

  it('ends when its caller leaves', async () => {
    fail(null, { kind: 'hang' });
    const leaving = new AbortController();
    const audited = client().audit(site, { signal: leaving.signal });
    leaving.abort(new Error('the person left'));
    await expect(audited).rejects.toThrow('the person left');
  });
});
