import { describe, expect, it } from 'vitest';
import { makeRefreshSite } from '../../../src/services/site/refresh-site.ts';

const branding = { colors: { accent: '#9c2f10' }, fonts: { heading: null, body: null }, logoUrl: null };
const site = { projectId: 3, userId: 7, url: 'https://shop.example' };

function refreshing(ports: { looks?: typeof branding | null; pages?: string[] } = {}) {
  const { looks = branding, pages = ['https://shop.example/ceny', 'https://other.example/'] } = ports;
  const done: unknown[] = [];
  const refresh = makeRefreshSite({
    readBranding: async () => looks as never,
    mapSite: async () => pages,
    forget: async (projectId) => void done.push(['forget', projectId]),
    saveBranding: async () => void done.push(['branding']),
    connectedSites: async () => [{ connectionId: 5, url: 'https://shop.example' }],
    savePages: async (connectionId, found) => void done.push(['pages', connectionId, found]),
  });
  return { done, refresh: () => refresh(site) };
}

describe('a site that is read anew', () => {
  it('is asked itself, not what was remembered of it, for its looks and its pages', async () => {
    const { refresh, done } = refreshing();
    expect(await refresh()).toEqual({ branding: true, pages: 1 });
    expect(done).toEqual([['forget', 3], ['pages', 5, ['https://shop.example/ceny']], ['branding']]);
  });

  it('keeps what was known of its pages when they cannot be read, and the other way round', async () => {
    const mute = refreshing({ pages: [] });
    expect(await mute.refresh()).toEqual({ branding: true, pages: null });
    expect(mute.done).toEqual([['forget', 3], ['branding']]);
    const colourless = refreshing({ looks: null });
    expect(await colourless.refresh()).toEqual({ branding: false, pages: 1 });
    expect(colourless.done).not.toContainEqual(['branding']);
  });
});
