import type { PackageName } from '../catalogue.ts';
import { inTransaction, type Sql, type TransactionSql } from './database.ts';
import type { HashOf } from './users.ts';

/** What became of a payment's money. `isFresh`: this call did it, so this call tells of it. */
export type Settled = {
  paymentId: number;
  userId: number;
  isFresh: boolean;
  balance: number;
  bonus: number;
  bonusTo: number | null;
};

export type Refunded = {
  paymentId: number;
  userId: number;
  isFresh: boolean;
  balance: number;
  taken: number;
  isWhole: boolean;
  /** What the inviter lost of it. */
  bonusBack: { userId: number; tokens: number; balance: number } | null;
};

type StarPayment = {
  userId: number;
  chargeId: string;
  package: PackageName;
  tokens: number;
  stars: number;
  rub: number;
  referralTokens: number;
  /** Unix ms; null for a package. */
  paidUntil: number | null;
  isFirst: boolean;
};

type PaymentStatus = 'pending' | 'completed' | 'refunded' | 'failed';
type SubscriptionStatus = 'active' | 'paused' | 'cancelled';

export type PaymentRow = {
  id: number;
  userId: number;
  provider: 'stars' | 'yookassa';
  status: PaymentStatus;
  package: string;
  tokens: number;
  rub: number | null;
  stars: number | null;
  chargeId: string | null;
  yookassaId: string | null;
  methodId: string | null;
  isSubscription: boolean;
  subscriptionId: string | null;
  subscriptionStatus: SubscriptionStatus | null;
  expiresAt: Date | null;
  renewsId: number | null;
  confirmationUrl: string | null;
  /** Of the saved method, as «Bank card *4444». */
  card: string | null;
  failure: string | null;
  /** Of 1; some of it may have been given back in the provider's cabinet. */
  refundedShare: number;
  refundedTokens: number;
  createdAt: Date;
};

/** What is to be done when money has moved. Within its transaction: it happens if and only if the money moved. */
export type Afterwards<Outcome> = (outcome: Outcome, tx: TransactionSql) => Promise<unknown>;

export type Payments = ReturnType<typeof makePayments>;

