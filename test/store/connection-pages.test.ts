import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeConnectionPages } from '../../src/store/connection-pages.ts';
import { makeConnections } from '../../src/store/connections.ts';
import { createSealing } from '../../src/store/sealing.ts';
import { makeSiteKnowledge } from '../../src/store/site-knowledge.ts';
import { aCategory, aConnection, aProject, aSchedule, aUser } from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

const sealing = createSealing([randomBytes(32).toString('base64url')]);
const colors = { background: '#fff', text: '#333', accent: '#06c', primary: '#06c', secondary: '#999' };

forEachDatabase((sql) => {
  it('lists the connections of a project, the oldest first, beside its name and site', async () => {
    const { userId, projectId, pages } = await aPerson();
    await sql()`update projects set website_url = 'https://romashka.ru' where id = ${projectId}`;
    const site = await aConnection(sql(), projectId, 'wordpress');
    const channel = await aConnection(sql(), projectId, 'telegram', 'error');
    expect(await pages.list(userId, projectId)).toEqual({
      projectName: 'Окна Плюс',
      website: 'https://romashka.ru',
      connections: [
        { id: site, platform: 'wordpress', identifier: 'wordpress.example', status: 'active' },
        { id: channel, platform: 'telegram', identifier: 'telegram.example', status: 'error' },
      ],
    });
  });

  it('tells all about one: its state, its schedules, what was learned of its site', async () => {
    const { userId, projectId, pages } = await aPerson();
    const connections = makeConnections(sql(), sealing);
    const id = (await connections.save(userId, {
      projectId,
      platform: 'wordpress',
      identifier: 'romashka.ru',
      credentials: {},
      metadata: { url: 'https://romashka.ru/' },
    }))!;
    expect(await pages.card(userId, id)).toMatchObject({
      projectName: 'Окна Плюс',
      timezone: 'Europe/Moscow',
      url: 'https://romashka.ru/',
      lastError: null,
      schedules: 0,
      links: null,
      colors: null,
    });
    await connections.note(id, {
      status: 'error',
      metadata: { lastError: 'Нет.', internalLinks: ['a', 'b'] },
    });
    await aSchedule(sql(), await aCategory(sql(), projectId), id, true);
    const fonts = { heading: null, body: null };
    const site = { projectId, userId, url: 'https://romashka.ru/' };
    await makeSiteKnowledge(sql()).saveBranding(site, { colors, fonts, logoUrl: null });
    expect(await pages.card(userId, id)).toMatchObject({
      status: 'error',
      lastError: 'Нет.',
      schedules: 1,
      links: 2,
      colors: ['#fff', '#333', '#06c'],
      createdAt: expect.any(Date),
    });
  });

  it('shows nothing to anybody else', async () => {
    const { projectId, pages } = await aPerson();
    const id = await aConnection(sql(), projectId, 'wordpress');
    const stranger = await aUser(sql());
    expect(await pages.list(stranger, projectId)).toBeNull();
    expect(await pages.card(stranger, id)).toBeNull();
  });

  async function aPerson() {
    const userId = await aUser(sql());
    return { userId, projectId: await aProject(sql(), userId), pages: makeConnectionPages(sql()) };
  }
});
