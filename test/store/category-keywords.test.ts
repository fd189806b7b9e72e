import { expect, it } from 'vitest';
import { type CategoryKeywords, makeCategoryKeywords } from '../../src/store/category-keywords.ts';
import { aPhrase, someClusters } from '../menu/played-keywords.ts';
import { aCategory, aConnection, aProject, aSchedule, aUser } from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

forEachDatabase((sql) => {
  const store = (): CategoryKeywords => makeCategoryKeywords(sql());

  it('gives a list back as it was stored, and says how many schedules live on it', async () => {
    const { userId, projectId, categoryId } = await aPlace(someClusters);
    const connectionId = await aConnection(sql(), projectId, 'wordpress');
    await aSchedule(sql(), categoryId, connectionId, true);
    expect(await store().read(userId, categoryId)).toEqual({
      categoryName: 'Балконы',
      keywords: someClusters,
      activeSchedules: 1,
    });
  });

  it('takes what is no list for an empty one', async () => {
    const { userId, categoryId } = await aPlace({ oops: true });
    expect(await store().read(userId, categoryId)).toMatchObject({ keywords: [] });
    expect(await store().change(userId, categoryId, (keywords) => keywords)).toEqual([]);
  });

  it('loses no edit when several come at once', async () => {
    const { userId, categoryId } = await aPlace([]);
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        store().change(userId, categoryId, (keywords) => [...keywords, aPhrase(`фраза ${i}`)] as never),
      ),
    );
    expect((await store().read(userId, categoryId))?.keywords).toHaveLength(10);
  });

  it('changes nothing when the transaction around it fails', async () => {
    const { userId, categoryId } = await aPlace(someClusters);
    const failing = sql().begin(async (tx) => {
      await store().change(userId, categoryId, () => [], tx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await store().read(userId, categoryId)).toMatchObject({ keywords: someClusters });
  });

  it('fills in the city of a company that has none, and leaves one that is there', async () => {
    const { userId, categoryId } = await aPlace([]);
    for (const city of ['Казань', 'Москва']) {
      await sql().begin((tx) => store().fillCity(tx, userId, categoryId, city));
    }
    expect(await store().customer(userId, categoryId)).toEqual({
      categoryName: 'Балконы',
      city: 'Казань',
      balance: 1_500,
    });
  });

  it('is not found by anybody else', async () => {
    const { projectId, categoryId } = await aPlace(someClusters);
    const stranger = await aUser(sql());
    expect(await store().read(stranger, categoryId)).toBeNull();
    expect(await store().customer(stranger, categoryId)).toBeNull();
    expect(await store().change(stranger, categoryId, () => [])).toBeNull();
    await sql().begin((tx) => store().fillCity(tx, stranger, categoryId, 'Казань'));
    expect(await sql()`select 1 from projects where company_city = 'Казань' and id = ${projectId}`).toEqual(
      [],
    );
  });

  async function aPlace(keywords: unknown) {
    const userId = await aUser(sql());
    const projectId = await aProject(sql(), userId);
    return { userId, projectId, categoryId: await aCategory(sql(), projectId, keywords) };
  }
});
