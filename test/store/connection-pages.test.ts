import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeConnectionPages } from '../../src/store/connection-pages.ts';
import { makeConnections } from '../../src/store/connections.ts';
import { makePublicationList } from '../../src/store/publication-list.ts';
import { makeSchedules } from '../../src/store/schedules.ts';
import { createSealing } from '../../src/store/sealing.ts';
import { makeSiteKnowledge } from '../../src/store/site-knowledge.ts';
import { aCategory, aConnection, aDraft, aProject, aPublication, aSchedule, aUser } from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

const sealing = createSealing([randomBytes(32).toString('base64url')]);
const called = (name: string) => ({ identifier: name, name });
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
        { id: site, platform: 'wordpress', ...called('wordpress.example'), status: 'active' },
        { id: channel, platform: 'telegram', ...called('telegram.example'), status: 'error' },
      ],
    });
  });

  it('shows a channel by the name its owner gave it, else by what the platform calls it', async () => {
    const { userId, projectId, pages } = await aPerson();
    const connections = makeConnections(sql(), sealing);
    const channel = { projectId, platform: 'telegram', identifier: '-1001', credentials: {} } as const;
    const id = (await connections.save(userId, { ...channel, metadata: { title: '@cvety' } }))!;
    const nameNow = async () => (await pages.card(userId, id))?.name;
    expect(await nameNow()).toBe('@cvety');
    expect(await pages.rename(userId, id, 'Главный канал')).toBe(true);
    await connections.save(userId, { ...channel, metadata: { title: '@cvety_new' } });
    expect(await nameNow(), 'connected again').toBe('Главный канал');
    const categoryId = await aCategory(sql(), projectId);
    const [slot] = await makeSchedules(sql()).ofCategory(userId, categoryId);
    expect(slot, 'among the schedules').toMatchObject({ place: 'Главный канал', target: '-1001' });
    await aPublication(sql(), { userId, projectId, platform: 'telegram' });
    await sql()`update publication_logs set connection_id = ${id} where project_id = ${projectId}`;
    const publications = await makePublicationList(sql()).list(userId, projectId);
    expect(publications?.items[0]?.place, 'among what was published').toBe('Главный канал');
    expect(await pages.rename(userId + 1, id, 'Чужой')).toBe(false);
    expect(await pages.rename(userId, id, null)).toBe(true);
    expect(await nameNow()).toBe('@cvety_new');
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
      settings: { rubrics: [], tags: [], robots: null, schemaType: null },
      homelessDraft: null,
      waitingPost: null,
    });
    await connections.note(id, {
      status: 'error',
      metadata: {
        lastError: 'Нет.',
        internalLinks: ['a', 'b'],
        wpCategories: [{ id: 1, name: 'Советы' }],
        wpTags: [{ id: 2, name: 'окна' }],
        seoRobots: 'noindex, follow',
      },
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
      settings: { rubrics: ['Советы'], tags: ['окна'], robots: 'noindex, follow', schemaType: null },
      createdAt: expect.any(Date),
    });
  });

  it('tells of the newest article of the project that has no site to go to', async () => {
    const { userId, projectId, pages } = await aPerson();
    const site = await aConnection(sql(), projectId, 'wordpress');
    const place = { userId, projectId, categoryId: await aCategory(sql(), projectId), tokens: 1 };
    await aDraft(sql(), place);
    expect(await pages.card(userId, site), 'not before it is written').toMatchObject({ homelessDraft: null });
    const [older, newest] = [await aDraft(sql(), place), await aDraft(sql(), place)];
    await sql()`update article_previews set title = 'Окна', content_html = '' where id in (${older}, ${newest})`;
    expect(await pages.card(userId, site)).toMatchObject({ homelessDraft: { id: newest, title: 'Окна' } });
    await sql()`update article_previews set connection_id = ${site} where project_id = ${projectId}`;
    expect(await pages.card(userId, site)).toMatchObject({ homelessDraft: null });
  });

  it('tells of the newest post that was refused and waits, for connections of its platform', async () => {
    const { userId, projectId, pages } = await aPerson();
    const [channel, wall] = [
      await aConnection(sql(), projectId, 'telegram'),
      await aConnection(sql(), projectId, 'vk'),
    ];
    const place = { userId, projectId, categoryId: await aCategory(sql(), projectId), tokens: 1 };
    const post = await aDraft(sql(), place);
    await sql()`
      update article_previews set content_type = 'social_post', content_html = 'Окна', keyword = 'окна',
        details = '{"platform": "telegram", "kept": true}' where id = ${post}`;
    expect(await pages.card(userId, channel)).toMatchObject({
      waitingPost: { id: post, phrase: 'окна', isHere: false },
    });
    await sql()`update article_previews set connection_id = ${channel} where id = ${post}`;
    expect(await pages.card(userId, channel)).toMatchObject({ waitingPost: { isHere: true } });
    expect(await pages.card(userId, wall)).toMatchObject({ waitingPost: null });
    await sql()`update article_previews set status = 'published' where id = ${post}`;
    expect(await pages.card(userId, channel)).toMatchObject({ waitingPost: null });
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
