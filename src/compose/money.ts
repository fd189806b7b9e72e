import { isPackage, offers, packages, type StarsList } from '../catalogue.ts';
import type { Engine } from '../engine/engine.ts';
import type { Flows } from '../engine/flows.ts';
import { parseSession } from '../engine/session.ts';
import type { SessionStore } from '../engine/session-store.ts';
import { UnusableFlow } from '../engine/unusable-flow.ts';
import { RateLimited } from '../errors.ts';
import type { Log } from '../log.ts';
import type { TariffsData } from '../menu/tariffs.ts';
import { to } from '../screens/kit/link.ts';
import type { Waiting } from '../screens/pages/money-news.ts';
import type { Subscription, Tariffs } from '../screens/pages/tariffs.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import type { TellPerson } from '../services/notify/tell-person.ts';
import { NEWS } from '../services/payments/money-news.ts';
import { END_SUBSCRIPTION, makeStars, type StarsApi } from '../services/payments/stars.ts';
import { makeDashboard } from '../store/dashboard.ts';
import type { Sql } from '../store/database.ts';
import type { JobHandler, Jobs } from '../store/jobs.ts';
import { makePayments, type PaymentRow } from '../store/payments.ts';
import { makeMoneyNews } from './money-news.ts';

type Ground = {
  sql: Sql;
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
  const payments = makePayments(sql);
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
  const { mayPay, paid, refunded, subscriptionChanged } = stars;
  const handlers: Record<string, JobHandler> = {
    [NEWS]: makeMoneyNews({ payments, tellPerson, waiting, inject }),
    [END_SUBSCRIPTION]: async ({ payload }, { stage }) =>
      stage('end', async () => {
        await stars.endSubscription(payload as Parameters<typeof stars.endSubscription>[0]);
        return null;
      }),
  };
  const pages: TariffsData = {
    tariffs,
    invoice: stars.invoice,
    subscriptionLink: stars.subscriptionLink,
    purchaseRefusal,
    setRenewal,
    forgetCard: async () => false,
  };
  return {
    happenings: { mayPay, paid, refunded, subscriptionChanged },
    jobHandlers: handlers,
    pages,
    pauseUnrenewed: stars.pauseUnrenewed,
    /** Gives a payment back, whoever took it. For the operator. */
    giveBack: async (payment: PaymentRow) => stars.giveBack(payment),
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
      cards: false,
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

  async function setRenewal(userId: number, paymentId: number, isOn: boolean): Promise<boolean> {
    const subscription = await payments.subscription(userId);
    if (subscription?.id !== paymentId) return false;
    await stars.setRenewal(subscription, isOn);
    return true;
  }

  /** What the person was doing when tokens ran out: a flow that listens for them. */
  async function waiting(userId: number, balance: number): Promise<Waiting | null> {
    const stored = await sessions.peek(userId);
    const run = stored === null ? null : parseSession(stored)?.flow;
    if (!run) return null;
    try {
      const flow = ground.flows().restore(run);
      const isWaiting = flow.can({ type: 'tokens.credited', balance });
      return isWaiting ? { what: flow.title, link: to('flow:again') } : null;
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
    title: isPackage(row.package) ? packages[row.package].title : row.package,
    tokens,
    provider,
    status: subscriptionStatus ?? 'cancelled',
    until: expiresAt!.toISOString(),
    isOver: expiresAt!.getTime() <= Date.now(),
    price: (provider === 'stars' ? stars : rub) ?? 0,
    card: null,
  };
}
