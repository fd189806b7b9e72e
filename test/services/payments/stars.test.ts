import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cashier, startCashier } from '../../support/cashier.ts';
import { aUser, balanceOf, unbalanced } from '../../support/rows.ts';
import { forEachDatabase } from '../../support/stores.ts';

const MONTH_MS = 2_592_000_000;

forEachDatabase((sql) => {
  let cashier: Cashier;
  beforeAll(async () => {
    cashier = await startCashier(sql());
  });
  afterAll(async () => {
    expect(await unbalanced(sql())).toEqual([]);
    await cashier.close();
  });

  it('a subscription that Telegram could not renew is paused, and told once (E19)', async () => {
    const userId = await subscriber();
    await sql()`update payments set subscription_expires_at = now() - interval '2 hours' where user_id = ${userId}`;
    await cashier.stars.pauseUnrenewed();
    await cashier.stars.pauseUnrenewed();
    expect(await cashier.payments.subscription(userId)).toMatchObject({ subscriptionStatus: 'paused' });
    expect(await cashier.newsTo(userId)).toEqual(['credited', 'paused']);
    expect(await balanceOf(sql(), userId), 'what was bought stays').toBe(8_700);
  });

  it('a failed charge that Telegram announces is told once, too (E19)', async () => {
    const userId = await subscriber();
    const failed = { userId, payload: `sub:pro:user_${userId}`, state: 'failed' } as const;
    await cashier.stars.subscriptionChanged(failed);
    await cashier.stars.subscriptionChanged(failed);
    expect(await cashier.newsTo(userId)).toEqual(['credited', 'paused']);
  });

  it('a subscription follows what the person does in Telegram itself', async () => {
    const userId = await subscriber();
    const change = { userId, payload: `sub:pro:user_${userId}` };
    await cashier.stars.subscriptionChanged({ ...change, state: 'canceled' });
    expect(await cashier.payments.subscription(userId)).toMatchObject({ subscriptionStatus: 'cancelled' });
    await cashier.stars.subscriptionChanged({ ...change, state: 'active' });
    expect(await cashier.payments.subscription(userId)).toMatchObject({ subscriptionStatus: 'active' });
  });

  it('a renewal that is announced before the first payment belongs to the same subscription', async () => {
    const userId = await aUser(sql());
    await cashier.stars.paid(
      paymentOf(userId, 'second', { isFirst: false, paidUntil: Date.now() + 2 * MONTH_MS }),
    );
    await cashier.stars.paid(paymentOf(userId, 'first', { isFirst: true, paidUntil: Date.now() + MONTH_MS }));
    expect(await balanceOf(sql(), userId)).toBe(1_500 + 2 * 7_200);
    expect(await cashier.payments.subscription(userId)).toMatchObject({
      chargeId: `${userId}:second`,
      subscriptionId: `${userId}:first`,
    });
  });

  it('a refund that Telegram reports takes the tokens once and ends the subscription (X05)', async () => {
    const userId = await subscriber();
    const { renewal, ...refund } = paymentOf(userId, 'first', null);
    await Promise.all([cashier.stars.refunded(refund), cashier.stars.refunded(refund)]);
    expect(await balanceOf(sql(), userId)).toBe(1_500);
    expect(await cashier.newsTo(userId)).toEqual(['credited', 'refunded']);
  });

  async function subscriber(): Promise<number> {
    const userId = await aUser(sql());
    await cashier.stars.paid(paymentOf(userId, 'first', { isFirst: true, paidUntil: Date.now() + MONTH_MS }));
    return userId;
  }
});

const paymentOf = (
  userId: number,
  charge: string,
  renewal: { isFirst: boolean; paidUntil: number } | null,
) => ({
  userId,
  currency: 'XTR',
  amount: 1_560,
  payload: `sub:pro:user_${userId}`,
  chargeId: `${userId}:${charge}`,
  renewal,
});
