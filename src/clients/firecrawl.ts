import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import type { Log } from '../log.ts';
import { type Cached, cached } from './cached.ts';
import { type CompetitorFacts, competitorFacts, competitorFormat } from './competitor-facts.ts';
import { createSupplier, SupplierFailed } from './http/supplier.ts';
import { toWebPage, type WebPage, webPage } from './http/web-page.ts';
import { type Branding, branding, scrapedBranding, toBranding } from './site-branding.ts';

export type FirecrawlOptions = {
  /** With the version, as `https://api.firecrawl.dev/v2`. */
  baseUrl: string;
  apiKey: string;
  log: Log;
  cache: Pick<KeyValueStore, 'get' | 'set'>;
  noteCost?: (cost: FirecrawlCost) => Promise<void>;
  waitMs?: (repeat: number) => number;
  timeoutsMs?: Partial<Record<Call, number>>;
};
export type FirecrawlCost = {
  userId: number;
  operation: 'api_firecrawl';
  costUsd: number;
  description: string;
};
/** On whose account it is read, and until when. */
export type Reading = { userId: number; signal?: AbortSignal };

export type HomePage = z.infer<typeof homePage>;
const homePage = z.object({ page: webPage, branding: branding.nullable() });

type Call = 'page' | 'branding' | 'map' | 'competitor' | 'site';
const calls = {
  page: { timeoutMs: 30_000, credits: 1 },
  branding: { timeoutMs: 60_000, credits: 5 },
  map: { timeoutMs: 10_000, credits: 1 },
  competitor: { timeoutMs: 60_000, credits: 5 },
  site: { timeoutMs: 40_000, credits: 5 },
} as const satisfies Record<Call, { timeoutMs: number; credits: number }>;

/** Of the plan that serves a hundred thousand pages a month; a note for the books, not a price. */
const USD_PER_CREDIT = 0.001;
const REPEATS = 2;
const MOST_BYTES = 8 * 1024 * 1024;
const DAY = 24 * 3_600;

const maybeText = z.string().nullish().catch(null);
const scrapedPage = z.object({
  markdown: maybeText,
  summary: maybeText,
  json: z.unknown().optional(),
  branding: scrapedBranding.nullish().catch(null),
  metadata: z
    .object({ title: maybeText, description: maybeText, statusCode: z.number().nullish().catch(null) })
    .prefault({}),
});
const siteMap = z.array(z.union([z.string(), z.object({ url: z.string() })]));

/**
 * Reads the web through Firecrawl. Nothing of it is worth stopping an article for: what fails is logged and null,
 * or an empty list.
 */
