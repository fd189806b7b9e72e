import { randomUUID } from 'node:crypto';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import { RateLimited } from '../errors.ts';
import type { Log } from '../log.ts';
import type { BrandingData } from '../menu/branding.ts';
import { articlePlatforms } from '../platforms/platforms.ts';
import type { BrandColour } from '../screens/pages/branding.ts';
import { isHexColour, isReadable } from '../services/content/contrast.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import { drawBrandingCard } from '../services/site/branding-card.ts';
import { makeRefreshSite } from '../services/site/refresh-site.ts';
import type { Connections } from '../store/connections.ts';
import type { Sql } from '../store/database.ts';
import { makeSiteKnowledge } from '../store/site-knowledge.ts';
import type { Writing } from './writing.ts';

type Ground = {
  sql: Sql;
  keyValues: KeyValueStore;
  limits: RateLimits;
  connections: Pick<Connections, 'list' | 'notePages'>;
  writing: Pick<Writing, 'readBranding' | 'mapSite'>;
  log: Log;
};

/** How a project's site looks: read from the site, changed by hand, shown as a piece of an article. */
export function composeBranding(ground: Ground): BrandingData {
  const { sql, keyValues, limits, connections, writing, log } = ground;
  const knowledge = makeSiteKnowledge(sql);
  const refresh = makeRefreshSite({
    ...writing,
    saveBranding: knowledge.saveBranding,
    savePages: connections.notePages,
    connectedSites,
    async forget(projectId) {
      for (const what of ['branding', 'map']) await keyValues.delete(`${what}:${projectId}`);
    },
  });
  return {
    async page(userId, projectId) {
      const site = await knowledge.siteOf(userId, projectId);
      if (!site) return null;
      const branding = await knowledge.brandingOf(userId, projectId);
      const { projectName, timezone, url } = site;
      const faint = branding ? faintOf(branding.colors) : [];
      const picture = await drawn(branding && readable(branding.colors, faint));
      return { projectId, projectName, timezone, url, branding, faint, picture };
    },
    setColour: knowledge.setColour,
    async read(userId, projectId) {
      const site = await knowledge.siteOf(userId, projectId);
      if (!site) return null;
      if (site.url === null) return { branding: false, pages: null };
      const attempt = `site_refresh:${randomUUID()}`;
      try {
        await limits.reserve(attempt, userId, { site_refresh: 1 });
      } catch (error) {
        if (error instanceof RateLimited) return { refused: error.userMessage };
        throw error;
      }
      const refreshed = await refresh({ projectId, userId, url: site.url });
      // A site that was away does not use up the day.
      const isRead = refreshed.branding || refreshed.pages !== null;
      await limits.settle(attempt, userId, { site_refresh: isRead ? 1 : 0 });
      return refreshed;
    },
  };

  async function connectedSites(userId: number, projectId: number) {
    const all = (await connections.list(userId, projectId)) ?? [];
    return all
      .filter(({ platform }) => articlePlatforms.includes(platform))
      .map(({ id, metadata, identifier }) => ({
        connectionId: id,
        url: typeof metadata.url === 'string' ? metadata.url : `https://${identifier}`,
      }));
  }

  async function drawn(colours: Colours | null) {
    if (!colours) return null;
    const { text, accent, background } = colours;
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

type Colours = Partial<Record<BrandColour, string>>;

/** As the article does it (`render-article.ts`): what cannot be read is not painted. */
function faintOf(colours: Colours): BrandColour[] {
  const { background } = colours;
  return (['text', 'accent'] as const).filter((key) => {
    const colour = colours[key];
    return isHexColour(colour) && !isReadable(colour, background);
  });
}

const readable = (colours: Colours, faint: readonly BrandColour[]): Colours =>
  Object.fromEntries(Object.entries(colours).filter(([key]) => !faint.includes(key as BrandColour)));
