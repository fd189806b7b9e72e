import { offers, packageTitle, type StarsList } from '../catalogue.ts';
import { SupplierFailed } from '../clients/http/supplier.ts';
import { createYooKassa } from '../clients/yookassa.ts';
import type { YooKassaSettings } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import type { Flows } from '../engine/flows.ts';
import { type FlowRun, parseSession } from '../engine/session.ts';
import type { SessionStore } from '../engine/session-store.ts';
import { UnusableFlow } from '../engine/unusable-flow.ts';
import { RateLimited } from '../errors.ts';
import { yookassaSenders } from '../http/yookassa-webhook.ts';
import type { Log } from '../log.ts';
import type { CardBill, CardPaymentsData } from '../menu/card-payments.ts';
import type { TariffsData } from '../menu/tariffs.ts';
import { to } from '../screens/kit/link.ts';
import type { Waiting } from '../screens/pages/money-news.ts';
import type { Subscription, Tariffs } from '../screens/pages/tariffs.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import type { TellPerson } from '../services/notify/tell-person.ts';
import { makeCards, type RefundEnd } from '../services/payments/cards.ts';
import { NEWS } from '../services/payments/money-news.ts';
import { END_SUBSCRIPTION, makeStars, type StarsApi } from '../services/payments/stars.ts';
import { makeCardPayments } from '../store/card-payments.ts';
import { makeDashboard } from '../store/dashboard.ts';
import type { Sql } from '../store/database.ts';
import type { JobHandler, Jobs } from '../store/jobs.ts';
import { makePayments, type PaymentRow } from '../store/payments.ts';
import type { HashOf } from '../store/users.ts';
import { makeMoneyNews } from './money-news.ts';

type Ground = {
  pausedSchedules(userId: number): Promise<number>;
  sql: Sql;
  hashOf: HashOf;
  /** Null: cards are not taken. */
  yookassa: (YooKassaSettings & { senders?: readonly string[] }) | null;
  /** Where people come back to from the payment page, unless the settings say otherwise. */
  returnUrl: string;
  starsApi: StarsApi;
  stars: { list: StarsList; rubEach: number };
  limits: RateLimits;
  tellPerson: TellPerson;
  sessions: Pick<SessionStore, 'peek'>;
  flows(): Pick<Flows, 'restore'>;
  inject: Engine['inject'];
  jobs(): Pick<Jobs, 'enqueue' | 'sweep'>;
  log: Log;
};

