import type { Branding } from '../clients/site-branding.ts';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import { RateLimited } from '../errors.ts';
import type { Log } from '../log.ts';
import type { BrandingData } from '../menu/branding.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import { drawBrandingCard } from '../services/site/branding-card.ts';
import type { Sql } from '../store/database.ts';
import { makeSiteKnowledge } from '../store/site-knowledge.ts';

type Ground = {
  sql: Sql;
  keyValues: KeyValueStore;
  limits: RateLimits;
  readBranding(url: string, reading: { projectId: number; userId: number }): Promise<Branding | null>;
  log: Log;
};

/** How a project's site looks: read from the site, changed by hand, shown as a piece of an article. */
export function composeBranding({ sql, keyValues, limits, readBranding, log }: Ground): BrandingData {
  const knowledge = makeSiteKnowledge(sql);
  return {
    async page(userId, projectId) {
      const site = await knowledge.siteOf(userId, projectId);
      if (!site) return null;
      const branding = await knowledge.brandingOf(userId, projectId);
      const { projectName, timezone, url } = site;
      return { projectId, projectName, timezone, url, branding, picture: await drawn(branding) };
    },
    setColour: knowledge.setColour,
    async read(userId, projectId) {
      const site = await knowledge.siteOf(userId, projectId);
      if (!site) return null;
      if (site.url === null) return 'unread';
      try {
        await limits.take('site_refresh', userId);
      } catch (error) {
        if (error instanceof RateLimited) return { refused: error.userMessage };
        throw error;
      }
      await keyValues.delete(`branding:${projectId}`); // what was read before is what is to be replaced
      const branding = await readBranding(site.url, { projectId, userId });
      if (!branding) return 'unread';
      await knowledge.saveBranding({ projectId, userId, url: site.url }, branding);
      return 'read';
    },
  };

  async function drawn(branding: { colors: Record<string, string | undefined> } | null) {
    if (!branding) return null;
    const { text, accent, background } = branding.colors;
    try {
      return await drawBrandingCard({
        ...(text && { text }),
        ...(accent && { accent }),
        ...(background && { background }),
      });
    } catch (err) {
      log.warn({ err }, 'colours could not be drawn');
      return null;
    }
  }
}
