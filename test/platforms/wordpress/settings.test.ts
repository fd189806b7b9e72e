import { beforeEach, describe, expect, it } from 'vitest';
import { WordPressFailed } from '../../../src/platforms/wordpress/client-failed.ts';
import { makeWordPressSettings } from '../../../src/platforms/wordpress/settings.ts';
import type { Connection } from '../../../src/store/connections.ts';

const OWNER = 1;
const SITE = 3;
let site: Connection;
let onSite: { id: number; name: string }[];
beforeEach(() => {
  site = {
    id: SITE,
    projectId: 5,
    projectName: 'Ромашка',
    platform: 'wordpress',
    status: 'active',
    identifier: 'romashka.ru',
    metadata: { restRoot: 'https://romashka.ru/wp-json/', seoPlugin: 'yoast' },
    createdAt: new Date(0),
  };
  onSite = [
    { id: 1, name: 'Советы' },
    { id: 8, name: 'Букеты &amp; розы' },
  ];
});

type Deps = Parameters<typeof makeWordPressSettings>[0];
const settings = (more: Partial<Deps> = {}) =>
  makeWordPressSettings({
    find: async (userId) => (userId === OWNER ? site : null),
    credentials: async () => ({ url: 'https://romashka.ru/', login: 'anna', app_password: 'abcd' }),
    async note(_, { metadata }) {
      site = { ...site, metadata: { ...site.metadata, ...metadata } };
    },
    listTerms: async (_access, _taxonomy, { page, perPage }) => ({
      terms: onSite.slice((page - 1) * perPage, page * perPage),
      total: onSite.length,
    }),
    termsById: async (_access, _taxonomy, ids) => onSite.filter(({ id }) => ids.includes(id)),
    indexing: true,
    perPage: 8,
    mostTerms: 10,
    patienceMs: 20,
    ...more,
  });

const mark = (id: number) => settings().markTerm(OWNER, SITE, 'categories', id, true);
const unmark = (id: number) => settings().markTerm(OWNER, SITE, 'categories', id, false);
const rubrics = (page = 1) => settings().terms(OWNER, SITE, 'categories', page);

