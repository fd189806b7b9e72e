import { offerOf, type PackageName, referralBonus, type StarsList } from '../../catalogue.ts';
import type { Happenings } from '../../engine/happenings.ts';
import type { Log } from '../../log.ts';
import { tokens as tokensInWords } from '../../russian.ts';
import type { Invoice } from '../../screens/kit/screen.ts';
import type { Job } from '../../store/jobs.ts';
import type { PaymentRow, Payments } from '../../store/payments.ts';
import { newsOfPause, newsOfPayment, newsOfRefund } from './money-news.ts';
import { orderIn, payloadOf } from './order.ts';

/** The calls of the Bot API that move or stop Stars. */
export type StarsApi = {
  subscriptionLink(invoice: Invoice): Promise<string>;
  setRenewal(userId: number, subscriptionId: string, isOn: boolean): Promise<void>;
  /** Resolves also when the charge was given back before. */
  refund(userId: number, chargeId: string): Promise<void>;
};

export type Stars = ReturnType<typeof makeStars>;

/** A second plan has replaced the first, whose renewal has to be stopped at Telegram. */
export const END_SUBSCRIPTION = 'end-star-subscription';

type Deps = {
  api: StarsApi;
  payments: Payments;
  list: StarsList;
  /** What a Star brings, for the books. */
  rubPerStar: number;
  enqueue(job: Job, tx?: Parameters<Parameters<Payments['takeStars']>[1]>[1]): Promise<unknown>;
  /** Something was enqueued: it need not wait for the next sweep. */
  wake(): void;
  log: Log;
};

