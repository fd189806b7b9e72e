import type { PackageName } from '../catalogue.ts';
import { inTransaction, type Sql } from './database.ts';
import { type Afterwards, columns, makePayments, one, type PaymentRow, type Settled } from './payments.ts';

type CardOrder = {
  /** Names the creation: asked for twice, there is one payment. */
  key: string;
  userId: number;
  package: PackageName;
  tokens: number;
  rub: number;
  referralTokens: number;
  isSubscription: boolean;
  /** The payment whose period this one continues. */
  renewsId: number | null;
};

export type CardPayments = ReturnType<typeof makeCardPayments>;

/** Payments by card: they have a row from their creation, because their money comes later, or never. */
export function makeCardPayments(sql: Sql) {
  const { settle } = makePayments(sql);
  return {
    open,
    noteCreated,
    complete,
    fail,
    pending,
    stale,
    soon,
    due,
    forgetCard,
    receiptEmail,
    setReceiptEmail,
  };

  /**
   * One row per key, and one per renewed period. No index is named: with one named, two processes that renew the same period
   * at once could meet at the other, which PostgreSQL answers with an error.
   */
  async function open(order: CardOrder): Promise<PaymentRow> {
    const [made] = await sql<PaymentRow[]>`
      insert into payments (user_id, provider, package_name, tokens_amount, amount_rub, referral_tokens, is_subscription,
        renews_id, operation_key)
      values (${order.userId}, 'yookassa', ${order.package}, ${order.tokens}, ${order.rub}, ${order.referralTokens},
        ${order.isSubscription}, ${order.renewsId}, ${order.key})
      on conflict do nothing
      returning ${columns(sql)}`;
    if (made) return made;
    const [known] = await sql<[PaymentRow]>`
      select ${columns(sql)} from payments where operation_key = ${order.key} or renews_id = ${order.renewsId}`;
    return known;
  }

  async function noteCreated(id: number, yookassaId: string, confirmationUrl: string | null): Promise<void> {
    await sql`
      update payments set yookassa_payment_id = ${yookassaId}, confirmation_url = ${confirmationUrl}
      where id = ${id} and yookassa_payment_id is null`;
  }

  /** Marks and credits in one transaction. A subscription begins, or goes on where the period before ends. */
  function complete(
    id: number,
    paid: { yookassaId: string; method: { id: string; title: string | null } | null },
    afterwards: Afterwards<Settled>,
  ): Promise<Settled> {
    const { yookassaId, method } = paid;
    return inTransaction(sql, async (tx) => {
      await tx`
        update payments p set yookassa_payment_id = ${yookassaId},
          yookassa_payment_method_id = coalesce(${method?.id ?? null}, p.yookassa_payment_method_id),
          payment_method_title = coalesce(${method?.title ?? null}, p.payment_method_title),
          subscription_status = case when is_subscription then 'active' end,
          subscription_expires_at = case when is_subscription then interval '30 days' + greatest(now(),
            (select before.subscription_expires_at from payments before where before.id = p.renews_id)) end
        where id = ${id} and status in ('pending', 'failed')`;
      return settle(id, afterwards, tx);
    });
  }

  /** False: it was not waiting any more. */
  async function fail(id: number, reason: string): Promise<boolean> {
    const { count } = await sql`
      update payments set status = 'failed', failure = ${reason} where id = ${id} and status = 'pending'`;
    return count === 1;
  }

  /** Of the last hour: their notices may never come. */
  function pending(limit: number): Promise<PaymentRow[]> {
    return sql<PaymentRow[]>`
      select ${columns(sql)} from payments
      where status = 'pending' and provider = 'yookassa' and created_at > now() - interval '1 hour'
        and yookassa_payment_id is not null
      order by created_at desc limit ${limit}`;
  }

  function stale(limit: number): Promise<PaymentRow[]> {
    return sql<PaymentRow[]>`
      select ${columns(sql)} from payments
      where status = 'pending' and provider = 'yookassa' and created_at < now() - interval '24 hours'
      order by created_at limit ${limit}`;
  }

  /** Subscriptions whose next charge is to be announced: more than a day ahead, as the law asks. */
  function soon(limit: number): Promise<PaymentRow[]> {
    return sql<PaymentRow[]>`
      select ${columns(sql)} from payments where ${renewable()}
        and subscription_expires_at between now() + interval '24 hours' and now() + interval '48 hours' limit ${limit}`;
  }

  /** Subscriptions whose period is over, and whose next one was neither paid nor refused. */
  function due(limit: number): Promise<PaymentRow[]> {
    return sql<PaymentRow[]>`
      select ${columns(sql)} from payments p where ${renewable()}
        and subscription_expires_at between now() - interval '24 hours' and now()
        and not exists (select from payments next where next.renews_id = p.id and next.status <> 'pending')
      limit ${limit}`;
  }

  function renewable() {
    return sql`
      provider = 'yookassa' and is_subscription and status = 'completed' and subscription_status = 'active'
      and yookassa_payment_method_id is not null`;
  }

  /** The saved method goes from every payment of the person, and with it the renewal. */
  async function forgetCard(userId: number): Promise<void> {
    await sql`
      update payments set yookassa_payment_method_id = null, payment_method_title = null,
        subscription_status = case when subscription_status = 'active' then 'cancelled' else subscription_status end
      where user_id = ${userId} and provider = 'yookassa' and yookassa_payment_method_id is not null`;
  }

  async function receiptEmail(userId: number): Promise<string | null> {
    const row = one(
      await sql<{ email: string | null }[]>`
      select receipt_email as email from users where id = ${userId}`,
    );
    return row?.email ?? null;
  }

  async function setReceiptEmail(userId: number, email: string): Promise<void> {
    await sql`update users set receipt_email = ${email} where id = ${userId}`;
  }
}
