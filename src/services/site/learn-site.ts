import type { SiteAudit } from '../../clients/pagespeed.ts';
import type { Branding } from '../../clients/site-branding.ts';
import type { Log } from '../../log.ts';
import { ownPages } from '../article/internal-links.ts';

/** Null: could not be found out, and nothing is stored. */
type LearnedSite = {
  branding: Branding | null;
  links: readonly string[] | null;
  audit: SiteAudit | null;
};

export type LearnSiteInput = { projectId: number; userId: number; url: string; signal?: AbortSignal };
type Reading = { projectId: number; userId: number; signal?: AbortSignal };

export type LearnSitePorts = {
  readBranding(url: string, reading: Reading): Promise<Branding | null>;
  mapSite(url: string, reading: Reading & { limit: number }): Promise<readonly string[]>;
  audit(url: string, options: { signal?: AbortSignal }): Promise<SiteAudit | null>;
  save: {
    branding(site: LearnSiteInput, branding: Branding): Promise<void>;
    links(site: LearnSiteInput, links: readonly string[]): Promise<void>;
    audit(site: LearnSiteInput, audit: SiteAudit): Promise<unknown>;
  };
  log: Log;
};

/** Of a site; the twenty nearest to its phrase are shown to the model that writes an article. */
export const MOST_PAGES = 5_000;

/**
 * What a newly connected site looks like, which pages it has and how fast it is. The connection stands without it,
 * and each of the three without the others (E15, E56): what is found is stored at once, the rest stays absent.
 */
export function makeLearnSite({ readBranding, mapSite, audit, save, log }: LearnSitePorts) {
  return async (site: LearnSiteInput): Promise<LearnedSite> => {
    const { url, projectId, userId, signal } = site;
    const reading = { projectId, userId, signal };
    const [branding, links, audited] = await Promise.all([
      learn('branding', () => readBranding(url, reading), save.branding),
      learn('links', () => pagesOf(url, reading), save.links),
      learn('audit', () => audit(url, { signal }), save.audit),
    ]);
    return { branding, links, audit: audited };

    async function learn<Found>(
      what: keyof LearnedSite,
      ask: () => Promise<Found | null>,
      store: (site: LearnSiteInput, found: Found) => Promise<unknown>,
    ): Promise<Found | null> {
      try {
        const found = await ask();
        if (found !== null) await store(site, found);
        return found;
      } catch (err) {
        signal?.throwIfAborted();
        log.warn({ err, what, projectId }, 'a part of a connected site could not be learned');
        return null;
      }
    }
  };

  async function pagesOf(url: string, reading: Reading): Promise<readonly string[] | null> {
    const pages = await readPages(mapSite, url, reading);
    return pages.length > 0 ? pages : null;
  }
}

/** Empty: the site could not be mapped. */
export const readPages = async (
  mapSite: LearnSitePorts['mapSite'],
  url: string,
  reading: Reading,
): Promise<readonly string[]> => ownPages(await mapSite(url, { ...reading, limit: MOST_PAGES }), url);
