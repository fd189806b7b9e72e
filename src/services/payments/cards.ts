import { createHash } from 'node:crypto';
import { isPackage, type Offer, packageTitle, referralBonus } from '../../catalogue.ts';
import type { CardPayment, YooKassa } from '../../clients/yookassa.ts';
import type { Log } from '../../log.ts';
import type { CardPayments } from '../../store/card-payments.ts';
import type { TransactionSql } from '../../store/database.ts';
import type { Job } from '../../store/jobs.ts';
import type { PaymentRow, Payments } from '../../store/payments.ts';
import { newsJob, newsOfPayment, newsOfRefund } from './money-news.ts';
import { endOthers } from './stars.ts';

type CardSettings = {
  shopId: string;
  returnUrl: string;
  /** For receipts of people who gave no address of their own. */
  receiptEmail: string | null;
};

/** A notice of the provider. Only the id of the payment is used: its state is read from the API. */
type Notice = { event: string; id: string };
export type Heard = 'settled' | 'known' | 'unknown' | 'refused';

/** What the provider says of a refund that it was asked for. */
export type RefundEnd = 'refunded' | 'pending' | 'refused';

const BATCH = 50;

/** Payments by card. Whatever is asked or announced twice moves money once: by the payment's id at the provider. */
export function makeCards({
  api,
  payments,
  store,
  settings,
  enqueue,
  wake,
  log,
}: {
  api: YooKassa;
  payments: Payments;
  store: CardPayments;
  settings: CardSettings;
  enqueue(job: Job, tx?: TransactionSql): Promise<unknown>;
  wake(): void;
  log: Log;
}) {
  return { begin, check, heard, sweep, announceRenewals, renewDue, renew, giveBack };

  /** The row comes first: a notice may overtake the answer to our own request. */
  async function begin(order: { key: string; userId: number; offer: Offer; isSubscription: boolean }) {
    const { key, userId, offer, isSubscription } = order;
    const row = await store.open({
      ...{ key, userId, isSubscription },
      package: offer.name,
      tokens: offer.tokens,
      rub: offer.rub,
      referralTokens: referralBonus(offer.rub),
      renewsId: null,
    });
    if (row.confirmationUrl !== null) return row.id;
    const { id, confirmation } = await api.create({
      ...(await requestFor(row)),
      returnUrl: settings.returnUrl,
      savesMethod: isSubscription,
    });
    await store.noteCreated(row.id, id, confirmation?.confirmation_url ?? null);
    return row.id;
  }

  /** Asks the provider how the payment stands. */
  async function check(row: PaymentRow): Promise<PaymentRow['status']> {
    if (row.status !== 'pending' || row.yookassaId === null) return row.status;
    const found = await api.payment(row.yookassaId);
    if (found) await apply(row, found);
    return (await payments.byId(row.id))?.status ?? row.status;
  }

  async function heard({ event, id }: Notice): Promise<Heard> {
    if (event === 'refund.succeeded') return heardOfRefund(id);
    if (!event.startsWith('payment.')) return 'unknown';
    const found = await api.payment(id);
    if (!found) return 'unknown';
    const row = (await payments.byYooKassaId(found.id)) ?? (await namedIn(found));
    if (!row) {
      log.warn({ payment: found.id }, 'a card payment that is not in the books');
      return 'unknown';
    }
    return apply(row, found);
  }

  /** Our own number in the payment's metadata, for a notice that came before the creation was noted. */
  async function namedIn({ metadata }: CardPayment): Promise<PaymentRow | null> {
    const row = await payments.byId(Number(metadata.payment_id) || 0);
    return row?.provider === 'yookassa' && row.yookassaId === null ? row : null;
  }

  async function apply(row: PaymentRow, found: CardPayment): Promise<Heard> {
    const isOurs =
      found.amount.currency === 'RUB' &&
      Number(found.amount.value) === row.rub &&
      (found.recipient?.account_id ?? settings.shopId) === settings.shopId;
    if (!isOurs) {
      log.error({ payment: row.id, amount: found.amount }, 'a card payment is not what was asked for');
      return 'refused';
    }
    if (found.status === 'canceled')
      return cancelled(row, found.cancellation_details?.reason ?? 'general_decline');
    if (found.status !== 'succeeded') return 'known';
    if (row.failure === PERSON_LEFT) return returned(row, found);
    const { payment_method: method } = found;
    const settled = await store.complete(
      row.id,
      {
        yookassaId: found.id,
        method: row.isSubscription && method?.saved ? { id: method.id, title: method.title ?? null } : null,
      },
      async (outcome, tx) => {
        for (const job of newsOfPayment(outcome)) await enqueue(job, tx);
        if (row.isSubscription && row.renewsId === null) await enqueue(endOthers(row.userId, row.id), tx);
        log.info({ user: row.userId, payment: row.id, rub: row.rub }, 'a card payment was credited');
      },
    );
    wake();
    return settled.isFresh ? 'settled' : 'known';
  }

  /** E37 for a renewal: the period that is paid goes on to its end, and nothing is tried again. */
  async function cancelled(row: PaymentRow, reason: string): Promise<Heard> {
    if (!(await store.fail(row.id, reason))) return 'known';
    if (reason === 'permission_revoked') await store.forgetCard(row.userId);
    // The person closed the page, or paid by a newer bill: an hour later that would be told as a payment that failed.
    if (reason === EXPIRED && row.renewsId === null) return 'settled';
    const news =
      row.renewsId === null
        ? newsJob(row.userId, `${row.id}`, { what: 'card-failed', paymentId: row.id, reason })
        : newsJob(row.userId, `${row.id}`, { what: 'renewal-failed', paymentId: row.renewsId, reason });
    await enqueue(news);
    wake();
    return 'settled';
  }

  /** The person has asked to be forgotten before the money came: it goes back. */
  async function returned(row: PaymentRow, found: CardPayment): Promise<Heard> {
    await api.giveBack({ key: uuidOf(`refund:${row.id}`), paymentId: found.id, rub: row.rub! });
    log.warn({ payment: row.id }, 'a payment of a person who has left was given back');
    return 'settled';
  }

  async function heardOfRefund(id: string): Promise<Heard> {
    const refund = await api.refund(id);
    const row = refund && (await payments.byYooKassaId(refund.payment_id));
    if (!row || refund.status !== 'succeeded') return 'unknown';
    return takeBack(row, refund);
  }

  async function takeBack(
    row: PaymentRow,
    refund: { id: string; amount: { value: string } },
  ): Promise<Heard> {
    const refundKey = `yookassa:${refund.id}`;
    const share = Math.min(1, Number(refund.amount.value) / row.rub!);
    const outcome = await payments.refund({ paymentId: row.id, refundKey, share }, async (done, tx) => {
      for (const job of newsOfRefund(refundKey, done)) await enqueue(job, tx);
    });
    wake();
    return outcome.isFresh ? 'settled' : 'known';
  }

  /** What is left of the payment. A bank may take days: tokens go when it is done, of which a notice tells. */
  async function giveBack(row: PaymentRow): Promise<RefundEnd> {
    const rub = Math.round(row.rub! * (1 - row.refundedShare) * 100) / 100;
    if (rub === 0) return 'refunded';
    // The provider refuses a known key with another sum: what is left after a partial refund has a key of its own.
    const key = uuidOf(row.refundedShare === 0 ? `refund:${row.id}` : `refund:${row.id}:${rub}`);
    const asked = await api.giveBack({ key, paymentId: row.yookassaId!, rub });
    // The same key brings the same answer, also when the bank has long decided.
    const refund = asked.status === 'pending' ? ((await api.refund(asked.id)) ?? asked) : asked;
    if (refund.status === 'succeeded') await takeBack(row, refund);
    return refundEnds[refund.status];
  }

  /** For notices that never come, and for a bot without a public address: it polls. */
  async function sweep(): Promise<void> {
    for (const row of await store.pending(BATCH)) await alone(row, () => check(row));
    for (const row of await store.stale(BATCH))
      await alone(row, async () => {
        if ((await check(row)) !== 'pending') return;
        if (row.renewsId !== null) await cancelled(row, 'provider_away');
        else await cancelled(row, EXPIRED);
      });
  }

  async function announceRenewals(): Promise<void> {
    for (const { id, userId } of await store.soon(BATCH))
      await enqueue(newsJob(userId, `${id}`, { what: 'renewal-soon', paymentId: id }));
  }

  async function renewDue(): Promise<void> {
    for (const row of await store.due(BATCH)) await alone(row, () => renew(row));
  }

  /** Two processes on the last day make one payment: the row is unique per period, and so is the provider's key. */
  async function renew(row: PaymentRow): Promise<void> {
    if (!isPackage(row.package) || row.methodId === null) return;
    const next = await store.open({
      key: `renew:${row.id}`,
      userId: row.userId,
      package: row.package,
      tokens: row.tokens,
      rub: row.rub!,
      referralTokens: referralBonus(row.rub!),
      isSubscription: true,
      renewsId: row.id,
    });
    if (next.status !== 'pending') return;
    if (next.yookassaId !== null) return void (await check(next));
    const made = await api.create({ ...(await requestFor(next)), methodId: row.methodId });
    await store.noteCreated(next.id, made.id, null);
    await apply({ ...next, yookassaId: made.id }, made);
  }

  async function requestFor(row: PaymentRow) {
    return {
      key: uuidOf(`create:${row.id}`),
      rub: row.rub!,
      description: `SEO Master, ${row.isSubscription ? 'подписка' : 'пакет'} ${packageTitle(row.package)}: ${row.tokens} токенов`,
      metadata: {
        user_id: String(row.userId),
        package_name: row.package,
        tokens_amount: String(row.tokens),
        payment_id: String(row.id),
        ...(row.isSubscription && { is_subscription: 'true' }),
        ...(row.renewsId !== null && { is_renewal: 'true' }),
      },
      receiptEmail: (await store.receiptEmail(row.userId)) ?? settings.receiptEmail,
    };
  }

  /** A payment that cannot be asked about must not keep the others waiting: the next sweep tries again. */
  async function alone(row: PaymentRow, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error, payment: row.id }, 'a card payment could not be looked at');
    }
  }
}

const refundEnds = { succeeded: 'refunded', pending: 'pending', canceled: 'refused' } as const;

const EXPIRED = 'expired_on_confirmation';
const PERSON_LEFT = 'person_left';

/** The provider takes 64 characters and advises a UUID. */
function uuidOf(key: string): string {
  const hex = createHash('sha256').update(`seo-master:${key}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
