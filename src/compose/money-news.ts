import { hasStarsPlan, isPackage, offerOf, type StarsList } from '../catalogue.ts';
import type { Engine } from '../engine/engine.ts';
import type { Screen } from '../screens/kit/screen.ts';
import {
  type Bought,
  bonusBackScreen,
  bonusScreen,
  cardFailedScreen,
  cardReason,
  creditedScreen,
  pausedScreen,
  refundedScreen,
  renewalFailedScreen,
  renewalSoonScreen,
  type Waiting,
} from '../screens/pages/money-news.ts';
import { rubles } from '../screens/pages/tariffs.ts';
import type { TellPerson } from '../services/notify/tell-person.ts';
import type { MoneyNews } from '../services/payments/money-news.ts';
import type { JobHandler } from '../store/jobs.ts';
import type { PaymentRow, Payments } from '../store/payments.ts';

type Deps = {
  payments: Pick<Payments, 'byId'>;
  list: StarsList;
  tellPerson: TellPerson;
  waiting(userId: number, balance: number): Promise<Waiting | null>;
  /** Schedules that stopped for lack of tokens. */
  pausedSchedules(userId: number): Promise<number>;
  inject: Engine['inject'];
};

/** Brings one piece of news, once. A messenger that asks to wait is tried again later; a lost answer is not. */
export const makeMoneyNews =
  ({ payments, list, tellPerson, waiting, pausedSchedules, inject }: Deps): JobHandler =>
  async ({ userId, payload }, { stage }) => {
    const news = payload as MoneyNews;
    const screen = await screenOf(userId!, news);
    if (!screen) return null;
    return stage('tell', async () => {
      const told = await tellPerson({ userId: userId!, about: 'important', screen });
      if (typeof told === 'object') throw new Error('the messenger asks to wait');
      return told;
    });

    async function screenOf(person: number, told: MoneyNews): Promise<Screen | null> {
      if (told.what === 'bonus') return bonusScreen(told.tokens);
      if (told.what === 'bonus-back') return bonusBackScreen(told.tokens, told.balance);
      const payment = await payments.byId(told.paymentId);
      if (!payment) return null;
      const bought = boughtWith(payment, list);
      switch (told.what) {
        case 'credited':
          return credited(person, bought, told);
        case 'refunded':
          return refundedScreen(bought, told);
        case 'paused':
          return pausedScreen(bought);
        case 'renewal-soon':
          return renewalSoonScreen(bought, rubles(payment.rub ?? 0));
        case 'renewal-failed':
          return renewalFailedScreen(bought, cardReason(told.reason));
        case 'card-failed':
          return cardFailedScreen(bought, cardReason(told.reason));
        default: {
          const never: never = told;
          throw new TypeError(`Expected news of money, got ${JSON.stringify(never)}`);
        }
      }
    }

    /** E51: the flow that waits learns of the tokens before the person is asked to go on with it. */
    async function credited(
      person: number,
      bought: Bought,
      { paymentId, balance }: Extract<MoneyNews, { what: 'credited' }>,
    ): Promise<Screen> {
      const asked = await waiting(person, balance);
      if (asked)
        await inject({
          person,
          event: { type: 'tokens.credited', balance },
          id: `tokens.credited:${paymentId}`,
        });
      const paused = await pausedSchedules(person);
      return creditedScreen(bought, { balance, before: balance - bought.tokens }, asked, paused);
    }
  };

function boughtWith(payment: PaymentRow, list: StarsList): Bought {
  const { tokens, isSubscription, expiresAt, renewsId, subscriptionId, chargeId } = payment;
  const offer = isPackage(payment.package) ? offerOf(payment.package, list) : null;
  return {
    title: offer?.title ?? payment.package,
    stars: offer && hasStarsPlan(offer) ? offer.stars : null,
    plan: payment.package,
    tokens,
    isPlan: isSubscription,
    isRenewal:
      renewsId !== null ||
      (isSubscription && subscriptionId !== null && subscriptionId !== chargeId && chargeId !== null),
    until: expiresAt?.toISOString() ?? null,
    isOver: expiresAt !== null && expiresAt.getTime() <= Date.now(),
  };
}