/** Payments in Telegram Stars. Telegram repeats what was not acknowledged, so everything here may come twice. */
export function makeStars({ api, payments, list, rubPerStar, enqueue, wake, log }: Deps) {
  return {
    mayPay,
    paid,
    refunded,
    subscriptionChanged,
    invoice,
    subscriptionLink,
    setRenewal,
    giveBack,
    pauseUnrenewed,
    endSubscription,
  };

  /** Telegram waits ten seconds, so nothing is read and nothing is locked: the payload tells all. */
  async function mayPay({ userId, currency, amount, payload }: Parameters<Happenings['mayPay']>[0]) {
    const order = orderIn(payload, list);
    if (!order) return refusals.unknown;
    if (order.userId !== userId) return refusals.stranger;
    if (currency !== 'XTR' || amount !== order.offer.stars) return refusals.price;
    return null;
  }

  async function paid(payment: Parameters<Happenings['paid']>[0]): Promise<void> {
    const { userId, chargeId, amount, payload, renewal } = payment;
    const order = orderIn(payload, list);
    if (!order) return log.error(payment, 'a payment names nothing that is sold: give it back by hand');
    const { name, tokens, rub } = order.offer;
    await payments.takeStars(
      {
        ...{ userId, chargeId, tokens },
        package: name,
        stars: amount,
        rub: rounded(amount * rubPerStar),
        // Of the list price: what the seller gets for Stars is a fraction of it.
        referralTokens: referralBonus(rub),
        paidUntil: renewal?.paidUntil ?? null,
        isFirst: renewal?.isFirst ?? false,
      },
      async (settled, tx) => {
        for (const job of newsOfPayment(settled)) await enqueue(job, tx);
        if (renewal?.isFirst) await enqueue(endOthers(userId, settled.paymentId), tx);
        log.info(
          { user: userId, payment: settled.paymentId, package: name, stars: amount },
          'stars credited',
        );
      },
    );
    wake();
  }

  async function refunded({ chargeId }: Parameters<Happenings['refunded']>[0]): Promise<void> {
    const payment = await payments.byCharge(chargeId);
    if (!payment) return log.error({ charge: chargeId }, 'a payment that is not in the books was given back');
    await takeBack(payment);
  }

  /** Changed in Telegram itself, or an echo of what we did. The newest period of that plan carries the state. */
  async function subscriptionChanged({
    userId,
    payload,
    state,
  }: Parameters<Happenings['subscriptionChanged']>[0]): Promise<void> {
    const order = orderIn(payload, list);
    const current = await payments.subscription(userId);
    if (!order || current?.provider !== 'stars' || current.package !== order.offer.name) return;
    if (state === 'canceled') return void (await payments.setSubscriptionStatus(current.id, 'cancelled'));
    if (state === 'active') return void (await payments.setSubscriptionStatus(current.id, 'active'));
    if (await payments.setSubscriptionStatus(current.id, 'paused')) await enqueue(newsOfPause(current));
    wake();
  }

  function invoice(userId: number, name: PackageName): Invoice {
    return billOf('package', userId, name);
  }

  function subscriptionLink(userId: number, name: PackageName): Promise<string> {
    return api.subscriptionLink(billOf('plan', userId, name));
  }

  function billOf(kind: 'package' | 'plan', userId: number, name: PackageName): Invoice {
    const offer = offerOf(name, list);
    const { title, tokens, stars } = offer;
    return {
      // Telegram takes 32 characters.
      title: kind === 'plan' ? `Подписка ${title}` : `Пакет ${title}`,
      description:
        kind === 'plan'
          ? `${tokensInWords(tokens)} сразу и каждые 30 дней. Отменить можно в любой момент.`
          : `${tokensInWords(tokens)} на баланс SEO Master.`,
      payload: payloadOf({ kind, offer, userId }),
      stars,
    };
  }

  /** Telegram first: a state of ours that Telegram does not share would charge the person again. */
  async function setRenewal(subscription: PaymentRow, isOn: boolean): Promise<void> {
    const { id, userId, subscriptionId, chargeId } = subscription;
    await api.setRenewal(userId, subscriptionId ?? chargeId!, isOn);
    await payments.setSubscriptionStatus(id, isOn ? 'active' : 'cancelled');
  }

  async function giveBack(payment: PaymentRow): Promise<'refunded'> {
    await api.refund(payment.userId, payment.chargeId!);
    await takeBack(payment);
    return 'refunded';
  }

  async function takeBack(payment: PaymentRow): Promise<void> {
    const refundKey = `stars:${payment.chargeId}`;
    await payments.refund({ paymentId: payment.id, refundKey, share: 1 }, async (outcome, tx) => {
      for (const job of newsOfRefund(refundKey, outcome)) await enqueue(job, tx);
      if (payment.isSubscription && payment.subscriptionStatus === 'active')
        await enqueue(
          {
            key: `${END_SUBSCRIPTION}:refund:${payment.id}`,
            kind: END_SUBSCRIPTION,
            userId: payment.userId,
            payload: { paymentIds: [payment.id] },
          },
          tx,
        );
      log.info({ user: payment.userId, payment: payment.id, taken: outcome.taken }, 'stars given back');
    });
    wake();
  }

  async function pauseUnrenewed(): Promise<void> {
    const paused = await payments.pauseUnrenewed((payment, tx) => enqueue(newsOfPause(payment), tx));
    if (paused.length > 0) wake();
  }

  /** A job: of another plan, or of a payment that was given back. */
  async function endSubscription(payload: { exceptFor: number } | { paymentIds: number[] }): Promise<void> {
    const ended =
      'exceptFor' in payload ? await replacedBy(payload.exceptFor) : await rowsOf(payload.paymentIds);
    for (const row of ended) {
      if (row.provider === 'stars')
        await api.setRenewal(row.userId, row.subscriptionId ?? row.chargeId!, false);
      await payments.setSubscriptionStatus(row.id, 'cancelled');
    }
  }

  async function replacedBy(paymentId: number): Promise<PaymentRow[]> {
    const current = await payments.byId(paymentId);
    return current ? payments.otherSubscriptions(current.userId, current) : [];
  }

  async function rowsOf(ids: readonly number[]): Promise<PaymentRow[]> {
    const rows = await Promise.all(ids.map((id) => payments.byId(id)));
    return rows.filter((row) => row !== null);
  }
}

/** Shown by Telegram in its payment window, which takes plain text alone. */
const refusals = {
  unknown: 'Этот пакет больше не продаётся. Откройте тарифы в боте и выберите другой. Деньги не списаны.',
  stranger:
    'Этот счёт выставлен другому человеку. Откройте тарифы в боте и выберите пакет. Деньги не списаны.',
  price: 'Цена изменилась. Откройте тарифы в боте и выберите пакет заново. Деньги не списаны.',
};

/** Another plan was paid: the one before is not renewed any more. */
export const endOthers = (userId: number, paymentId: number): Job => ({
  key: `${END_SUBSCRIPTION}:${paymentId}`,
  kind: END_SUBSCRIPTION,
  userId,
  payload: { exceptFor: paymentId },
});

const rounded = (rub: number): number => Math.round(rub * 100) / 100;