/** Money from people: the catalogue's pages, what providers report, and what people are told of it. */
export function composeMoney(ground: Ground) {
  const { sql, starsApi, limits, tellPerson, sessions, inject, log } = ground;
  const payments = makePayments(sql, ground.hashOf);
  const dashboard = makeDashboard(sql);
  const stars = makeStars({
    api: starsApi,
    payments,
    list: ground.stars.list,
    rubPerStar: ground.stars.rubEach,
    enqueue: (job, tx) => ground.jobs().enqueue(job, tx),
    wake: () => void ground.jobs().sweep(),
    log,
  });
  const cardStore = makeCardPayments(sql);
  const cards =
    ground.yookassa &&
    makeCards({
      api: createYooKassa(ground.yookassa),
      payments,
      store: cardStore,
      settings: {
        shopId: ground.yookassa.shopId,
        returnUrl: ground.yookassa.returnUrl ?? ground.returnUrl,
        receiptEmail: ground.yookassa.receiptEmail ?? null,
      },
      enqueue: (job, tx) => ground.jobs().enqueue(job, tx),
      wake: () => void ground.jobs().sweep(),
      log,
    });
  const { mayPay, paid, refunded, subscriptionChanged } = stars;
  const handlers: Record<string, JobHandler> = {
    [NEWS]: makeMoneyNews({
      ...{ payments, list: ground.stars.list, tellPerson, waiting, inject },
      pausedSchedules: ground.pausedSchedules,
    }),
    [END_SUBSCRIPTION]: async ({ payload }, { stage }) =>
      stage('end', async () => {
        await stars.endSubscription(payload as Parameters<typeof stars.endSubscription>[0]);
        return null;
      }),
  };
  const pages: TariffsData = {
    tariffs,
    invoice: stars.invoice,
    subscriptionLink: (userId, name) => unlessAway(() => stars.subscriptionLink(userId, name)),
    purchaseRefusal,
    setRenewal,
    forgetCard,
  };
  const cardPages: CardPaymentsData = {
    offers: () => (cards ? offers(ground.stars.list) : []),
    receiptEmail: cardStore.receiptEmail,
    setReceiptEmail: cardStore.setReceiptEmail,
    purchaseRefusal,
    begin: (order) => unlessAway(() => cards!.begin(order)),
    bill,
    check,
  };
  return {
    happenings: { mayPay, paid, refunded, subscriptionChanged },
    jobHandlers: handlers,
    pages,
    cardPages,
    cards,
    senders: ground.yookassa?.senders ?? yookassaSenders,
    jobs: {
      pauseUnrenewed: stars.pauseUnrenewed,
      lookAtCardPayments: async () => cards?.sweep(),
      announceRenewals: async () => cards?.announceRenewals(),
      renewSubscriptions: async () => cards?.renewDue(),
    },
    /** Refunds a payment through the provider that took it. Called by the operator. */
    giveBack,
    endRenewal,
    payments,
  };

  async function tariffs(userId: number): Promise<Tariffs> {
    const [home, subscription] = await Promise.all([dashboard(userId), payments.subscription(userId)]);
    if (!home) throw new Error(`user ${userId} is not registered`);
    const { balance, averageArticleCost } = home;
    return {
      balance,
      averageArticleCost,
      offers: offers(ground.stars.list),
      subscription: subscription && subscriptionOf(subscription),
      cards: cards !== null,
    };
  }

  async function purchaseRefusal(userId: number): Promise<string | null> {
    try {
      await limits.take('token_purchase', userId);
      return null;
    } catch (error) {
      if (error instanceof RateLimited) return error.userMessage;
      throw error;
    }
  }

  async function setRenewal(userId: number, paymentId: number, isOn: boolean) {
    const subscription = await payments.subscription(userId);
    if (subscription?.id !== paymentId) return 'gone';
    if (subscription.provider === 'stars') {
      const told = await unlessAway(async () => {
        await stars.setRenewal(subscription, isOn);
        return 'changed' as const;
      });
      return told ?? 'away';
    }
    if (isOn && subscription.methodId === null) return 'gone';
    await payments.setSubscriptionStatus(paymentId, isOn ? 'active' : 'cancelled');
    return 'changed';
  }

  async function forgetCard(userId: number, paymentId: number): Promise<boolean> {
    const subscription = await payments.subscription(userId);
    if (subscription?.id !== paymentId || subscription.methodId === null) return false;
    await cardStore.forgetCard(userId);
    return true;
  }

  /** False: Telegram could not be told. */
  async function endRenewal(userId: number): Promise<boolean> {
    const subscription = await payments.subscription(userId);
    if (subscription?.provider !== 'stars' || subscription.subscriptionStatus !== 'active') return true;
    try {
      await stars.setRenewal(subscription, false);
      return true;
    } catch (error) {
      log.warn({ err: error, user: userId }, 'a subscription could not be ended');
      return false;
    }
  }

  async function giveBack(payment: PaymentRow): Promise<RefundEnd | 'off'> {
    if (payment.provider === 'stars') return stars.giveBack(payment);
    return cards ? cards.giveBack(payment) : 'off';
  }

  async function bill(userId: number, paymentId: number): Promise<CardBill | null> {
    const row = await payments.byId(paymentId);
    if (row?.userId !== userId || row.provider !== 'yookassa') return null;
    const { tokens, rub, confirmationUrl: url, status } = row;
    return { paymentId, title: packageTitle(row.package), tokens, rub: rub ?? 0, url, status };
  }

  async function check(userId: number, paymentId: number) {
    const row = await payments.byId(paymentId);
    if (row?.userId !== userId || !cards) return null;
    return unlessAway(() => cards.check(row));
  }

  /** Null while the provider is away: the person is told so, and nothing has changed. */
  async function unlessAway<Result>(work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SupplierFailed)) throw error;
      log.warn({ err: error }, 'a provider of payments is away');
      return null;
    }
  }

  /** What the person was doing when tokens ran out: a flow that listens for them. */
  async function waiting(userId: number, balance: number): Promise<Waiting | null> {
    const stored = await sessions.peek(userId);
    const session = stored === null ? null : parseSession(stored);
    const current = listening(session?.flow, balance);
    if (current) return { what: current, link: to('flow:again') };
    const parked = listening(session?.parked.find(({ slot }) => slot === 'pipeline')?.run, balance);
    return parked ? { what: parked, link: to('pipeline:resume') } : null;
  }

  /** The flow's title, if it listens. */
  function listening(run: FlowRun | null | undefined, balance: number): string | null {
    if (!run) return null;
    try {
      const flow = ground.flows().restore(run);
      return flow.can({ type: 'tokens.credited', balance }) ? flow.title : null;
    } catch (error) {
      if (error instanceof UnusableFlow) return null;
      throw error;
    }
  }
}

function subscriptionOf(row: PaymentRow): Subscription {
  const { id, provider, tokens, rub, stars, expiresAt, subscriptionStatus } = row;
  return {
    paymentId: id,
    plan: row.package,
    title: packageTitle(row.package),
    tokens,
    provider,
    status: subscriptionStatus ?? 'cancelled',
    until: expiresAt!.toISOString(),
    isOver: expiresAt!.getTime() <= Date.now(),
    price: (provider === 'stars' ? stars : rub) ?? 0,
    card: row.methodId === null ? null : cardName(row.card ?? ''),
  };
}

/** YooKassa writes «Bank card *4444»; what is no bank card stays as it is written. */
const cardName = (title: string): string => /^Bank card (\*\d{4})$/u.exec(title)?.[1] ?? title;
