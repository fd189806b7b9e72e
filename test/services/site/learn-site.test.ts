import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFirecrawl } from '../../../src/clients/firecrawl.ts';
import { createPageSpeed } from '../../../src/clients/pagespeed.ts';
import { type FirecrawlStandIn, startFirecrawlStandIn } from '../../../src/sandbox/firecrawl/start.ts';
import { type PageSpeedStandIn, startPageSpeedStandIn } from '../../../src/sandbox/pagespeed/start.ts';
import { type LearnSitePorts, makeLearnSite } from '../../../src/services/site/learn-site.ts';
import { createMemoryKeyValueStore } from '../../../src/store/key-value-memory.ts';

const site = { projectId: 3, userId: 7, url: 'https://shop.example' };
let web: FirecrawlStandIn;
let google: PageSpeedStandIn;
let stored: string[];
let warnings: unknown[];

beforeEach(async () => {
  web = await startFirecrawlStandIn({ apiKey: 'fc' });
  google = await startPageSpeedStandIn();
  [stored, warnings] = [[], []];
});
afterEach(() => Promise.all([web.close(), google.close()]));

function learn(ports: Partial<LearnSitePorts> = {}) {
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) });
  const cache = createMemoryKeyValueStore();
  const common = { log, cache, waitMs: () => 1 };
  const reader = createFirecrawl({ ...common, baseUrl: `${web.url}/v2`, apiKey: 'fc' });
  const { audit } = createPageSpeed({ ...common, baseUrl: `${google.url}/pagespeedonline/v5` });
  const save = {
    branding: async () => void stored.push('branding'),
    links: async () => void stored.push('links'),
    audit: async () => void stored.push('audit'),
  };
  return makeLearnSite({ readBranding: reader.branding, mapSite: reader.map, audit, save, log, ...ports })(
    site,
  );
}
const down = (standIn: FirecrawlStandIn | PageSpeedStandIn, match: string) =>
  standIn.faults.add({ match, times: null, fault: { kind: 'status', status: 503 } });

describe('a site that was connected', () => {
  it('is learned: its look, its pages, its speed', async () => {
    const { branding, links, audit } = await learn();
    expect(branding?.colors.accent).toMatch(/^#/u);
    expect(links?.length).toBeGreaterThan(5);
    expect(audit?.performance).toEqual(expect.any(Number));
    expect(stored.toSorted()).toEqual(['audit', 'branding', 'links']);
  });

  it('may have five thousand pages, of which only pages of its own are kept', async () => {
    const asked: number[] = [];
    const mapSite: LearnSitePorts['mapSite'] = async (url, { limit }) => {
      asked.push(limit);
      return [`${url}/ceny?from=menu`, `${url}/ceny`, `${url}/logo.png`, 'https://rival.example/ceny'];
    };
    expect((await learn({ mapSite })).links).toEqual(['https://shop.example/ceny']);
    expect(asked).toEqual([5_000]);
  });

  it('is audited although the reader of pages is away (E15)', async () => {
    down(web, 'POST');
    expect(await learn()).toMatchObject({ branding: null, links: null, audit: { seo: expect.any(Number) } });
    expect(stored).toEqual(['audit']);
    expect(warnings).toHaveLength(2);
  });

  it('is read three times before it is given up (E15)', async () => {
    web.faults.add({ match: 'scrape', times: 2, fault: { kind: 'status', status: 503 } });
    expect((await learn()).branding).not.toBeNull();
  });

  it.each([
    ['branding', { branding: null }, () => down(web, 'scrape')],
    ['links', { links: null }, () => down(web, 'map')],
    ['audit', { audit: null }, () => down(google, 'GET')],
  ])('is learned without its %s, and only that is absent (E56)', async (what, expected, fail) => {
    fail();
    expect(await learn()).toMatchObject(expected);
    expect(stored.toSorted()).toEqual(['audit', 'branding', 'links'].filter((part) => part !== what));
  });

  it('without a single page has no map stored (E56)', async () => {
    web.moods.set('shop.example', 'empty');
    expect(await learn()).toMatchObject({ branding: null, links: null });
    expect(stored).toEqual(['audit']);
  });

  it('is not lost when one part of it cannot be stored (E56)', async () => {
    const save = {
      branding: () => Promise.reject(new Error('the database is away')),
      links: async () => void stored.push('links'),
      audit: async () => void stored.push('audit'),
    };
    expect(await learn({ save })).toMatchObject({ branding: null });
    expect(stored.toSorted()).toEqual(['audit', 'links']);
    expect(warnings).toEqual([expect.objectContaining({ what: 'branding', projectId: 3 })]);
  });
});
