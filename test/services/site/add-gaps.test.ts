import { expect, it } from 'vitest';
import { makeAddGaps } from '../../../src/services/site/add-gaps.ts';
import { makeCategoryKeywords } from '../../../src/store/category-keywords.ts';
import { createOperations } from '../../../src/store/operations.ts';
import { aCategory, aProject, aUser } from '../../support/rows.ts';
import { forEachDatabase } from '../../support/stores.ts';

forEachDatabase((sql) => {
  it('topics that were just added are told as added, also to a process that asks again after a crash', async () => {
    const userId = await aUser(sql());
    const categoryId = await aCategory(sql(), await aProject(sql(), userId));
    const keywords = makeCategoryKeywords(sql());
    const addGaps = makeAddGaps({
      gapsOf: async () => ['Как ухаживать за букетом?', 'Доставка ночью'],
      numbersOf: async () => [],
      category: async () => ({ categoryName: 'Букеты' }),
      change: keywords.change,
      operations: createOperations(sql()),
    });
    const order = { userId, analysisId: 1, categoryId };
    const added = { categoryId, categoryName: 'Букеты', added: 2 };
    expect(await addGaps({ ...order, key: `${userId}:1` })).toEqual(added);
    expect(await addGaps({ ...order, key: `${userId}:1` })).toEqual(added);
    expect(await addGaps({ ...order, key: `${userId}:2` })).toEqual({ ...added, added: 0 });
  });
});
