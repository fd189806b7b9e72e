import { expect, it, vi } from 'vitest';
import { AiFailed, OperationLost, OutOfTokens, WorkTookTooLong } from '../../../src/errors.ts';
import { makePaidWork, PaidWorkFailed, type Purse } from '../../../src/services/money/paid-work.ts';
import { makeLedger } from '../../../src/store/ledger.ts';
import { createOperations } from '../../../src/store/operations.ts';
import { makePurse } from '../../../src/store/purse.ts';
import { aUser, unbalanced } from '../../support/rows.ts';
import { forEachDatabase } from '../../support/stores.ts';

forEachDatabase((sql) => {
  it('charges what was confirmed and gives back what was not spent', async () => {
    const { work, balance } = await aCustomer();
    const post = await work(async () => ({ result: 'post', spent: 30 }));
    expect(post).toBe('post');
    expect(await balance()).toBe(1_470);
  });

  it('gives everything back when the work fails, and tells the person so', async () => {
    const { work, balance } = await aCustomer();
    const failing = work(() => Promise.reject(new AiFailed('filtered', 'no')));
    await expect(failing).rejects.toThrow(PaidWorkFailed);
    await expect(failing).rejects.toMatchObject({
      code: 'AI_GENERATION',
      refunded: 40,
      userMessage: expect.stringContaining('отказалась'),
    });
    expect(await balance()).toBe(1_500);
  });

  it('remembers a failure under its key: asked again, it neither works nor moves tokens', async () => {
    const { work, balance } = await aCustomer();
    await work(() => Promise.reject(new AiFailed('unavailable', 'no'))).catch(() => undefined);
    await expect(work(async () => ({ result: 'for nothing', spent: 0 }))).rejects.toThrow(PaidWorkFailed);
    expect(await balance()).toBe(1_500);
  });

  it('does not begin without enough tokens, and may be asked again after they were bought (E01)', async () => {
    const { work, balance, userId } = await aCustomer({ text_generation: 1_600 });
    let began = 0;
    const attempt = () =>
      work(async () => {
        began += 1;
        return { result: 'article', spent: 1_600 };
      });
    await expect(attempt()).rejects.toThrow(OutOfTokens);
    expect([began, await balance()]).toEqual([0, 1_500]);

    await makeLedger(sql()).credit({ userId, key: `${userId}:buy`, amount: 1_000, type: 'purchase' });
    expect(await attempt()).toBe('article');
    expect([began, await balance()]).toEqual([1, 900]);
  });

  it('is not done for a debtor, not for free either, until a purchase clears the debt (X05)', async () => {
    const { work, userId } = await aCustomer({});
    const ledger = makeLedger(sql());
    await ledger.forceDebit({ userId, key: `${userId}:back`, amount: 2_000 });
    const free = () => work(async () => ({ result: 'another version', spent: 0 }));
    await expect(free()).rejects.toMatchObject({
      code: 'OUT_OF_TOKENS',
      userMessage: 'На балансе долг: 500 токенов. Пополните баланс, и я продолжу.',
    });
    await ledger.credit({ userId, key: `${userId}:buy`, amount: 1_000, type: 'purchase' });
    expect(await free()).toBe('another version');
  });

  it('gives everything back when a service hangs and its time is over, though it never listens', async () => {
    const { work, balance } = await aCustomer();
    const overdue = new AbortController();
    const hanging = work(async (stage) => {
      await stage('text', async () => 'written');
      overdue.abort(new WorkTookTooLong('generateArticle', 5));
      return new Promise<never>(() => {});
    }, overdue.signal);
    await expect(hanging).rejects.toMatchObject({ code: 'WORK_TOOK_TOO_LONG', refunded: 40 });
    expect(await balance()).toBe(1_500);
  });

  it('keeps the charge when the process stops in the middle, and goes on behind the finished stages', async () => {
    const { work, balance } = await aCustomer();
    const stopping = new AbortController();
    const stopped = work(async (stage) => {
      await stage('text', async () => 'written once');
      stopping.abort(new Error('stopping'));
      throw stopping.signal.reason;
    }, stopping.signal);
    await expect(stopped).rejects.toThrow('stopping');
    expect(await balance()).toBe(1_460);

    const result = await work(async (stage) => ({
      result: await stage('text', async () => 'written twice'),
      spent: 40,
    }));
    expect([result, await balance()]).toEqual(['written once', 1_460]);
  });

  it('gives back no more than was charged, though the answer to giving back was lost', async () => {
    const { work, balance } = await aCustomer(undefined, {}, losingOnce('settle'));
    const attempt = () => work(async () => ({ result: 'post', spent: 30 }));
    await expect(attempt()).rejects.toThrow('connection lost');
    expect([await attempt(), await balance()]).toEqual(['post', 1_470]);
    expect(await unbalanced(sql())).toEqual([]);
  });

  it('that came to nothing is not done for nothing after a death between the refund and its note', async () => {
    const { work, balance } = await aCustomer(undefined, {}, losingOnce('refund'));
    const failing = work(() => Promise.reject(new AiFailed('unavailable', 'no')));
    await expect(failing).rejects.toThrow('connection lost');
    await expect(work(async () => ({ result: 'post', spent: 30 }))).rejects.toMatchObject({
      code: 'AI_GENERATION',
      refunded: 40,
    });
    expect(await balance()).toBe(1_500);
  });

  it('is paid for when a slower process finds that it was done by another', async () => {
    const { work, balance, userId } = await aCustomer();
    const post = async () => ({ result: 'post', spent: 40 });
    const overtaken = work(async (stage) => {
      await stage('text', async () => {
        await sql()`update operations set lease_until = now() - interval '1 hour' where key = ${`${userId}:post`}`;
        await work(post);
        return 'too late';
      });
      return post();
    });
    await expect(overtaken).rejects.toThrow(OperationLost);
    expect(await balance()).toBe(1_460);
  });

  it('goes on where it stood after an outage of the database: an outage is no failure of the work', async () => {
    const { work, balance } = await aCustomer();
    const write = vi.fn(async () => 'written');
    const interrupted = work(async (stage) => {
      await stage('text', write);
      throw Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' });
    });
    await expect(interrupted).rejects.toThrow(OperationLost);
    expect(await balance()).toBe(1_460);

    const result = await work(async (stage) => ({ result: await stage('text', write), spent: 40 }));
    expect([result, await balance()]).toEqual(['written', 1_460]);
    expect(write).toHaveBeenCalledTimes(1);
  });

  it('fails, and gives everything back, when it is a supplier that cannot be reached', async () => {
    const { work, balance } = await aCustomer();
    const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    await expect(work(() => Promise.reject(unreachable))).rejects.toMatchObject({ refunded: 40 });
    expect(await balance()).toBe(1_500);
  });

  it('charges an admin nothing and returns nothing to them', async () => {
    const { work, balance } = await aCustomer({ text_generation: 40 }, { isAdmin: true });
    const failing = work(() => Promise.reject(new AiFailed('unavailable', 'no')));
    await expect(failing).rejects.toMatchObject({ refunded: 0 });
    expect(await balance()).toBe(1_500);
  });

  it('gives back no tokens that were not charged: to a person who was an admin when it began, and is no longer', async () => {
    const { work, balance, userId } = await aCustomer({ text_generation: 40 }, { isAdmin: true });
    await work(async () => {
      await sql()`update users set role = 'user' where id = ${userId}`;
      return { result: 'post', spent: 10 };
    });
    expect(await balance()).toBe(1_500);
  });

  it('charges all parts of a price or none', async () => {
    const { work, balance } = await aCustomer({ text_generation: 1_000, image_generation: 501 });
    await expect(work(async () => ({ result: null, spent: 0 }))).rejects.toThrow(OutOfTokens);
    expect(await balance()).toBe(1_500);
    expect(await unbalanced(sql())).toEqual([]);
  });

  async function aCustomer(
    parts: Parameters<ReturnType<typeof makePurse>>[0]['parts'] = {
      text_generation: 10,
      image_generation: 30,
    },
    more = {},
    tampered = (purse: Purse): Purse => purse,
  ) {
    const userId = await aUser(sql(), more);
    const ledger = makeLedger(sql());
    const paidWork = makePaidWork(createOperations(sql()));
    const payment = { key: `${userId}:post`, userId, parts, description: 'пост' };
    type Work = Parameters<typeof paidWork>[2];
    const purse = tampered(makePurse(sql(), ledger)(payment));
    const work = (job: Work, signal?: AbortSignal) =>
      paidWork(
        { key: payment.key, userId, request: { about: 'post' }, ...(signal && { signal }) },
        purse,
        job,
      );
    return { userId, work, balance: () => ledger.balance(userId) };
  }
});

/** The tokens move, and the first time the answer is lost. */
const losingOnce =
  (movement: 'settle' | 'refund') =>
  (purse: Purse): Purse => {
    let isLost = false;
    return {
      ...purse,
      async [movement](spent: number) {
        const moved = await purse[movement](spent);
        if (isLost) return moved;
        isLost = true;
        throw new Error('connection lost');
      },
    };
  };
