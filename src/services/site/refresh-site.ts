import type { Branding } from '../../clients/site-branding.ts';
import { type LearnSiteInput, type LearnSitePorts, readPages } from './learn-site.ts';

type Deps = Pick<LearnSitePorts, 'readBranding' | 'mapSite'> & {
  /** Forgets what was read of a project's site before: it is to be replaced. */
  forget(projectId: number): Promise<void>;
  saveBranding(site: LearnSiteInput, branding: Branding): Promise<void>;
  /** The project's connections that publish articles, with the addresses of their sites. */
  connectedSites(userId: number, projectId: number): Promise<{ connectionId: number; url: string }[]>;
  savePages(connectionId: number, pages: readonly string[]): Promise<void>;
};

/** `pages`: addresses that articles may link to; null when no connected site could be mapped. */
type Refreshed = { branding: boolean; pages: number | null };

/** How the site looks and which pages it has, read anew: each of the two without the other. */
export const makeRefreshSite =
  ({ readBranding, mapSite, forget, saveBranding, connectedSites, savePages }: Deps) =>
  async (site: LearnSiteInput): Promise<Refreshed> => {
    const { url, projectId, userId, signal } = site;
    const reading = { projectId, userId, signal };
    await forget(projectId);
    const [branding, pages] = await Promise.all([readBranding(url, reading), pagesOfAll()]);
    if (branding) await saveBranding(site, branding);
    return { branding: branding !== null, pages };

    async function pagesOfAll(): Promise<number | null> {
      let count: number | null = null;
      for (const { connectionId, url: connected } of await connectedSites(userId, projectId)) {
        const found = await readPages(mapSite, connected, reading);
        if (found.length === 0) continue;
        await savePages(connectionId, found);
        count = (count ?? 0) + found.length;
      }
      return count;
    }
  };
