import { describe, expect, it } from 'vitest';
import { DraftExpired, OperationLost, OutOfTokens, RateLimited } from '../../../src/errors.ts';
import { prices } from '../../../src/prices.ts';
import { makeRegenerateArticle } from '../../../src/services/article/regenerate-article.ts';
import { outcomeOfAbandoned } from '../../../src/services/money/paid-work.ts';
import { makeRateLimits } from '../../../src/services/money/rate-limits.ts';
import { makeEndAbandonedWork } from '../../../src/store/abandoned-work.ts';
import { makeCategories } from '../../../src/store/categories.ts';
import { createPostgresKeyValueStore } from '../../../src/store/key-value-postgres.ts';
import { makeLedger } from '../../../src/store/ledger.ts';
import { unbalanced } from '../../support/rows.ts';
import { type Customer, workbench } from './workbench.ts';

const bench = workbench();
const textFails = () => bench().openRouter.moods.add({ kind: 'fails', task: 'article', times: null });

describe('another version of an article', () => {
  it('is free twice, and from the third on costs what the first came to', async () => {
    const { customer, draftId, first } = await aWrittenArticle();
    const one = await customer.regenerate(draftId, 'one');
    expect(one).toMatchObject({ draftId, regenerations: 1, nextPrice: 0, spent: first.spent });
    const two = await customer.regenerate(draftId, 'two');
    expect(two).toMatchObject({ regenerations: 2, nextPrice: first.spent, spent: first.spent });
    expect(await customer.balance()).toBe(1_500 - first.spent);
    const three = await customer.regenerate(draftId, 'three');
    expect(three).toMatchObject({ regenerations: 3, spent: 2 * first.spent, returned: 0 });
    expect(await customer.balance()).toBe(1_500 - 2 * first.spent);
    expect(await customer.cancel(draftId)).toEqual({ returned: 2 * first.spent });
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('takes the place of the one before, whose files and page go', async () => {
    const { customer, draftId, first } = await aWrittenArticle();
    const before = await storedPictures(customer);
    bench().retouch('article', (answer) => ({ ...answer, title: 'Кухни на заказ: вторая попытка' }));
    const second = await customer.regenerate(draftId, 'one');
    expect(second.title).toBe('Кухни на заказ: вторая попытка');
    expect(await customer.drafts()).toMatchObject([{ id: draftId, title: second.title }]);
    const after = await storedPictures(customer);
    expect(after).toHaveLength(2);
    expect(after.filter((path) => before.includes(path))).toEqual([]);
    expect(pageAt(first.telegraphUrl)).toMatchObject({ title: 'Предпросмотр удалён' });
    expect(pageAt(second.telegraphUrl)).toMatchObject({ title: second.title });
  });

  it('follows what the person has said, keeps the pictures, and tells what was changed', async () => {
    const { customer, draftId, first } = await aWrittenArticle();
    const pictures = await storedPictures(customer);
    const changed = await customer.regenerate(draftId, 'one', 'добавьте, что замер бесплатный');
    expect(changed).toMatchObject({ regenerations: 1, spent: first.spent, images: first.images });
    expect(changed.changes).toContain('замер бесплатный');
    const [draft] = await bench()
      .sql`select content_html as html from article_previews where id = ${draftId}`;
    expect(draft!.html).toContain('Замер бесплатный.');
    expect(await storedPictures(customer)).toEqual(pictures);
    expect(bench().asked('article')).toHaveLength(1);
    const again = await customer.regenerate(draftId, 'two', 'сделайте короче');
    expect(again.words).toBeLessThan(changed.words);
  });

  it('costs the text alone when it is changed by words after the free ones', async () => {
    const { customer, draftId, first } = await aWrittenArticle({ regenerations: 2 });
    const before = (await customer.balance())!;
    const changed = await customer.regenerate(draftId, 'three', 'сделайте короче');
    const pictures = first.images * prices.image;
    expect(before - (await customer.balance())!).toBe(first.spent - pictures);
    expect(changed).toMatchObject({ regenerations: 3, returned: 0 });
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('cannot be asked for by words of a draft that kept only its page', async () => {
    const { customer, draftId } = await aWrittenArticle();
    await bench().sql`update article_previews set details = details - 'answer' where id = ${draftId}`;
    await expect(customer.regenerate(draftId, 'one', 'короче')).rejects.toMatchObject({
      code: 'DRAFT_NOT_EDITABLE',
    });
    expect(await customer.drafts()).toMatchObject([{ id: draftId }]);
  });

  it('is made from the sources that are known already', async () => {
    const { customer, draftId } = await aWrittenArticle();
    const research = bench().asked('article_research').length;
    await customer.regenerate(draftId, 'one');
    expect(bench().asked('article_research')).toHaveLength(research);
  });

  it('is one, and paid once, however often it is asked for under its key', async () => {
    const { customer, draftId } = await aWrittenArticle({ regenerations: 2 });
    const third = await customer.regenerate(draftId, 'three');
    expect(await customer.regenerate(draftId, 'three')).toEqual(third);
    expect(third.regenerations).toBe(3);
    expect(bench().asked('article')).toHaveLength(2);
  });

  it('E10: is not written when it costs more than there is, and the current text stays', async () => {
    const { customer, draftId, first } = await aWrittenArticle({ regenerations: 2 });
    const [before] = await customer.drafts();
    const left = (await customer.balance())!;
    await makeLedger(bench().sql).forceDebit({
      key: `${customer.userId}:gone`,
      userId: customer.userId,
      amount: left - 10,
    });
    const asked = bench().asked().length;
    const refused = customer.regenerate(draftId, 'three');
    await expect(refused).rejects.toThrow(OutOfTokens);
    await expect(refused).rejects.toMatchObject({
      userMessage: `Недостаточно токенов. Нужно ${first.spent}, у вас 10.`,
    });
    expect(bench().asked()).toHaveLength(asked);
    expect(await customer.drafts()).toEqual([before]);
    expect(await regenerationsOf(draftId)).toBe(2);
    await customer.publish(draftId);
    expect(bench().posts).toMatchObject([{ title: first.title }]);
  });

  it('E25: waits for the limit of the hour too, if it is a paid one', async () => {
    const { customer, draftId } = await aWrittenArticle({ regenerations: 1 });
    const limits = makeRateLimits(createPostgresKeyValueStore(bench().sql));
    await limits.take('text_generation', customer.userId, 9);
    await limits.take('image_generation', customer.userId, 58);
    expect(await customer.regenerate(draftId, 'free')).toMatchObject({ regenerations: 2, images: 2 });
    await expect(customer.regenerate(draftId, 'paid')).rejects.toThrow(RateLimited);
    expect(await regenerationsOf(draftId)).toBe(2);
  });
});

it('is neither made nor refused while the database is away: it is taken up again under its key', async () => {
  const away = Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' });
  const findDraft = () => Promise.reject(away);
  const regenerate = makeRegenerateArticle({ findDraft } as unknown as Parameters<
    typeof makeRegenerateArticle
  >[0]);
  const asked = regenerate({ key: 'k', userId: 1, draftId: 1 }, AbortSignal.any([]), () => {});
  await expect(asked).rejects.toThrow(OperationLost);
});

describe('another version that fails', () => {
  it('X18: leaves the old text, the counter, and nothing of itself', async () => {
    const { customer, draftId, first } = await aWrittenArticle();
    const [before] = await customer.drafts();
    const pictures = await storedPictures(customer);
    textFails();
    await expect(customer.regenerate(draftId, 'one')).rejects.toMatchObject({
      code: 'AI_GENERATION',
      refunded: 0,
    });
    expect(await customer.drafts()).toEqual([before]);
    expect(await storedPictures(customer)).toEqual(pictures);
    expect(pageAt(first.telegraphUrl)).toMatchObject({ title: first.title });
    expect(await regenerationsOf(draftId)).toBe(0);
  });

  it('X18: is given back when it was paid for', async () => {
    const { customer, draftId, first } = await aWrittenArticle({ regenerations: 2 });
    const before = await customer.balance();
    textFails();
    await expect(customer.regenerate(draftId, 'three')).rejects.toMatchObject({ refunded: first.spent });
    expect(await customer.balance()).toBe(before);
    expect(await customer.drafts()).toMatchObject([{ status: 'draft', tokens: first.spent }]);
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('may be tried again under another key, and counts then', async () => {
    const { customer, draftId } = await aWrittenArticle();
    textFails();
    await customer.regenerate(draftId, 'one').catch(() => undefined);
    bench().openRouter.moods.clear();
    expect(await customer.regenerate(draftId, 'one again')).toMatchObject({ regenerations: 1 });
  });

  it('in its pictures alone gives their price back and comes without them', async () => {
    const { customer, draftId, first } = await aWrittenArticle({ regenerations: 2 });
    bench().openRouter.moods.add({ kind: 'fails', task: 'image', times: null });
    const third = await customer.regenerate(draftId, 'three');
    expect(third).toMatchObject({ images: 0, imagesWanted: 2, returned: 60, spent: 2 * first.spent - 60 });
    expect(await customer.drafts()).toMatchObject([{ tokens: 2 * first.spent - 60 }]);
  });

  it('in the pictures of a free version gives back what those of the version before had cost', async () => {
    const { customer, draftId, first } = await aWrittenArticle();
    const before = (await customer.balance())!;
    bench().openRouter.moods.add({ kind: 'fails', task: 'image', times: null });
    const second = await customer.regenerate(draftId, 'one');
    expect(second).toMatchObject({ images: 0, spent: first.spent - 60, returned: 60 });
    expect(second.warnings).toContain('Картинки нарисовать не удалось, токены за них вернулись.');
    expect(await customer.balance()).toBe(before + 60);
    expect(await customer.drafts()).toMatchObject([{ tokens: first.spent - 60 }]);

    expect(await customer.regenerate(draftId, 'two')).toMatchObject({ spent: first.spent - 60, returned: 0 });
    expect(await customer.cancel(draftId)).toEqual({ returned: first.spent - 60 });
    expect(await customer.balance()).toBe(1_500);
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('E42: is closed with its draft when the category is deleted in the middle, and all is given back once', async () => {
    const { customer, draftId } = await aWrittenArticle({ regenerations: 2 });
    const { userId, categoryId } = customer;
    bench().retouch('article', async (answer) => {
      await makeCategories(bench().sql).remove(userId, categoryId);
      return answer;
    });
    await expect(customer.regenerate(draftId, 'three')).rejects.toMatchObject({ code: 'DRAFT_EXPIRED' });
    expect(await customer.balance()).toBe(1_500);
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('because the version before was published meanwhile is given back, and that one stays paid', async () => {
    const { customer, draftId, first } = await aWrittenArticle({ regenerations: 2 });
    bench().retouch('article', async (answer) => {
      await customer.publish(draftId);
      return answer;
    });
    await expect(customer.regenerate(draftId, 'three')).rejects.toMatchObject({
      code: 'DRAFT_EXPIRED',
      refunded: first.spent,
    });
    expect(bench().posts).toMatchObject([{ title: first.title }]);
    expect(await customer.balance()).toBe(1_500 - first.spent);
    expect(await customer.drafts()).toMatchObject([{ status: 'published', tokens: first.spent }]);
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('because the version before is already published costs nothing', async () => {
    const { customer, draftId, first } = await aWrittenArticle({ regenerations: 2 });
    await customer.publish(draftId);
    await expect(customer.regenerate(draftId, 'three')).rejects.toThrow(DraftExpired);
    expect(await customer.balance()).toBe(1_500 - first.spent);
  });

  it('which died, its draft having been published before the take-over, is given back', async () => {
    const { customer, draftId, first } = await aThirdVersionThatDied();
    await customer.publish(draftId);
    await expect(customer.regenerate(draftId, 'three')).rejects.toMatchObject({
      code: 'DRAFT_EXPIRED',
      refunded: first.spent,
    });
    expect(await customer.balance()).toBe(1_500 - first.spent);
    expect(await customer.drafts()).toMatchObject([{ status: 'published', tokens: first.spent }]);
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('which died with its session, its draft having been published, is given back by the sweep, once', async () => {
    const { customer, draftId, first } = await aThirdVersionThatDied();
    await customer.publish(draftId);
    expect(await endAbandoned(customer.userId, 0.9)).toEqual([]);
    expect(await endAbandoned(customer.userId, 1.1)).toEqual([first.spent]);
    expect(await endAbandoned(customer.userId, 1.1)).toEqual([]);
    expect(await customer.balance()).toBe(1_500 - first.spent);
    await expect(customer.regenerate(draftId, 'three')).rejects.toMatchObject({ code: 'DRAFT_EXPIRED' });
    expect(await unbalanced(bench().sql)).toEqual([]);
  });

  it('which died with its session is not given back twice: its draft has expired with all it cost', async () => {
    const { customer } = await aThirdVersionThatDied();
    await customer.expire();
    await bench().works.expireDrafts();
    expect(await customer.balance()).toBe(1_500);
    expect(await endAbandoned(customer.userId, 1.1)).toEqual([0]);
    expect(await customer.balance()).toBe(1_500);
  });

  it('because its draft has expired says so before anything is charged (E18)', async () => {
    const { customer, draftId } = await aWrittenArticle({ regenerations: 2 });
    await customer.expire();
    await expect(customer.regenerate(draftId, 'three')).rejects.toThrow(DraftExpired);
    expect(await customer.balance()).toBe(1_500);
  });
});

async function aWrittenArticle({ regenerations = 0 } = {}) {
  const customer = await bench().aCustomer();
  const first = await customer.generate();
  const { draftId } = first;
  // As if they had been asked for: what they leave behind is this count.
  await bench().sql`update article_previews set regeneration_count = ${regenerations} where id = ${draftId}`;
  return { customer, draftId, first };
}

async function aThirdVersionThatDied() {
  const written = await aWrittenArticle({ regenerations: 2 });
  const dying = new AbortController();
  bench().retouch('article', () => dying.abort(new Error('killed')));
  await written.customer.regenerate(written.draftId, 'three', undefined, dying.signal).catch(() => undefined);
  expect(await written.customer.balance()).toBe(1_500 - 2 * written.first.spent);
  await bench().reset();
  return written;
}

/** What comes back of this person's work that was left so many hours ago. */
async function endAbandoned(userId: number, hours: number): Promise<number[]> {
  const { sql, works } = bench();
  await sql`
    update operations
    set created_at = now() - ${hours} * interval '1 hour', updated_at = now() - ${hours} * interval '1 hour'
    where user_id = ${userId} and status = 'running'`;
  const ledger = makeLedger(sql);
  const ended = await makeEndAbandonedWork({
    sql,
    ledger,
    drafts: works.drafts,
    outcomeOf: outcomeOfAbandoned,
  })();
  return ended.map(({ returned }) => returned);
}

async function regenerationsOf(draftId: number): Promise<number> {
  const [row] = await bench().sql<[{ count: number }]>`
    select regeneration_count as count from article_previews where id = ${draftId}`;
  return row.count;
}

async function storedPictures({ userId }: Customer): Promise<string[]> {
  const all = await bench().works.pictures.listOlderThan(new Date(Date.now() + 60_000));
  return all.filter((path) => path.startsWith(`${userId}/`)).sort();
}

const pageAt = (url: string | null) => bench().telegraph.pages.page(new URL(url!).pathname.slice(1));
