import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../../../src/clients/http/guarded-fetch.ts';
import { createWordPress } from '../../../src/platforms/wordpress/client.ts';
import { makeSitePages } from '../../../src/platforms/wordpress/site-pages.ts';
import { startWordPressStandIn, type WordPressStandIn } from '../../../src/sandbox/wordpress/start.ts';
import { makeIsThere } from '../../../src/services/site/is-there.ts';
import type { Connection } from '../../../src/store/connections.ts';

const PASSWORD = 'sand boxa dmin pass word 0001';
const pages = [
  { slug: 'ceny', title: 'Цены на кухни &amp; шкафы', text: 'Цены' },
  { slug: 'sample-page', title: 'Пример страницы', text: '' },
];
const fetch = createGuardedFetch({ allowPrivate: true });
let site: WordPressStandIn;
let metadata: Record<string, unknown>;
let remembered: string[] = [];

beforeEach(async () => {
  site = await startWordPressStandIn({ sites: { '': { settings: { pages } } } });
  metadata = { url: site.url };
});
afterEach(() => site.close());

const own = () =>
  makeSitePages({
    wordpress: createWordPress({ fetch, allowHttp: true, waitMs: () => 1 }),
    find: async () => ({ identifier: '127.0.0.1', metadata }) as unknown as Connection,
    pagesOf: async () => remembered,
    credentials: async () => ({ url: site.url, login: 'admin', app_password: PASSWORD }),
    isThere: makeIsThere(fetch),
    log: pino({ level: 'silent' }),
    patienceMs: 5_000,
  });
const nearest = (phrase: string) =>
  own().nearest({ userId: 1, connectionId: 2, phrase }, new AbortController().signal);
const post = (id: number, slug: string, title: string, status = 'publish') =>
  site.site().posts.put(id, {
    ...{ id, author: 1, status, slug, title, content: '', excerpt: '', featuredMedia: 0 },
    ...{ categories: [], tags: [], meta: {}, madeAt: '2026-01-01T00:00:00Z' },
  });

describe('what an article may lead to on the connected site', () => {
  it('is what the site has published, by its titles, the nearest to the phrase first', async () => {
    post(1, 'fasady', 'Фасады для кухни: плёнка или эмаль');
    post(2, 'chernovik', 'Кухня мечты', 'draft');
    post(3, 'shkafy', 'Шкафы в прихожую');
    expect(await nearest('кухни на заказ')).toEqual([
      { url: `${site.url}/ceny/`, hint: 'Цены на кухни & шкафы' },
      { url: `${site.url}/fasady/`, hint: 'Фасады для кухни: плёнка или эмаль' },
      { url: `${site.url}/shkafy/`, hint: 'Шкафы в прихожую' },
    ]);
    for (const { url } of await nearest('кухни')) expect((await globalThis.fetch(url)).status).toBe(200);
  });

  it('is read hundred by hundred', async () => {
    for (let id = 1; id <= 230; id += 1) post(id, `p${id}`, `Статья ${id}`);
    expect(await own().read(1, 2)).toHaveLength(231);
  });

  it('keeps the addresses of a site that does not rewrite them', async () => {
    site.site().change({ permalinks: 'plain', pages: [] });
    post(7, 'a', 'Кухня из дуба');
    post(8, 'b', 'Кухня из сосны');
    expect((await nearest('кухни')).map(({ url }) => url).toSorted()).toEqual([
      `${site.url}/?p=7`,
      `${site.url}/?p=8`,
    ]);
  });

  it('is what was learned before, as far as it still opens, when the site hides its lists', async () => {
    site.faults.add({ match: 'wp-json', times: null, fault: { kind: 'status', status: 403 } });
    metadata.restRoot = `${site.url}/wp-json/`;
    remembered = [`${site.url}/staraya-stranitsa/`, `${site.url}/ceny/`];
    expect(await nearest('кухни')).toEqual([{ url: `${site.url}/ceny/`, hint: 'ceny' }]);
  });
});
