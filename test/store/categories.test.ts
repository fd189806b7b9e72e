import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { NotFound } from '../../src/errors.ts';
import { makeSaveCategory } from '../../src/services/projects/save-category.ts';
import { makeCategories } from '../../src/store/categories.ts';
import { createOperations } from '../../src/store/operations.ts';
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

const clusters = [
  {
    cluster_name: 'окна',
    cluster_type: 'article',
    phrases: [{ phrase: 'окна пвх' }, { phrase: 'окна купить' }],
  },
  { cluster_name: 'балконы', cluster_type: 'product_page', phrases: [{ phrase: 'балкон под ключ' }] },
];

forEachDatabase((sql) => {
  const categories = () => makeCategories(sql());

  it("is created in a person's own project, and in no other", async () => {
    const [userId, other] = [await aUser(sql()), await aUser(sql())];
    const projectId = await aProject(sql(), userId);
    const save = makeSaveCategory({
      operations: createOperations(sql()),
      insertCategory: categories().insert,
    });
    const saved = (by: number) => save({ key: randomUUID(), userId: by, projectId, name: 'Балконы' });
    await expect(saved(other)).rejects.toThrow(NotFound);
    const { categoryId: id } = await saved(userId);
    expect(await categories().list(userId, projectId)).toEqual({
      projectName: 'Окна Плюс',
      categories: [{ id, name: 'Балконы' }],
    });
    expect(await categories().card(userId, id)).toEqual({
      id,
      name: 'Балконы',
      projectId,
      projectName: 'Окна Плюс',
      hasDescription: false,
      clusters: 0,
      phrases: 0,
      hasPrices: false,
      reviews: 0,
      media: 0,
      platforms: [],
    });
  });

  it('lists the newest first', async () => {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    const [first, second] = [await aCategory(sql(), projectId), await aCategory(sql(), projectId)];
    const listed = await categories().list(userId, projectId);
    expect(listed?.categories.map(({ id }) => id)).toEqual([second, first]);
  });

  it('shows what is filled', async () => {
    const userId = await aUser(sql());
    const id = await aCategory(sql(), await aProject(sql(), userId), clusters);
    await sql()`
      update categories set description = 'Всё о балконах', prices = 'Балкон — 10000',
        reviews = '[{"author":"Анна"}]', media = '[{"file_id":"1"},{"file_id":"2"}]'
      where id = ${id}`;
    expect(await categories().card(userId, id)).toMatchObject({
      hasDescription: true,
      clusters: 2,
      phrases: 3,
      hasPrices: true,
      reviews: 1,
      media: 2,
      platforms: [],
    });
  });

  it('counts a flat list of phrases, and survives keywords that are no list', async () => {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    const flat = await aCategory(sql(), projectId, [{ phrase: 'двери' }, { phrase: 'двери купить' }]);
    expect(await categories().card(userId, flat)).toMatchObject({ clusters: 0, phrases: 2 });
    const damaged = await aCategory(sql(), projectId, { oops: true });
    await sql()`update categories set reviews = null, media = '"x"' where id = ${damaged}`;
    expect(await categories().card(userId, damaged)).toMatchObject({
      clusters: 0,
      phrases: 0,
      reviews: 0,
      media: 0,
      platforms: [],
    });
  });

  it('tells what goes with it', async () => {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    const categoryId = await aCategory(sql(), projectId, clusters);
    await aSchedule(sql(), categoryId, await aConnection(sql(), projectId, 'wordpress'), true);
    await aDraft(sql(), { userId, projectId, categoryId, tokens: 320 });
    expect(await categories().deletionCounts(userId, categoryId)).toEqual({
      name: 'Балконы',
      projectId,
      phrases: 3,
      schedules: 1,
      drafts: 1,
      draftTokens: 320,
    });
  });

  it('goes once, gives the tokens of its open drafts back, and leaves the log', async () => {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    const [categoryId, staying] = [await aCategory(sql(), projectId), await aCategory(sql(), projectId)];
    await aDraft(sql(), { userId, projectId, categoryId, tokens: 320 });
    await aDraft(sql(), { userId, projectId, categoryId: staying, tokens: 100 });
    await aPublication(sql(), { userId, projectId });
    await sql()`update publication_logs set category_id = ${categoryId} where project_id = ${projectId}`;

    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => categories().remove(userId, categoryId)),
    );
    expect(outcomes.filter((outcome) => outcome !== null)).toEqual([{ projectId, refunded: 320 }]);
    expect(await balanceOf(sql(), userId)).toBe(1400);
    expect(await categories().card(userId, staying)).not.toBeNull();
    expect(await sql()`select category_id from publication_logs where project_id = ${projectId}`).toEqual([
      { category_id: null },
    ]);
    expect(await unbalanced(sql())).toEqual([]);
  });

  it('is not found by anybody else', async () => {
    const [owner, other] = [await aUser(sql()), await aUser(sql())];
    const projectId = await aProject(sql(), owner);
    const categoryId = await aCategory(sql(), projectId);
    expect(await categories().list(other, projectId)).toBeNull();
    expect(await categories().card(other, categoryId)).toBeNull();
    expect(await categories().deletionCounts(other, categoryId)).toBeNull();
    expect(await categories().remove(other, categoryId)).toBeNull();
    expect(await categories().card(owner, categoryId)).not.toBeNull();
  });
});
