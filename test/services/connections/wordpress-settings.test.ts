import { beforeEach, describe, expect, it } from 'vitest';
import { WordPressFailed } from '../../../src/clients/wordpress-failed.ts';
import { makeWordPressSettings } from '../../../src/services/connections/wordpress-settings.ts';
import type { Connection } from '../../../src/store/connections.ts';

const OWNER = 1;
let site: Connection;
beforeEach(() => {
  site = {
    id: 3,
    projectId: 5,
    projectName: 'Ромашка',
    platform: 'wordpress',
    status: 'active',
    identifier: 'romashka.ru',
    metadata: { restRoot: 'https://romashka.ru/wp-json/' },
    createdAt: new Date(0),
  };
});

type Deps = Parameters<typeof makeWordPressSettings>[0];
const settings = (more: Partial<Deps> = {}) =>
  makeWordPressSettings({
    find: async (userId) => (userId === OWNER ? site : null),
    credentials: async () => ({ url: 'https://romashka.ru/', login: 'anna', app_password: 'abcd' }),
    async note(_, { metadata }) {
      site = { ...site, metadata: { ...site.metadata, ...metadata } };
    },
    listRubrics: async () => [
      { id: 1, name: 'Советы' },
      { id: 8, name: 'Букеты &amp; розы' },
    ],
    patienceMs: 20,
    ...more,
  });

describe('how articles are filed on a site', () => {
  it('is by the bot’s own category until something else was chosen', async () => {
    expect(await settings().read(OWNER, 3)).toEqual({
      identifier: 'romashka.ru',
      rubrics: [],
      schemaType: null,
    });
  });

  it('is asked of the site with its own password', async () => {
    let asked: unknown;
    const listRubrics = async (access: unknown) => {
      asked = access;
      return [];
    };
    await settings({ listRubrics }).rubrics(OWNER, 3);
    expect(asked).toEqual({
      restRoot: 'https://romashka.ru/wp-json/',
      login: 'anna',
      appPassword: 'abcd',
    });
  });

  it('remembers rubrics by name, and forgets them at the second press', async () => {
    await settings().toggleRubric(OWNER, 3, 8);
    await settings().toggleRubric(OWNER, 3, 1);
    expect(await settings().read(OWNER, 3)).toMatchObject({ rubrics: ['Букеты & розы', 'Советы'] });
    await settings().toggleRubric(OWNER, 3, 8);
    expect(await settings().rubrics(OWNER, 3)).toMatchObject({
      rubrics: [
        { id: 1, chosen: true },
        { id: 8, chosen: false },
      ],
    });
  });

  it('keeps what was chosen and is no longer on the list', async () => {
    site = { ...site, metadata: { ...site.metadata, wpCategories: ['Архив'] } };
    await settings().toggleRubric(OWNER, 3, 1);
    await settings().toggleRubric(OWNER, 3, 404);
    expect(await settings().read(OWNER, 3)).toMatchObject({ rubrics: ['Архив', 'Советы'] });
  });

  it('stays as it is while the site does not answer, and says why', async () => {
    await settings().toggleRubric(OWNER, 3, 1);
    const failure = new WordPressFailed('wrong-password', 'the terms');
    const broken = settings({ listRubrics: () => Promise.reject(failure) });
    expect(await broken.toggleRubric(OWNER, 3, 1)).toBe(true);
    expect(await broken.rubrics(OWNER, 3)).toMatchObject({ failure: failure.userMessage });
    const silent = settings({
      listRubrics: (_, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
    });
    expect(await silent.rubrics(OWNER, 3)).toMatchObject({ failure: expect.stringContaining('не ответил') });
    expect(await settings().read(OWNER, 3)).toMatchObject({ rubrics: ['Советы'] });
  });

  it('takes the kind of markup', async () => {
    expect(await settings().chooseSchema(OWNER, 3, 'NewsArticle')).toBe(true);
    expect(await settings().read(OWNER, 3)).toMatchObject({ schemaType: 'NewsArticle' });
  });

  it('is nobody else’s business, and not for other platforms', async () => {
    site = { ...site, platform: 'vk' };
    for (const userId of [OWNER, OWNER + 1]) {
      expect(await settings().read(userId, 3)).toBeNull();
      expect(await settings().rubrics(userId, 3)).toBeNull();
      expect(await settings().toggleRubric(userId, 3, 1)).toBe(false);
      expect(await settings().chooseSchema(userId, 3, 'Article')).toBe(false);
    }
  });
});
