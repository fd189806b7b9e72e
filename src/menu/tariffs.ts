import { hasStarsPlan, isPackage, type Offer, type PackageName } from '../catalogue.ts';
import type { Visitor } from '../engine/menu.ts';
import { type Link, to } from '../screens/kit/link.ts';
import { type Invoice, rich } from '../screens/kit/screen.ts';
import {
  billScreen,
  cancelScreen,
  forgetCardScreen,
  goesOn,
  noBillScreen,
  packageScreen,
  packagesScreen,
  planScreen,
  type Subscription,
  subscriptionBillScreen,
  subscriptionNotices,
  subscriptionScreen,
  subscriptionUnchanged,
  type Tariffs,
  tariffsScreen,
} from '../screens/pages/tariffs.ts';
import {
  action,
  beside,
  type DeedAnswer,
  missing,
  type Route,
  type RouteAnswer,
  route,
} from './create-menu.ts';

export type TariffsData = {
  tariffs(userId: number): Promise<Tariffs>;
  invoice(userId: number, name: PackageName): Invoice;
  /** Null: Telegram is away. */
  subscriptionLink(userId: number, name: PackageName): Promise<string | null>;
  /** How long to wait until the next purchase may be begun, in words; null: not at all. */
  purchaseRefusal(userId: number): Promise<string | null>;
  setRenewal(userId: number, paymentId: number, isOn: boolean): Promise<'changed' | 'gone' | 'away'>;
  forgetCard(userId: number, paymentId: number): Promise<boolean>;
};

const tariffsHome = to('nav:tariffs');

/** Buying beside whatever the person is doing: a flow that lacks tokens waits for them. */
export function tariffRoutes(data: TariffsData): Route[] {
  return beside([
    route('nav:tariffs', async (_, visitor) => ({
      show: tariffsScreen(await data.tariffs(visitor.userId), comer(visitor)),
    })),
    route('tariffs:topup', async (_, { userId }) => ({ show: packagesScreen(await data.tariffs(userId)) })),
    route('tariff:{pkg}:select', ({ pkg }, { userId }) =>
      offered(userId, pkg, (offer, tariffs) => ({ show: packageScreen(offer, tariffs) })),
    ),
    route('sub:{plan}:select', ({ plan }, { userId }) =>
      planned(userId, plan, (offer, tariffs) => ({ show: planScreen(offer, tariffs) })),
    ),
    action('tariff:{pkg}:stars', ({ pkg }, { userId }) => begun(userId, to('tariff:{pkg}:bill', { pkg }))),
    route('tariff:{pkg}:bill', ({ pkg }, { userId }) =>
      offered(userId, pkg, (offer) => ({ show: billScreen(offer, data.invoice(userId, offer.name)) })),
    ),
    action('sub:{plan}:stars', async ({ plan }, { userId }) => {
      const offer = (await data.tariffs(userId)).offers.find(({ name }) => name === plan);
      if (!offer || !hasStarsPlan(offer)) return missing(tariffsHome);
      return begun(userId, to('sub:{plan}:bill', { plan }));
    }),
    route('sub:{plan}:bill', ({ plan }, { userId }) =>
      planned<RouteAnswer>(userId, plan, async (offer, tariffs) => {
        if (!hasStarsPlan(offer)) return missing(tariffsHome);
        const url = await data.subscriptionLink(userId, offer.name);
        return { show: url === null ? noBillScreen(offer, tariffs) : subscriptionBillScreen(offer, url) };
      }),
    ),
    route('sub:manage', async (_, { userId }) => ({
      show: subscriptionScreen((await data.tariffs(userId)).subscription),
    })),
    route('sub:{n}:cancel', ({ n }, { userId }) =>
      own(userId, n, (subscription) => ({ show: cancelScreen(subscription) })),
    ),
    action('sub:{n}:cancel:confirm', ({ n }, { userId }) =>
      changed(userId, n, () => data.setRenewal(userId, n, false), subscriptionNotices.cancelled),
    ),
    action('sub:{n}:resume', ({ n }, { userId }) =>
      changed(userId, n, () => data.setRenewal(userId, n, true), subscriptionNotices.resumed),
    ),
    route('sub:{n}:card:forget', ({ n }, { userId }) =>
      own(userId, n, (subscription) => ({ show: forgetCardScreen(subscription) })),
    ),
    action('sub:{n}:card:forget:confirm', ({ n }, { userId }) =>
      changed(
        userId,
        n,
        async () => ((await data.forgetCard(userId, n)) ? 'changed' : 'gone'),
        subscriptionNotices.cardForgotten,
      ),
    ),
    // The question of the flow that waits, once more: in the place of the page that stood beside it.
    route('flow:again', (_, { leaves }) =>
      leaves === undefined ? { open: to('nav:dashboard') } : { nothing: true, notice: goesOn },
    ),
  ]);

  /** An invoice is free, so only the number of them is limited. */
  async function begun(userId: number, bill: Link): Promise<DeedAnswer> {
    const refusal = await data.purchaseRefusal(userId);
    return refusal === null ? { open: bill } : { open: tariffsHome, notice: rich`${refusal}` };
  }

  async function offered<Answer extends RouteAnswer>(
    userId: number,
    name: string,
    answer: (offer: Offer, tariffs: Tariffs) => Answer | Promise<Answer>,
  ): Promise<RouteAnswer> {
    const tariffs = await data.tariffs(userId);
    const offer = isPackage(name) ? tariffs.offers.find((each) => each.name === name) : undefined;
    return offer ? answer(offer, tariffs) : missing(tariffsHome);
  }

  function planned<Answer extends RouteAnswer>(
    userId: number,
    name: string,
    answer: (offer: Offer, tariffs: Tariffs) => Answer | Promise<Answer>,
  ): Promise<RouteAnswer> {
    return offered<RouteAnswer>(userId, name, (offer, tariffs) =>
      offer.isPlan ? answer(offer, tariffs) : missing(tariffsHome),
    );
  }

  async function own<Answer extends RouteAnswer>(
    userId: number,
    paymentId: number,
    answer: (subscription: Subscription) => Answer,
  ): Promise<RouteAnswer> {
    const { subscription } = await data.tariffs(userId);
    return subscription?.paymentId === paymentId ? answer(subscription) : missing(to('sub:manage'));
  }

  async function changed(
    userId: number,
    paymentId: number,
    change: () => ReturnType<TariffsData['setRenewal']>,
    notice: (subscription: Subscription) => ReturnType<typeof rich>,
  ): Promise<DeedAnswer> {
    const { subscription } = await data.tariffs(userId);
    const outcome = subscription?.paymentId === paymentId ? await change() : 'gone';
    if (!subscription || outcome === 'gone') return missing(to('sub:manage'));
    return {
      open: to('sub:manage'),
      notice: outcome === 'away' ? subscriptionUnchanged : notice(subscription),
    };
  }
}

const comer = ({ leaves }: Visitor) => ({ isInFlow: leaves !== undefined });