export function createFirecrawl({
  baseUrl,
  apiKey,
  log,
  cache,
  noteCost,
  waitMs = (repeat) => 1_000 * 3 ** repeat,
  timeoutsMs = {},
}: FirecrawlOptions) {
  const supplier = createSupplier({
    name: 'Firecrawl',
    baseUrl,
    headers: { authorization: `Bearer ${apiKey}` },
    retries: REPEATS,
    waitMs,
    mostBytes: MOST_BYTES,
  });
  return { scrape, map, branding: readBranding, extractCompetitor, readHome };

  /** The text of a page. */
  function scrape(url: string, reading: Reading): Promise<WebPage | null> {
    const key = `competitor:${createHash('md5').update(url).digest('hex')}`;
    return remembered({ key, of: url, ttlSeconds: DAY, schema: webPage }, () =>
      orNull('page', url, reading, async () => {
        const formats = ['markdown', 'summary'];
        const { markdown, summary, metadata } = await readDocument('page', url, formats, reading);
        const about = { title: metadata.title ?? '', description: metadata.description ?? '' };
        return toWebPage({ url, ...about, summary: summary ?? '' }, markdown ?? '');
      }),
    );
  }

  /** Addresses of a site's pages. */
  async function map(
    url: string,
    { limit, projectId, ...reading }: Reading & { limit: number; projectId: number },
  ) {
    const links = await remembered(
      { key: `map:${projectId}`, of: url, ttlSeconds: 14 * DAY, schema: z.array(z.string()) },
      () =>
        orNull('map', url, reading, async () => {
          const answer = await asked('map', '/map', { url, limit }, reading);
          const found = siteMap
            .parse(answer.links)
            .map((link) => (typeof link === 'string' ? link : link.url));
          const pages = [...new Set(found)].filter(
            (link) => /^https?:\/\//iu.test(link) && URL.canParse(link),
          );
          return pages.length > 0 ? pages.slice(0, limit) : null;
        }),
    );
    return links ?? [];
  }

  /**
   * The `branding` format, not /extract: it is computed from the page's styles where an extraction asks a model,
   * and it answers at once, while /extract is in maintenance and hands out jobs to be polled.
   */
  function readBranding(url: string, { projectId, ...reading }: Reading & { projectId: number }) {
    return remembered<Branding>(
      { key: `branding:${projectId}`, of: url, ttlSeconds: 7 * DAY, schema: branding },
      () =>
        orNull('branding', url, reading, async () => {
          const scraped = (await readDocument('branding', url, ['branding'], reading)).branding;
          return scraped ? toBranding(scraped) : null;
        }),
    );
  }

  /** A site's first page as its owner sees it, with head and foot, where phone and city stand; and its looks. */
  function readHome(url: string, reading: Reading): Promise<HomePage | null> {
    const key = `home:${createHash('md5').update(url).digest('hex')}`;
    return remembered({ key, of: url, ttlSeconds: DAY, schema: homePage }, () =>
      orNull('site', url, reading, async () => {
        const formats = ['markdown', 'summary', 'branding'];
        const { markdown, summary, metadata, ...home } = await readDocument('site', url, formats, reading);
        const about = { title: metadata.title ?? '', description: metadata.description ?? '' };
        const page = toWebPage({ url, ...about, summary: summary ?? '' }, markdown ?? '');
        return page && { page, branding: home.branding ? toBranding(home.branding) : null };
      }),
    );
  }

  function extractCompetitor(url: string, reading: Reading): Promise<CompetitorFacts | null> {
    return orNull('competitor', url, reading, async () => {
      const { json } = await readDocument('competitor', url, [competitorFormat], reading);
      return json ? competitorFacts.parse(json) : null;
    });
  }

  async function readDocument(call: Call, url: string, formats: unknown[], reading: Reading) {
    const request = { url, formats, onlyMainContent: call !== 'branding' && call !== 'site' };
    const answer = await asked(call, '/scrape', request, reading);
    const page = scrapedPage.parse(answer.data);
    const status = page.metadata.statusCode ?? 200;
    // The reading succeeded; what was read is the site's own "not found".
    if (status >= 400)
      throw new SupplierFailed('Firecrawl', `the page itself answered ${status}`, { status });
    return page;
  }

  async function asked(call: Call, path: string, json: object, { userId, signal }: Reading) {
    const timeoutMs = timeoutsMs[call] ?? calls[call].timeoutMs;
    const request = { json: { ...json, timeout: timeoutMs }, timeoutMs, signal };
    const answer = envelope.parse(await supplier.json(path, request));
    if (!answer.success)
      throw new SupplierFailed('Firecrawl', `refused: ${answer.error ?? 'no reason given'}`);
    await noteSpent(call, userId);
    return answer;
  }

  async function noteSpent(call: Call, userId: number): Promise<void> {
    const costUsd = calls[call].credits * USD_PER_CREDIT;
    try {
      await noteCost?.({ userId, operation: 'api_firecrawl', costUsd, description: `Firecrawl: ${call}` });
    } catch (err) {
      log.error({ err, call, userId }, 'the cost of a reading could not be noted');
    }
  }

  async function orNull<Value>(
    call: Call,
    url: string,
    { signal }: Reading,
    ask: () => Promise<Value | null>,
  ): Promise<Value | null> {
    try {
      const value = await ask();
      if (value === null) log.warn({ call, url }, 'Firecrawl found nothing to read');
      return value;
    } catch (err) {
      signal?.throwIfAborted();
      log.warn({ err, call, url }, 'Firecrawl could not read');
      return null;
    }
  }

  function remembered<Value>(
    kept: Omit<Cached<Value>, 'cache' | 'log'>,
    ask: () => Promise<Value | null>,
  ): Promise<Value | null> {
    return cached({ ...kept, cache, log }, ask);
  }
}

const envelope = z.object({
  success: z.boolean(),
  error: maybeText,
  data: z.unknown().optional(),
  links: z.unknown().optional(),
});
