import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cashier, cashDesk, startCashier } from '../../support/cashier.ts';
import { aUser, balanceOf, unbalanced } from '../../support/rows.ts';
import { forEachDatabase } from '../../support/stores.ts';

const always = Number.POSITIVE_INFINITY;

forEachDatabase((sql) => {
  let cashier: Cashier;
  beforeAll(async () => {
    cashier = await startCashier(sql());
  });
  afterAll(async () => {
    expect(await unbalanced(sql())).toEqual([]);
    await cashier.close();
  });

  describe('a card payment', () => {
    it('is credited once, however often and at once it is announced (E39)', async () => {
      const userId = await aUser(sql());
      const row = await cashier.order(userId, 'starter');
      cashier.provider.shop.decide(row.yookassaId!, 'pay');
      const notice = { event: 'payment.succeeded', id: row.yookassaId! };
      const heard = await Promise.all(Array.from({ length: 10 }, () => cashier.cards.heard(notice)));
      expect(heard.filter((each) => each === 'settled')).toHaveLength(1);
      expect(await balanceOf(sql(), userId)).toBe(5_000);
      expect(await cashier.newsTo(userId)).toEqual(['credited']);
    });

    it('asks for its receipt where the person wants it, and of the shop otherwise', async () => {
      const userId = await aUser(sql());
      const receipt = async () => {
        const { yookassaId } = await cashier.order(userId, 'mini');
        return JSON.stringify(cashier.provider.shop.payments.get(yookassaId!)!.receipt);
      };
      expect(await receipt()).toContain('shop@sandbox.invalid');
      await cashier.store.setReceiptEmail(userId, 'anna@romashka.ru');
      expect(await receipt()).toContain('anna@romashka.ru');
    });

    it('is credited when its notice comes before the creation was noted', async () => {
      const userId = await aUser(sql());
      const row = await cashier.order(userId, 'mini');
      await sql()`update payments set yookassa_payment_id = null where id = ${row.id}`;
      cashier.provider.shop.decide(row.yookassaId!, 'pay');
      expect(await cashier.cards.heard({ event: 'payment.succeeded', id: row.yookassaId! })).toBe('settled');
      expect(await balanceOf(sql(), userId)).toBe(2_500);
    });

    it('is found when its notice never comes', async () => {
      const userId = await aUser(sql());
      const row = await cashier.order(userId, 'mini');
      cashier.provider.shop.decide(row.yookassaId!, 'pay');
      await cashier.cards.sweep();
      await cashier.cards.sweep();
      expect(await balanceOf(sql(), userId)).toBe(2_500);
    });

    it('is not believed by its notice: the provider is asked', async () => {
      const userId = await aUser(sql());
      const row = await cashier.order(userId, 'mini');
      expect(await cashier.cards.heard({ event: 'payment.succeeded', id: row.yookassaId! })).toBe('known');
      expect(await cashier.cards.heard({ event: 'payment.succeeded', id: 'of-another-shop' })).toBe(
        'unknown',
      );
      expect(await balanceOf(sql(), userId)).toBe(1_500);
    });

    it.each([
      ['sum', { value: '1.00', currency: 'RUB' }],
      ['currency', { value: '1000.00', currency: 'USD' }],
    ])('with another %s than was asked for is not credited', async (_, amount) => {
      const userId = await aUser(sql());
      const row = await cashier.order(userId, 'mini');
      const paid = cashier.provider.shop.decide(row.yookassaId!, 'pay')!;
      cashier.provider.shop.payments.put(paid.id, { ...paid, amount });
      expect(await cashier.cards.heard({ event: 'payment.succeeded', id: paid.id })).toBe('refused');
      expect(await balanceOf(sql(), userId)).toBe(1_500);
      cashier.provider.shop.payments.remove(paid.id);
    });

    it('of another shop is not credited', async () => {
      const userId = await aUser(sql());
      const row = await cashier.order(userId, 'mini');
      const paid = cashier.provider.shop.decide(row.yookassaId!, 'pay')!;
      const recipient = { account_id: 'another', gateway_id: '1' };
      cashier.provider.shop.payments.put(paid.id, { ...paid, recipient });
      expect(await cashier.cards.heard({ event: 'payment.succeeded', id: paid.id })).toBe('refused');
      expect(await balanceOf(sql(), userId)).toBe(1_500);
      cashier.provider.shop.payments.remove(paid.id);
    });

    it('of a person who was forgotten in between goes back to their card', async () => {
      const userId = await aUser(sql());
      const row = await cashier.order(userId, 'mini');
      const income = cashier.provider.shop.income();
      await sql()`select forget_person(${userId}, ${`hash of ${userId}`})`;
      cashier.provider.shop.decide(row.yookassaId!, 'pay');
      const notice = { event: 'payment.succeeded', id: row.yookassaId! };
      await cashier.cards.heard(notice);
      await cashier.cards.heard(notice);
      expect(cashier.provider.shop.income()).toBe(income);
      expect(await sql()`select from users where id = ${userId}`).toHaveLength(0);
    });

    it('is made once when the answers to its creation are lost', async () => {
      const userId = await aUser(sql());
      const before = cashier.provider.shop.payments.values().length;
      cashier.provider.faults.add({ match: 'POST /v3/payments', times: 1, fault: { kind: 'reset-after' } });
      cashier.provider.faults.add({
        match: 'POST /v3/payments',
        times: 1,
        fault: { kind: 'status', status: 500 },
      });
      const row = await cashier.order(userId, 'mini');
      expect(row.confirmationUrl).toContain('/pay/');
      expect(cashier.provider.shop.payments.values()).toHaveLength(before + 1);
    });

    it('is made again under the same key when the process died before it was noted', async () => {
      const userId = await aUser(sql());
      const order = { key: `again:${userId}`, userId, isSubscription: false, offer: miniOffer };
      cashier.provider.faults.add({
        match: 'POST /v3/payments',
        times: always,
        fault: { kind: 'reset-after' },
      });
      const before = cashier.provider.shop.payments.values().length;
      await expect(cashier.cards.begin(order)).rejects.toThrow('YooKassa');
      cashier.provider.faults.clear();
      const id = await cashier.cards.begin(order);
      expect((await cashier.payments.byId(id))?.confirmationUrl).toContain('/pay/');
      expect(cashier.provider.shop.payments.values()).toHaveLength(before + 1);
    });

    it('that was refused moves nothing, and is told once', async () => {
      const userId = await aUser(sql());
      const row = await cashier.order(userId, 'mini');
      cashier.provider.shop.decide(row.yookassaId!, 'decline');
      const notice = { event: 'payment.canceled', id: row.yookassaId! };
      expect(await cashier.cards.heard(notice)).toBe('settled');
      expect(await cashier.cards.heard(notice)).toBe('known');
      expect(await cashier.newsTo(userId)).toEqual(['card-failed']);
      expect(await balanceOf(sql(), userId)).toBe(1_500);
    });

    it('that expired on the page it was to be confirmed on is closed without a word: another bill may have been paid', async () => {
      const userId = await aUser(sql());
      const left = await cashier.order(userId, 'mini');
      await cashier.paidOrder(userId, 'mini');
      const { payments } = cashier.provider.shop;
      payments.put(left.yookassaId!, {
        ...payments.get(left.yookassaId!)!,
        status: 'canceled',
        cancellation_details: { party: 'yoo_money', reason: 'expired_on_confirmation' },
      });
      await cashier.cards.heard({ event: 'payment.canceled', id: left.yookassaId! });
      expect(await cashier.payments.byId(left.id)).toMatchObject({ status: 'failed' });
      expect(await cashier.newsTo(userId)).toEqual(['credited']);
    });

    it('that was not confirmed within a day is given up', async () => {
      const userId = await aUser(sql());
      const row = await cashier.order(userId, 'mini');
      await sql()`update payments set created_at = now() - interval '25 hours' where id = ${row.id}`;
      await cashier.cards.sweep();
      expect(await cashier.payments.byId(row.id)).toMatchObject({ status: 'failed' });
    });
  });

  describe('a refund', () => {
    it('takes spent tokens as well and leaves a debt, which the next purchase clears (X05)', async () => {
      const userId = await aUser(sql());
      const row = await cashier.paidOrder(userId, 'mini');
      await sql()`select charge_balance(${userId}, 2500, ${`spent:${userId}`}, 'text_generation')`;
      await cashier.cards.giveBack(row);
      await cashier.cards.giveBack(row);
      expect(await balanceOf(sql(), userId)).toBe(-1_000);
      expect(await cashier.payments.byId(row.id)).toMatchObject({ status: 'refunded' });
      await expect(
        sql()`select charge_balance(${userId}, 1, ${`more:${userId}`}, 'text_generation')`,
      ).rejects.toThrow('insufficient_balance');
      await cashier.paidOrder(userId, 'starter');
      expect(await balanceOf(sql(), userId)).toBe(2_500);
    });

    it('made in the cabinet is heard of, also in parts, and takes no more than was bought', async () => {
      const userId = await aUser(sql());
      const row = await cashier.paidOrder(userId, 'starter');
      const paid = () => cashier.provider.shop.payments.get(row.yookassaId!)!;
      const refunds = ['1000.00', '1000.00', '1000.00'].map((value) =>
        cashier.provider.shop.refund(paid(), { value, currency: 'RUB' }),
      );
      for (const { id } of [...refunds, ...refunds])
        await cashier.cards.heard({ event: 'refund.succeeded', id });
      expect(await balanceOf(sql(), userId)).toBe(1_500);
      expect(await cashier.payments.byId(row.id)).toMatchObject({ status: 'refunded' });
    });

    it('takes the inviter’s bonus back, too', async () => {
      const [inviter, userId] = [await aUser(sql()), await aUser(sql())];
      await sql()`update users set referrer_id = ${inviter} where id = ${userId}`;
      const row = await cashier.paidOrder(userId, 'starter');
      expect(await balanceOf(sql(), inviter)).toBe(1_800);
      expect(await cashier.newsTo(inviter)).toEqual(['bonus']);
      await cashier.cards.giveBack(row);
      expect(await balanceOf(sql(), inviter)).toBe(1_500);
      expect(await cashier.newsTo(inviter)).toEqual(['bonus', 'bonus-back']);
    });

    it('gives back what a refund in the cabinet has left', async () => {
      const userId = await aUser(sql());
      const row = await cashier.paidOrder(userId, 'starter');
      const paid = cashier.provider.shop.payments.get(row.yookassaId!)!;
      const { id } = cashier.provider.shop.refund(paid, { value: '1000.00', currency: 'RUB' });
      await cashier.cards.heard({ event: 'refund.succeeded', id });
      expect(await cashier.cards.giveBack((await cashier.payments.byId(row.id))!)).toBe('refunded');
      expect(await balanceOf(sql(), userId)).toBe(1_500);
      expect(await cashier.payments.byId(row.id)).toMatchObject({ status: 'refunded' });
    });

    it.each(['pending', 'canceled'] as const)('that is %s at the bank takes no tokens', async (status) => {
      const userId = await aUser(sql());
      const row = await cashier.paidOrder(userId, 'mini');
      const refund = {
        ...{ id: `refund:${row.id}`, payment_id: row.yookassaId!, status },
        amount: { value: '1000.00', currency: 'RUB' },
      };
      const { cards } = cashDesk(sql(), cashier.provider.url, {
        api: (api) => ({ ...api, giveBack: async () => refund, refund: async () => refund }),
      });
      expect(await cards.giveBack(row)).toBe(status === 'pending' ? 'pending' : 'refused');
      expect(await balanceOf(sql(), userId)).toBe(2_500);
    });
  });

  it('pays no bonus to an inviter who is gone (E14)', async () => {
    const [inviter, userId] = [await aUser(sql()), await aUser(sql())];
    await sql()`update users set referrer_id = ${inviter} where id = ${userId}`;
    await sql()`delete from users where id = ${inviter}`;
    await cashier.paidOrder(userId, 'mini');
    expect(await balanceOf(sql(), userId)).toBe(2_500);
  });

  describe('a subscription by card', () => {
    it('is renewed once, however many processes come on its last day', async () => {
      const row = await ending();
      const several = Array.from({ length: 8 }, () => cashier.cards.renew(row));
      await Promise.all([...several, cashier.cards.renewDue()]);
      expect(await balanceOf(sql(), row.userId)).toBe(1_500 + 2 * 7_200);
      const now = (await cashier.payments.subscription(row.userId))!;
      expect(now.renewsId).toBe(row.id);
      expect(now.expiresAt!.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
      expect(await cashier.newsTo(row.userId)).toEqual(['credited', 'credited']);
    });

    it('that cannot be charged stays to its end, and nothing is tried again (E37)', async () => {
      const row = await ending();
      cardOf(row.methodId!, 'insufficient_funds');
      await cashier.cards.renewDue();
      await cashier.cards.renewDue();
      expect(await balanceOf(sql(), row.userId)).toBe(1_500 + 7_200);
      expect(await cashier.payments.subscription(row.userId)).toMatchObject({
        id: row.id,
        subscriptionStatus: 'active',
      });
      expect(await cashier.newsTo(row.userId)).toEqual(['credited', 'renewal-failed']);
    });

    it('forgets a card that its owner has taken away', async () => {
      const row = await ending();
      cardOf(row.methodId!, 'permission_revoked');
      await cashier.cards.renewDue();
      expect(await cashier.payments.subscription(row.userId)).toMatchObject({
        methodId: null,
        subscriptionStatus: 'cancelled',
      });
    });

    it('waits while the provider is away, and is charged once afterwards', async () => {
      const row = await ending();
      cashier.provider.faults.add({
        match: 'POST /v3/payments',
        times: always,
        fault: { kind: 'reset-after' },
      });
      await cashier.cards.renewDue();
      cashier.provider.faults.clear();
      await cashier.cards.renewDue();
      await cashier.cards.renewDue();
      expect(await balanceOf(sql(), row.userId)).toBe(1_500 + 2 * 7_200);
    });

    it('that the provider has not answered for a day is given up, and told (E37)', async () => {
      const row = await ending();
      cashier.provider.faults.add({
        match: 'POST /v3/payments',
        times: always,
        fault: { kind: 'status', status: 503 },
      });
      await cashier.cards.renewDue();
      cashier.provider.faults.clear();
      await sql()`update payments set subscription_expires_at = now() - interval '25 hours' where id = ${row.id}`;
      await sql()`update payments set created_at = now() - interval '25 hours' where renews_id = ${row.id}`;
      await cashier.cards.sweep();
      await cashier.cards.sweep();
      expect(await cashier.newsTo(row.userId)).toEqual(['credited', 'renewal-failed']);
    });

    it('is announced a day before it is charged, once', async () => {
      const row = await subscribed();
      await sql()`update payments set subscription_expires_at = now() + interval '36 hours' where id = ${row.id}`;
      await cashier.cards.announceRenewals();
      await cashier.cards.announceRenewals();
      expect(await cashier.newsTo(row.userId)).toEqual(['credited', 'renewal-soon']);
    });

    it('that was cancelled is not charged', async () => {
      const row = await ending();
      await cashier.payments.setSubscriptionStatus(row.id, 'cancelled');
      await cashier.cards.renewDue();
      expect(await balanceOf(sql(), row.userId)).toBe(1_500 + 7_200);
    });

    it('ends when another plan is paid', async () => {
      const row = await subscribed();
      const next = await cashier.paidOrder(row.userId, 'business', { isSubscription: true });
      await cashier.stars.endSubscription({ exceptFor: next.id });
      expect((await cashier.payments.byId(row.id))?.subscriptionStatus).toBe('cancelled');
      expect((await cashier.payments.byId(next.id))?.subscriptionStatus).toBe('active');
    });

    async function subscribed() {
      const userId = await aUser(sql());
      return cashier.paidOrder(userId, 'pro', { isSubscription: true });
    }

    async function ending() {
      const { id } = await subscribed();
      await sql()`update payments set subscription_expires_at = now() - interval '1 minute' where id = ${id}`;
      return (await cashier.payments.byId(id))!;
    }

    function cardOf(id: string, mood: 'insufficient_funds' | 'permission_revoked'): void {
      const { cards } = cashier.provider.shop;
      cards.put(id, { ...cards.get(id)!, mood });
    }
  });

  it('keeps the books in step with what the provider has taken', async () => {
    const [{ revenue }] = await sql()<[{ revenue: number }]>`
      select coalesce(sum(amount_rub * (1 - refunded_share)), 0)::float8 as revenue from payments
      where provider = 'yookassa' and status in ('completed', 'refunded')`;
    expect(revenue).toBeCloseTo(cashier.provider.shop.income(), 2);
  });
});

const miniOffer = {
  name: 'mini',
  title: 'Mini',
  tokens: 1_000,
  bonus: 0,
  rub: 1_000,
  stars: 260,
  isPlan: false,
} as const;
