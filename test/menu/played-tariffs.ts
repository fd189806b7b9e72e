import { offerOf, offers } from '../../src/catalogue.ts';
import type { TariffsData } from '../../src/menu/tariffs.ts';
import type { Subscription, Tariffs } from '../../src/screens/pages/tariffs.ts';

export const aSubscription: Subscription = {
  paymentId: 1,
  plan: 'pro',
  title: 'Pro',
  tokens: 7_200,
  provider: 'stars',
  status: 'active',
  until: '2026-12-18T09:00:00.000Z',
  isOver: false,
  price: 1_560,
  card: null,
};

/** Nothing is paid here: the pages are looked at. */
export function playedTariffs(changes: Partial<Tariffs> = {}): TariffsData {
  return {
    tariffs: async () => ({
      balance: 1_500,
      averageArticleCost: 320,
      offers: offers('x4'),
      subscription: aSubscription,
      cards: true,
      ...changes,
    }),
    invoice: (userId, name) => ({
      title: name,
      description: name,
      payload: `purchase:${name}:user_${userId}`,
      stars: offerOf(name, 'x4').stars,
    }),
    subscriptionLink: async () => 'https://t.me/$bill',
    purchaseRefusal: async () => null,
    setRenewal: async () => 'changed',
    forgetCard: async () => true,
  };
}
