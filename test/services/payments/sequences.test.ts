import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import type { Sql } from '../../../src/store/database.ts';
import { type Cashier, startCashier } from '../../support/cashier.ts';
import { aUser, unbalanced } from '../../support/rows.ts';
import { freshDatabase } from '../../support/stores.ts';

type Step =
  | { do: 'stars'; who: number; charge: number; isPlan: boolean }
  | { do: 'order' | 'subscribe'; who: number }
  | { do: 'pay' | 'decline' | 'notice' | 'giveBack' | 'cabinet'; payment: number }
  | { do: 'starsBack'; charge: number }
  | { do: 'renew'; who: number }
  | { do: 'spend'; who: number; amount: number }
  | { do: 'sweep' }
  | { do: 'kill'; payment: number };

const who = fc.nat({ max: 2 });
const payment = fc.nat({ max: 5 });
const charge = fc.nat({ max: 4 });
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('stars'), who, charge, isPlan: fc.boolean() }),
    fc.record({ do: fc.constantFrom('order', 'subscribe'), who }),
    fc.record({
      do: fc.constantFrom('pay', 'pay', 'decline', 'notice', 'notice', 'giveBack', 'cabinet'),
      payment,
    }),
    fc.record({ do: fc.constant('starsBack'), charge }),
    fc.record({ do: fc.constant('renew'), who }),
    fc.record({ do: fc.constant('spend'), who, amount: fc.integer({ min: 1, max: 2_000 }) }),
    fc.record({ do: fc.constant('sweep') }),
    fc.record({ do: fc.constant('kill'), payment }),
  ),
  { minLength: 5, maxLength: 25 },
);

class Killed extends Error {}

/** Payments, notices, refunds, renewals and spending in any order, with processes that die before they commit. */
it.runIf(inject('postgresUrl'))(
  'money moves once in every sequence, and the books agree with the provider at every step',
  async () => {
    const { sql, close } = await freshDatabase('PostgreSQL');
    const cashier = await startCashier(sql);
    try {
      await fc.assert(
        fc.asyncProperty(steps, async (sequence) => {
          const people = [await aUser(sql), await aUser(sql), await aUser(sql)];
          // The third was invited by the second, the second by the first.
          await sql`update users set referrer_id = ${people[0]!} where id = ${people[1]!}`;
          await sql`update users set referrer_id = ${people[1]!} where id = ${people[2]!}`;
          const orders: string[] = [];
          for (const step of sequence) {
            await take(step as Step, people, orders, sql, cashier);
            expect([...(await unbalanced(sql))]).toEqual([]);
          }
          await agreesWithProvider(sql, cashier);
        }),
        { numRuns: 40, endOnFailure: true },
      );
    } finally {
      await cashier.close();
      await close();
    }
  },
  120_000,
);

