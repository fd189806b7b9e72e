import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type ProjectField, projectFields } from '../../machines/project-fields.ts';
import { makeSaveProject } from '../../src/services/projects/save-project.ts';
import type { SiteProfile } from '../../src/services/site/read-site.ts';
import { createOperations } from '../../src/store/operations.ts';
import { makeProjects } from '../../src/store/projects.ts';
import { insertSiteProject } from '../../src/store/site-projects.ts';
import {
  aCategory,
  aConnection,
  aDraft,
  aProject,
  aPublication,
  aSchedule,
  aUser,
  balanceOf,
  unbalanced,
} from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

const newProject = {
  name: 'Окна Плюс',
  companyName: 'ООО «Окна»',
  specialization: 'пластиковые окна',
  websiteUrl: 'https://okna.example',
};
const clusters = [
  {
    cluster_name: 'окна',
    cluster_type: 'article',
    phrases: [{ phrase: 'окна пвх' }, { phrase: 'окна купить' }],
  },
  { cluster_name: 'пустой', cluster_type: 'article' },
];
const flatPhrases = [{ phrase: 'двери' }, { phrase: 'двери купить' }, { phrase: 'двери москва' }];

const profileOf = async (): Promise<SiteProfile> => ({
  name: 'Окна',
  companyName: 'Окна',
  specialization: 'окна',
  ...{ city: 'Тула', phone: '+7 900 000-00-00', accent: '#ff0000', isForeign: false },
  branding: {
    colors: {
      background: '#ffffff',
      text: '#333333',
      accent: '#ff0000',
      primary: '#ff0000',
      secondary: '#333333',
    },
    fonts: { heading: null, body: null },
    logoUrl: null,
  },
  topics: [
    { name: 'Окна', about: 'Ставим окна', phrases: ['как выбрать окна', 'чем мыть окна'] },
    { name: 'Двери', about: 'Ставим двери', phrases: ['как выбрать двери'] },
    { name: 'Балконы', about: '', phrases: ['как утеплить балкон'] },
  ],
  numbers: [{ phrase: 'чем мыть окна', volume: 900, difficulty: 10, cpc: null, intent: 'informational' }],
});