describe('how articles are filed on a site', () => {
  it('is by the bot’s own category and phrase, open to search engines, until something else was chosen', async () => {
    expect(await settings().read(OWNER, SITE)).toEqual({
      identifier: 'romashka.ru',
      rubrics: [],
      tags: [],
      robots: null,
      schemaType: null,
      seoPlugin: 'yoast',
      indexing: true,
    });
  });

  it('is asked of the site with its own password', async () => {
    let asked: unknown;
    const listTerms: Deps['listTerms'] = async (access, taxonomy) => {
      asked = { ...access, taxonomy };
      return { terms: [], total: 0 };
    };
    await settings({ listTerms }).terms(OWNER, SITE, 'tags', 1);
    const access = { restRoot: 'https://romashka.ru/wp-json/', login: 'anna', appPassword: 'abcd' };
    expect(asked).toEqual({ ...access, taxonomy: 'tags' });
  });

  it('remembers rubrics with their number and name, until they are unmarked', async () => {
    expect(await mark(8)).toBe('done');
    await mark(1);
    expect(await settings().read(OWNER, SITE)).toMatchObject({ rubrics: ['Букеты & розы', 'Советы'] });
    expect(site.metadata.wpCategories).toEqual([
      { id: 8, name: 'Букеты & розы' },
      { id: 1, name: 'Советы' },
    ]);
    await unmark(8);
    const items = [{ chosen: true }, { chosen: false }];
    expect(await rubrics()).toMatchObject({ terms: { items }, lost: [] });
  });

  it('is the same after a press that came twice', async () => {
    for (const press of [mark, mark]) expect(await press(8)).toBe('done');
    expect(await settings().read(OWNER, SITE)).toMatchObject({ rubrics: ['Букеты & розы'] });
    for (const press of [unmark, unmark]) expect(await press(8)).toBe('done');
    expect(await settings().read(OWNER, SITE)).toMatchObject({ rubrics: [] });
  });

  it('keeps tags apart from rubrics', async () => {
    await settings().markTerm(OWNER, SITE, 'tags', 1, true);
    expect(await settings().read(OWNER, SITE)).toMatchObject({ rubrics: [], tags: ['Советы'] });
  });

  it('comes in pages of eight; one that is no more becomes the last there is', async () => {
    onSite = Array.from({ length: 17 }, (_, index) => ({ id: index + 1, name: `Рубрика ${index + 1}` }));
    expect(await rubrics(2)).toMatchObject({ terms: { page: 2, pages: 3, count: 17, items: { length: 8 } } });
    expect(await rubrics(9)).toMatchObject({ terms: { page: 3, pages: 3, items: [{ id: 17 }] } });
    expect(await rubrics(0)).toMatchObject({ terms: { page: 1 } });
  });

  it('is empty where the site has nothing to choose from', async () => {
    onSite = [];
    expect(await rubrics()).toMatchObject({ terms: { items: [], pages: 1, count: 0 }, lost: [] });
  });

  it('names what was chosen and is gone from the site, and lets it be taken back', async () => {
    await mark(8);
    onSite = onSite.filter(({ id }) => id !== 8);
    expect(await rubrics()).toMatchObject({ lost: [{ id: 8, name: 'Букеты & розы' }] });
    expect(await unmark(8)).toBe('done');
    expect(await settings().read(OWNER, SITE)).toMatchObject({ rubrics: [] });
    expect(await mark(8)).toBe('gone');
  });

  it('takes ten and no more', async () => {
    onSite = Array.from({ length: 11 }, (_, index) => ({ id: index + 1, name: `Рубрика ${index + 1}` }));
    for (const { id } of onSite.slice(0, 10)) await mark(id);
    expect(await mark(11)).toBe('full');
    expect(await mark(10)).toBe('done');
    expect(await settings().read(OWNER, SITE)).toMatchObject({ rubrics: { length: 10 } });
  });

  it('stays as it is while the site does not answer, and says why', async () => {
    await mark(1);
    const failure = new WordPressFailed('wrong-password', 'the terms');
    const refuse = () => Promise.reject(failure);
    const broken = settings({ listTerms: refuse, termsById: refuse });
    expect(await broken.markTerm(OWNER, SITE, 'categories', 8, true)).toBe('unanswered');
    expect(await broken.terms(OWNER, SITE, 'categories', 1)).toMatchObject({ failure: failure.userMessage });
    const silent = settings({
      listTerms: (_access, _taxonomy, _page, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
    });
    expect(await silent.terms(OWNER, SITE, 'categories', 1)).toMatchObject({
      failure: expect.stringContaining('не ответил'),
    });
    expect(await settings().read(OWNER, SITE)).toMatchObject({ rubrics: ['Советы'] });
  });

  it('takes the kind of markup, and whether search engines may list it', async () => {
    expect(await settings().chooseSchema(OWNER, SITE, 'NewsArticle')).toBe(true);
    expect(await settings().chooseRobots(OWNER, SITE, 'noindex, follow')).toBe(true);
    expect(await settings().read(OWNER, SITE)).toMatchObject({
      schemaType: 'NewsArticle',
      robots: 'noindex, follow',
    });
  });

  it('is nobody else’s business, and not for other platforms', async () => {
    site = { ...site, platform: 'vk' };
    for (const userId of [OWNER, OWNER + 1]) {
      expect(await settings().read(userId, SITE)).toBeNull();
      expect(await settings().terms(userId, SITE, 'tags', 1)).toBeNull();
      expect(await settings().markTerm(userId, SITE, 'tags', 1, true)).toBeNull();
      expect(await settings().chooseSchema(userId, SITE, 'Article')).toBe(false);
      expect(await settings().chooseRobots(userId, SITE, 'index, follow')).toBe(false);
    }
  });
});