async function take(
  step: Step,
  people: number[],
  orders: string[],
  sql: Sql,
  cashier: Cashier,
): Promise<void> {
  const { cards, stars, payments, provider } = cashier;
  switch (step.do) {
    case 'stars': {
      const userId = people[step.who]!;
      const renewal = step.isPlan ? { isFirst: true, paidUntil: Date.now() + 2_592_000_000 } : null;
      const kind = step.isPlan ? 'sub:pro' : 'purchase:mini';
      const paid = {
        userId,
        currency: 'XTR',
        amount: 260,
        payload: `${kind}:user_${userId}`,
        chargeId: chargeOf(people, step.charge, step.who, step.isPlan),
        renewal,
      };
      await Promise.all([stars.paid(paid), stars.paid(paid)]);
      return;
    }
    case 'order':
    case 'subscribe': {
      const row = await cashier.order(people[step.who]!, 'pro', { isSubscription: step.do === 'subscribe' });
      orders.push(row.yookassaId!);
      return;
    }
    case 'pay':
    case 'decline': {
      const id = orders[step.payment];
      if (id) provider.shop.decide(id, step.do);
      return;
    }
    case 'notice': {
      const id = orders[step.payment];
      if (!id) return;
      const notice = { event: 'payment.succeeded', id };
      await Promise.all([cards.heard(notice), cards.heard(notice), cards.heard(notice)]);
      return;
    }
    case 'giveBack':
    case 'cabinet': {
      const id = orders[step.payment];
      const row = id ? await payments.byYooKassaId(id) : null;
      if (row?.status !== 'completed') return;
      if (step.do === 'giveBack') return void (await cards.giveBack(row));
      const made = provider.shop.payments.get(id!)!;
      const left = Number(made.amount.value) - Number(made.refunded_amount.value);
      const refund = provider.shop.refund(made, { value: (left / 2).toFixed(2), currency: 'RUB' });
      const notice = { event: 'refund.succeeded', id: refund.id };
      await Promise.all([cards.heard(notice), cards.heard(notice)]);
      return;
    }
    case 'starsBack': {
      for (const isPlan of [true, false])
        for (const each of [0, 1, 2]) {
          const chargeId = chargeOf(people, step.charge, each, isPlan);
          if (await payments.byCharge(chargeId))
            await stars.refunded({
              userId: people[each]!,
              currency: 'XTR',
              amount: 260,
              payload: '',
              chargeId,
            });
        }
      return;
    }
    case 'renew': {
      const subscription = await payments.subscription(people[step.who]!);
      if (subscription?.provider !== 'yookassa' || subscription.subscriptionStatus !== 'active') return;
      await sql`update payments set subscription_expires_at = now() - interval '1 minute' where id = ${subscription.id}`;
      await Promise.all([cards.renewDue(), cards.renewDue()]);
      return;
    }
    case 'spend':
      await sql`select charge_balance(${people[step.who]!}, ${step.amount}, ${crypto.randomUUID()}, 'text_generation')`.catch(
        () => undefined, // too little: nothing moves, and the books are looked at next
      );
      return;
    case 'sweep':
      return cards.sweep();
    case 'kill': {
      const id = orders[step.payment];
      const row = id ? await payments.byYooKassaId(id) : null;
      if (!row || provider.shop.payments.get(id!)?.status !== 'succeeded') return;
      // The process dies when the money has moved and nothing is committed yet.
      const dies = () => Promise.reject(new Killed('killed'));
      await cashier.store.complete(row.id, { yookassaId: id!, method: null }, dies).catch((error) => {
        if (!(error instanceof Killed)) throw error;
      });
      return;
    }
    default: {
      const never: never = step;
      throw new TypeError(`Expected a step, got ${JSON.stringify(never)}`);
    }
  }
}

const chargeOf = (people: number[], charge: number, who: number, isPlan: boolean): string =>
  `${people[0]}:${who}:${charge}:${isPlan}`;

async function agreesWithProvider(sql: Sql, { provider, cards }: Cashier): Promise<void> {
  // What was paid and not noticed yet is found now.
  for (const { id } of provider.shop.payments.values()) await cards.heard({ event: 'payment.succeeded', id });
  const [books] = await sql<[{ revenue: number; twice: number }]>`
    select coalesce(sum(amount_rub * (1 - refunded_share)), 0)::float8 as revenue,
      (select count(*) from (select from token_expenses where operation_type = 'purchase'
        group by operation_key having count(*) > 1) doubled) as twice
    from payments where provider = 'yookassa' and status in ('completed', 'refunded')`;
  expect(books.twice, 'one credit per payment').toBe(0);
  expect(books.revenue).toBeCloseTo(provider.shop.income(), 0);
  const [credits] = await sql<[{ missing: number }]>`
    select count(*) as missing from payments p where status in ('completed', 'refunded')
      and not exists (select from token_expenses e where e.operation_key = 'payment:' || p.id)`;
  expect(credits.missing, 'every payment is credited').toBe(0);
}
