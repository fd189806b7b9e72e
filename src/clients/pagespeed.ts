import { z } from 'zod';
import type { Json } from '../engine/json.ts';
import type { Log } from '../log.ts';
import { createSupplier, SupplierFailed } from './http/supplier.ts';

export type PageSpeedOptions = {
  /** As `https://www.googleapis.com/pagespeedonline/v5`. */
  baseUrl: string;
  /** Without one Google lets a few requests a day through. */
  apiKey?: string | undefined;
  log: Log;
  timeoutMs?: number;
  waitMs?: (repeat: number) => number;
};

export type SiteAudit = {
  /** 0 to 100; null where Lighthouse could not tell. */
  performance: number | null;
  accessibility: number | null;
  bestPractices: number | null;
  seo: number | null;
  /** What real visitors measured; null for a site with too few of them. */
  lcpMs: number | null;
  inpMs: number | null;
  cls: number | null;
  ttfbMs: number | null;
  /** The gravest first. */
  recommendations: Recommendation[];
  /** The answer without its screenshots; null where even that is too much to keep. */
  report: Json;
};
export type Recommendation = { title: string; description: string; priority: Priority };
type Priority = 'high' | 'medium' | 'low';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const MOST_RECOMMENDATIONS = 30;
const DESCRIPTION_LENGTH = 500;
const gravest: readonly Priority[] = ['high', 'medium', 'low'];

const score = z.object({ score: z.number().min(0).max(1).nullish().catch(null) }).nullish();
const measured = z.object({ percentile: z.number().nullish().catch(null) }).nullish();
const report = z.object({
  lighthouseResult: z.object({
    runtimeError: z.object({ code: z.string(), message: z.string().catch('') }).nullish(),
    categories: z.object({ performance: score, accessibility: score, 'best-practices': score, seo: score }),
    audits: z
      .record(
        z.string(),
        z.object({
          title: z.string().catch(''),
          description: z.string().nullish().catch(null),
          displayValue: z.string().nullish().catch(null),
          score: z.number().nullish().catch(null),
        }),
      )
      .catch({}),
  }),
  loadingExperience: z
    .object({
      metrics: z
        .object({
          LARGEST_CONTENTFUL_PAINT_MS: measured,
          INTERACTION_TO_NEXT_PAINT: measured,
          CUMULATIVE_LAYOUT_SHIFT_SCORE: measured,
          EXPERIMENTAL_TIME_TO_FIRST_BYTE: measured,
        })
        .nullish(),
    })
    .nullish(),
});
type Report = z.infer<typeof report>;

/** Audits a site as a phone sees it. A failure is logged and null. */
export function createPageSpeed({
  baseUrl,
  apiKey,
  log,
  timeoutMs = 60_000,
  waitMs = (repeat) => 1_000 * 2 ** repeat,
}: PageSpeedOptions) {
  const supplier = createSupplier({ name: 'PageSpeed', baseUrl, timeoutMs, retries: 1, waitMs });
  return { audit };

  async function audit(url: string, { signal }: { signal?: AbortSignal } = {}): Promise<SiteAudit | null> {
    const query = new URLSearchParams({ url, strategy: 'mobile', locale: 'ru' });
    for (const category of CATEGORIES) query.append('category', category);
    if (apiKey) query.set('key', apiKey);
    try {
      const raw = await supplier.json('/runPagespeed', { query, signal });
      const answer = report.parse(raw);
      const { runtimeError } = answer.lighthouseResult;
      // NO_ERROR is Lighthouse's way of saying that there is none.
      if (runtimeError && runtimeError.code !== 'NO_ERROR')
        throw new SupplierFailed('PageSpeed', `${runtimeError.code}: ${runtimeError.message}`);
      return { ...toAudit(answer), report: reportToKeep(raw) };
    } catch (err) {
      signal?.throwIfAborted();
      log.warn({ err, url }, 'PageSpeed could not audit the site');
      return null;
    }
  }
}

function toAudit({
  lighthouseResult: { categories, audits },
  loadingExperience,
}: Report): Omit<SiteAudit, 'report'> {
  const points = (category: z.infer<typeof score>): number | null =>
    typeof category?.score === 'number' ? Math.round(category.score * 100) : null;
  const metrics = loadingExperience?.metrics;
  const shift = metrics?.CUMULATIVE_LAYOUT_SHIFT_SCORE?.percentile ?? null;
  return {
    performance: points(categories.performance),
    accessibility: points(categories.accessibility),
    bestPractices: points(categories['best-practices']),
    seo: points(categories.seo),
    lcpMs: metrics?.LARGEST_CONTENTFUL_PAINT_MS?.percentile ?? null,
    inpMs: metrics?.INTERACTION_TO_NEXT_PAINT?.percentile ?? null,
    cls: shift === null ? null : shift / 100,
    ttfbMs: metrics?.EXPERIMENTAL_TIME_TO_FIRST_BYTE?.percentile ?? null,
    recommendations: recommendationsOf(audits),
  };
}

/** What does not apply or is only informative comes without a score. */
function recommendationsOf(audits: Report['lighthouseResult']['audits']): Recommendation[] {
  const failed = Object.values(audits).filter(
    ({ score, title }) => typeof score === 'number' && score < 1 && title,
  );
  return failed
    .map(({ title, description, displayValue, score }) => ({
      title,
      description: withoutLinks(description ?? displayValue ?? '').slice(0, DESCRIPTION_LENGTH),
      priority: priorityOf(score!),
    }))
    .sort((a, b) => gravest.indexOf(a.priority) - gravest.indexOf(b.priority))
    .slice(0, MOST_RECOMMENDATIONS);
}

function priorityOf(score: number): Priority {
  if (score === 0) return 'high';
  return score < 0.5 ? 'medium' : 'low';
}

/** Lighthouse ends its advice with "[Learn more](…).", which leads to documentation in English. */
const withoutLinks = (markdown: string): string => markdown.replace(/\[[^\]]*\]\([^)]*\)\.?/gu, '').trim();

const MOST_REPORT = 300 * 1024;

/** Pictures are most of an answer's weight; after them, the lists of files behind each audit. */
function reportToKeep(raw: unknown): Json {
  const without = (...names: string[]) =>
    JSON.stringify(raw, (key, value) => (names.includes(key) ? undefined : value));
  const screenshots = ['fullPageScreenshot', 'final-screenshot', 'screenshot-thumbnails'];
  const kept = [without(...screenshots), without(...screenshots, 'details')].find(
    (text) => Buffer.byteLength(text) <= MOST_REPORT,
  );
  return kept === undefined ? null : JSON.parse(kept);
}