/** The table `payments`. Money moves in functions of schema.sql, each once per charge of the provider. */
export function makePayments(sql: Sql, hashOf: HashOf = () => null) {
  return {
    takeStars,
    settle,
    refund,
    byId,
    byCharge,
    byYooKassaId,
    latest,
    subscription,
    otherSubscriptions,
    setSubscriptionStatus,
    pauseUnrenewed,
  };

  function takeStars(payment: StarPayment, afterwards: Afterwards<Settled>): Promise<Settled> {
    const { userId, chargeId, tokens, stars, rub, referralTokens, paidUntil, isFirst } = payment;
    return inTransaction(sql, async (tx) => {
      // Of a person who left in between: what they paid for is credited, the welcome bonus is not.
      await tx`select register_person(${userId}, ${hashOf(userId)})`;
      const [row] = await tx<[SettledRow]>`
        select * from take_star_payment(${userId}, ${chargeId}, ${payment.package}, ${tokens}, ${stars}, ${rub},
          ${referralTokens}, ${paidUntil === null ? null : new Date(paidUntil)}, ${isFirst})`;
      return toldOf(settledOf(row), afterwards, tx);
    });
  }

  function settle(paymentId: number, afterwards: Afterwards<Settled>, on: Sql | TransactionSql = sql) {
    return inTransaction(on, async (tx) => {
      const [row] = await tx<[SettledRow]>`select * from settle_payment(${paymentId})`;
      return toldOf(settledOf(row), afterwards, tx);
    });
  }

  /** `refundKey` names the provider's refund; `share` is 1 for the whole sum. */
  function refund(
    { paymentId, refundKey, share }: { paymentId: number; refundKey: string; share: number },
    afterwards: Afterwards<Refunded>,
  ): Promise<Refunded> {
    return inTransaction(sql, async (tx) => {
      const [row] = await tx<[RefundedRow]>`
        select * from refund_payment(${paymentId}, ${refundKey}, ${share}::numeric)`;
      const { paid_id, payer_id, is_fresh, new_balance, taken_tokens, is_whole } = row;
      const refunded = {
        paymentId: paid_id,
        userId: payer_id,
        isFresh: is_fresh,
        balance: new_balance,
        taken: taken_tokens,
        isWhole: is_whole,
        bonusBack: is_fresh && is_whole ? await bonusBack(paid_id, tx) : null,
      };
      if (refunded.isFresh) await afterwards(refunded, tx);
      return refunded;
    });
  }

  async function bonusBack(paymentId: number, tx: TransactionSql): Promise<Refunded['bonusBack']> {
    return one(
      await tx<NonNullable<Refunded['bonusBack']>[]>`
        select e.user_id as "userId", -e.amount as tokens, u.balance from token_expenses e join users u on u.id = e.user_id
        where e.operation_key = ${`payment:${paymentId}:referral:back`}`,
    );
  }

  async function byId(id: number): Promise<PaymentRow | null> {
    return one(await sql<PaymentRow[]>`select ${columns(sql)} from payments where id = ${id}`);
  }

  async function byCharge(chargeId: string): Promise<PaymentRow | null> {
    return one(
      await sql<PaymentRow[]>`
        select ${columns(sql)} from payments where telegram_payment_charge_id = ${chargeId}`,
    );
  }

  async function byYooKassaId(yookassaId: string): Promise<PaymentRow | null> {
    return one(
      await sql<PaymentRow[]>`select ${columns(sql)} from payments where yookassa_payment_id = ${yookassaId}`,
    );
  }

  /** The person's last payments that moved money, newest first. */
  function latest(userId: number, limit: number): Promise<PaymentRow[]> {
    return sql<PaymentRow[]>`
      select ${columns(sql)} from payments
      where user_id = ${userId} and status in ('completed', 'refunded') order by id desc limit ${limit}`;
  }

  /** The person's subscription is the one that lasts longest. */
  async function subscription(userId: number): Promise<PaymentRow | null> {
    return one(
      await sql<PaymentRow[]>`
        select ${columns(sql)} from payments
        where user_id = ${userId} and is_subscription and status = 'completed'
        order by subscription_expires_at desc, id desc limit 1`,
    );
  }

  /** Active ones that another plan has taken the place of. */
  function otherSubscriptions(userId: number, except: Pick<PaymentRow, 'id' | 'subscriptionId'>) {
    return sql<PaymentRow[]>`
      select ${columns(sql)} from payments
      where user_id = ${userId} and is_subscription and status = 'completed' and subscription_status = 'active'
        and subscription_expires_at > now() and id < ${except.id} and (subscription_id is distinct from ${except.subscriptionId} or subscription_id is null)`;
  }

  async function setSubscriptionStatus(paymentId: number, status: SubscriptionStatus): Promise<boolean> {
    const { count } = await sql`
      update payments set subscription_status = ${status}
      where id = ${paymentId} and is_subscription and status = 'completed' and subscription_status <> ${status}`;
    return count === 1;
  }

  /** Nothing announces that Telegram could not renew (E19): an hour after its end a subscription counts as paused. */
  function pauseUnrenewed(afterwards: Afterwards<PaymentRow>): Promise<PaymentRow[]> {
    return inTransaction(sql, async (tx) => {
      const paused = await tx<PaymentRow[]>`
        update payments p set subscription_status = 'paused'
        where provider = 'stars' and is_subscription and status = 'completed' and subscription_status = 'active'
          and subscription_expires_at < now() - interval '1 hour'
          and not exists (
            select from payments later where later.user_id = p.user_id and later.is_subscription
              and later.status = 'completed' and later.subscription_expires_at > p.subscription_expires_at)
        returning ${columns(tx)}`;
      for (const each of paused) await afterwards(each, tx);
      return paused;
    });
  }
}

type SettledRow = {
  paid_id: number;
  payer_id: number;
  is_fresh: boolean;
  new_balance: number;
  bonus_tokens: number;
  bonus_to: number | null;
};
type RefundedRow = {
  paid_id: number;
  payer_id: number;
  is_fresh: boolean;
  new_balance: number;
  taken_tokens: number;
  is_whole: boolean;
};

const settledOf = (row: SettledRow): Settled => ({
  paymentId: row.paid_id,
  userId: row.payer_id,
  isFresh: row.is_fresh,
  balance: row.new_balance,
  bonus: row.bonus_tokens,
  bonusTo: row.bonus_tokens > 0 ? row.bonus_to : null,
});

async function toldOf(settled: Settled, afterwards: Afterwards<Settled>, tx: TransactionSql) {
  if (settled.isFresh) await afterwards(settled, tx);
  return settled;
}

export const columns = (on: Sql | TransactionSql) => on`
  id, user_id as "userId", provider, status, package_name as package, tokens_amount as tokens,
  amount_rub::float8 as rub, stars_amount as stars, telegram_payment_charge_id as "chargeId",
  yookassa_payment_id as "yookassaId", yookassa_payment_method_id as "methodId", is_subscription as "isSubscription",
  subscription_id as "subscriptionId", subscription_status as "subscriptionStatus",
  subscription_expires_at as "expiresAt", renews_id as "renewsId", confirmation_url as "confirmationUrl", failure,
  payment_method_title as card, refunded_share::float8 as "refundedShare", refunded_tokens as "refundedTokens",
  created_at as "createdAt"`;

export const one = <Row>(rows: readonly Row[]): Row | null => rows[0] ?? null;
