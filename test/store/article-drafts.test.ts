import { expect, it } from 'vitest';
import { NotFound, OutOfTokens } from '../../src/errors.ts';
import { makeArticleDrafts } from '../../src/store/article-drafts.ts';
import { makeCategories } from '../../src/store/categories.ts';
import { makeLedger } from '../../src/store/ledger.ts';
import { aCategory, aProject, aUser, unbalanced } from '../support/rows.ts';
import { forEachDatabase } from '../support/stores.ts';

forEachDatabase((sql) => {
  it('opens one draft and charges once, however often it is asked to', async () => {
    const { purse, drafts, balance, key, userId } = await anOrder();
    await purse.charge();
    await purse.charge();
    expect(await drafts.find(userId, key)).toMatchObject({ status: 'draft', tokens: 320 });
    expect(await balance()).toBe(1_180);
  });

  it('opens no draft when there are too few tokens (E01)', async () => {
    const { purse, drafts, balance, key, userId } = await anOrder({ text: 1_400, images: 120 });
    await expect(purse.charge()).rejects.toThrow(OutOfTokens);
    expect(await drafts.find(userId, key)).toBeNull();
    expect(await balance()).toBe(1_500);
  });

  it('is not found in somebody else’s category', async () => {
    const { order, drafts } = await anOrder();
    const stranger = await aUser(sql());
    await expect(drafts.purse({ ...order, userId: stranger }).charge()).rejects.toThrow(NotFound);
    expect(await makeLedger(sql()).balance(stranger)).toBe(1_500);
  });

  it('gives the surplus back, and on a failure only what is still due', async () => {
    const { purse, drafts, balance, key, userId } = await anOrder();
    await purse.charge();
    await purse.settle(260);
    await purse.settle(260);
    expect(await balance()).toBe(1_240);
    expect(await drafts.find(userId, key)).toMatchObject({ tokens: 260 });

    expect(await purse.refund()).toBe(260);
    expect(await purse.refund()).toBe(260); // the same refund, told again
    expect(await balance()).toBe(1_500);
    expect(await drafts.find(userId, key)).toMatchObject({ status: 'cancelled' });
    expect(await unbalanced(sql())).toEqual([]);
  });

  it('returns the tokens once when its category is deleted in the middle of the work (E42)', async () => {
    const { purse, drafts, balance, order } = await anOrder();
    await purse.charge();
    await makeCategories(sql()).remove(order.userId, order.categoryId);
    expect(await balance()).toBe(1_500);

    expect(await drafts.fill(order.key, content)).toBe(false);
    await purse.settle(200);
    expect(await purse.refund()).toBe(0);
    expect(await balance()).toBe(1_500);
  });

  it('keeps what was written', async () => {
    const { purse, drafts, key, userId } = await anOrder();
    await purse.charge();
    expect(await drafts.fill(key, content)).toBe(true);
    expect(await drafts.find(userId, key)).toMatchObject({ title: 'Окна', html: '<h1>Окна</h1>' });
  });

  const content = {
    title: 'Окна',
    html: '<h1>Окна</h1>',
    words: 1,
    images: [],
    telegraph: null,
    details: {},
  };

  async function anOrder(price = { text: 200, images: 120 }) {
    const userId = await aUser(sql());
    const categoryId = await aCategory(sql(), await aProject(sql(), userId));
    const ledger = makeLedger(sql());
    const drafts = makeArticleDrafts(sql(), ledger);
    const key = `${userId}:article`;
    const order = { key, userId, categoryId, connectionId: null, keyword: 'окна', price };
    return { order, key, userId, drafts, purse: drafts.purse(order), balance: () => ledger.balance(userId) };
  }
});