forEachDatabase((sql) => {
  const projects = () => makeProjects(sql());

  it('makes a project of a card once: corrected facts, colours, and the topics that were kept', async () => {
    const userId = await aUser(sql());
    const save = makeSaveProject({
      operations: createOperations(sql()),
      insertProject: projects().insert,
      ...{ insertSiteProject, profileOf },
    });
    const site = { reading: 'r', city: 'Казань', phone: null, topics: [0, 2] };
    const order = { key: randomUUID(), userId, ...newProject, site };
    const [{ projectId }, again] = [await save(order), await save(order)];
    expect(again).toEqual({ projectId });
    expect((await projects().fields(userId, projectId))?.values).toMatchObject({
      company_city: 'Казань',
      company_phone: null,
      website_url: newProject.websiteUrl,
    });
    expect(
      await sql()`select name, description, jsonb_array_length(keywords) as phrases, keywords -> 0 ->> 'main_phrase' as first
        from categories where project_id = ${projectId} order by id desc`,
    ).toEqual([
      { name: 'Окна', description: 'Ставим окна', phrases: 2, first: 'чем мыть окна' },
      { name: 'Балконы', description: null, phrases: 1, first: 'как утеплить балкон' },
    ]);
    expect(
      await sql()`select colors ->> 'accent' as accent from site_brandings where project_id = ${projectId}`,
    ).toEqual([{ accent: '#ff0000' }]);
  });

  it('shows a new project with its four answers and eleven empty fields', async () => {
    const userId = await aUser(sql());
    const save = makeSaveProject({
      operations: createOperations(sql()),
      insertProject: projects().insert,
      ...{ insertSiteProject, profileOf },
    });
    const { projectId: id } = await save({ key: randomUUID(), userId, ...newProject });
    expect(await projects().card(userId, id)).toEqual({
      id,
      timezone: 'Europe/Moscow',
      connections: [],
      categories: 0,
      publications: 0,
      values: {
        ...Object.fromEntries(projectFields.map((field) => [field, null])),
        name: 'Окна Плюс',
        company_name: 'ООО «Окна»',
        specialization: 'пластиковые окна',
        website_url: 'https://okna.example',
      },
    });
  });

  it('shows connections with their status, and counts categories and successful publications', async () => {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    const wordpress = await aConnection(sql(), projectId, 'wordpress');
    const vk = await aConnection(sql(), projectId, 'vk', 'error');
    await aCategory(sql(), projectId);
    await aPublication(sql(), { userId, projectId });
    await aPublication(sql(), { userId, projectId, status: 'failed' });
    expect(await projects().card(userId, projectId)).toMatchObject({
      connections: [
        { id: wordpress, platform: 'wordpress', identifier: 'wordpress.example', status: 'active' },
        { id: vk, platform: 'vk', identifier: 'vk.example', status: 'error' },
      ],
      categories: 1,
      publications: 1,
    });
  });

  it("lists a person's own projects, the newest first", async () => {
    const [userId, other] = [await aUser(sql()), await aUser(sql())];
    const first = await aProject(sql(), userId, 'Первый');
    await aProject(sql(), other, 'Чужой');
    const second = await aProject(sql(), userId, 'Второй');
    expect(await projects().list(userId)).toEqual([
      { id: second, name: 'Второй' },
      { id: first, name: 'Первый' },
    ]);
  });

  it('writes every field and clears an optional one', async () => {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    for (const field of projectFields) {
      expect(await projects().setField(userId, projectId, field, `новое ${field}`)).toBe(true);
    }
    await projects().setField(userId, projectId, 'company_city', null);
    const stored = await projects().fields(userId, projectId);
    expect(stored?.values).toEqual({
      ...Object.fromEntries(projectFields.map((field) => [field, `новое ${field}`])),
      company_city: null,
    });
  });

  it('refuses a field that is none, before it becomes part of a statement', async () => {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    const field = 'user_id' as ProjectField;
    await expect(projects().setField(userId, projectId, field, '1')).rejects.toThrow(TypeError);
  });

  it('moves to another time zone', async () => {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    expect(await projects().setTimezone(userId, projectId, 'Asia/Omsk')).toBe(true);
    expect(await projects().fields(userId, projectId)).toMatchObject({ timezone: 'Asia/Omsk' });
  });

  it('tells what goes with a project, phrases of both formats counted', async () => {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    const categoryId = await aCategory(sql(), projectId, clusters);
    await aCategory(sql(), projectId, flatPhrases);
    await aSchedule(sql(), categoryId, await aConnection(sql(), projectId, 'wordpress'), false);
    await aDraft(sql(), { userId, projectId, categoryId, tokens: 320 });
    await aDraft(sql(), { userId, projectId, categoryId, tokens: 200 });
    expect(await projects().deletionCounts(userId, projectId)).toEqual({
      name: 'Окна Плюс',
      categories: 2,
      phrases: 5,
      connections: 1,
      schedules: 1,
      drafts: 2,
      draftTokens: 520,
    });
  });

  it('goes with everything in it, and gives the tokens of open drafts back', async () => {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    const categoryId = await aCategory(sql(), projectId, clusters);
    await aDraft(sql(), { userId, projectId, categoryId, tokens: 320 });
    const published = await aDraft(sql(), { userId, projectId, categoryId, tokens: 300 });
    await sql()`update article_previews set status = 'published' where id = ${published}`;
    await aPublication(sql(), { userId, projectId });
    expect(await balanceOf(sql(), userId)).toBe(880);

    expect(await projects().remove(userId, projectId)).toEqual({ refunded: 320 });
    expect(await balanceOf(sql(), userId)).toBe(1200);
    expect(await projects().remove(userId, projectId)).toBeNull();
    expect(await projects().card(userId, projectId)).toBeNull();
    expect(await sql()`select id from categories where project_id = ${projectId}`).toHaveLength(0);
    expect(await sql()`select id from publication_logs where project_id = ${projectId}`).toHaveLength(0);
    expect(await unbalanced(sql())).toEqual([]);
  });

  it('refunds once when it is deleted many times at once', async () => {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    const categoryId = await aCategory(sql(), projectId);
    await aDraft(sql(), { userId, projectId, categoryId, tokens: 320 });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => projects().remove(userId, projectId)));
    expect(outcomes.filter((outcome) => outcome !== null)).toEqual([{ refunded: 320 }]);
    expect(await balanceOf(sql(), userId)).toBe(1500);
  });

  it('returns nothing to an admin, who paid nothing', async () => {
    const userId = await aUser(sql(), { isAdmin: true });
    const projectId = await aProject(sql(), userId);
    await aDraft(sql(), { userId, projectId, categoryId: await aCategory(sql(), projectId), tokens: 320 });
    expect(await projects().deletionCounts(userId, projectId)).toMatchObject({ drafts: 1, draftTokens: 0 });
    expect(await projects().remove(userId, projectId)).toEqual({ refunded: 0 });
    expect(await balanceOf(sql(), userId)).toBe(1500);
  });

  it('is not found by anybody else', async () => {
    const [owner, other] = [await aUser(sql()), await aUser(sql())];
    const projectId = await aProject(sql(), owner);
    expect(await projects().card(other, projectId)).toBeNull();
    expect(await projects().fields(other, projectId)).toBeNull();
    expect(await projects().deletionCounts(other, projectId)).toBeNull();
    expect(await projects().setField(other, projectId, 'name', 'Чужое')).toBe(false);
    expect(await projects().setTimezone(other, projectId, 'Asia/Omsk')).toBe(false);
    expect(await projects().remove(other, projectId)).toBeNull();
    expect(await projects().fields(owner, projectId)).toMatchObject({
      timezone: 'Europe/Moscow',
      values: { name: 'Окна Плюс' },
    });
  });

  it('tells per project what was published and spent', async () => {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId, 'Окна');
    const empty = await aProject(sql(), userId, 'Пустой');
    const connection = await aConnection(sql(), projectId, 'wordpress');
    await aSchedule(sql(), await aCategory(sql(), projectId), connection, true);
    await aSchedule(sql(), await aCategory(sql(), projectId), connection, false);
    await aPublication(sql(), { userId, projectId, tokens: 320 });
    await aPublication(sql(), { userId, projectId, tokens: 40, daysAgo: 40 });
    await aPublication(sql(), { userId, projectId, tokens: 999, status: 'failed' });
    const none = { publications: 0, publicationsLast30Days: 0, tokensSpent: 0, activeSchedules: 0 };
    expect(await projects().stats(userId)).toEqual([
      { id: empty, name: 'Пустой', ...none },
      {
        id: projectId,
        name: 'Окна',
        publications: 2,
        publicationsLast30Days: 1,
        tokensSpent: 360,
        activeSchedules: 1,
      },
    ]);
  });
});
