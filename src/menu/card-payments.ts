import { z } from 'zod';
import { isPackage, type Offer } from '../catalogue.ts';
import type { Visitor } from '../engine/menu.ts';
import { to } from '../screens/kit/link.ts';
import { button, rich } from '../screens/kit/screen.ts';
import {
  cardBillScreen,
  cardNotices,
  cardOrderScreen,
  emailKept,
  type Purchase,
  receiptBack,
  receiptEmailScreen,
  settledBillScreen,
  wrongEmail,
} from '../screens/pages/card-payment.ts';
import { backLabel } from '../screens/pages/tariffs.ts';
import {
  action,
  asking,
  beside,
  type DeedAnswer,
  missing,
  type Route,
  type RouteAnswer,
  route,
} from './create-menu.ts';

export type CardBill = {
  paymentId: number;
  title: string;
  tokens: number;
  rub: number;
  /** Null: it was never made, or is settled. */
  url: string | null;
  status: 'pending' | 'completed' | 'refunded' | 'failed';
};

export type CardPaymentsData = {
  offers(): readonly Offer[];
  receiptEmail(userId: number): Promise<string | null>;
  setReceiptEmail(userId: number, email: string): Promise<void>;
  purchaseRefusal(userId: number): Promise<string | null>;
  /** Null: the provider is away. */
  begin(order: {
    key: string;
    userId: number;
    offer: Offer;
    isSubscription: boolean;
  }): Promise<number | null>;
  bill(userId: number, paymentId: number): Promise<CardBill | null>;
  /** Asks the provider; null as above. */
  check(userId: number, paymentId: number): Promise<CardBill['status'] | null>;
};

const became = { completed: 'paid', refunded: 'refunded', failed: 'unpaid', pending: 'unpaid' } as const;

const email = z.email().max(254);
const tariffs = to('nav:tariffs');

/** Paying by card, beside whatever the person is doing. */
export function cardPaymentRoutes(data: CardPaymentsData): Route[] {
  return [
    ...beside([
      route('tariff:{pkg}:yookassa', ({ pkg }, visitor) => ordered('tariff', pkg, visitor)),
      route('sub:{plan}:yookassa', ({ plan }, visitor) => ordered('sub', plan, visitor)),
      action('pay:{kind}:{pkg}', ({ kind, pkg }, { userId }, key) => begun(kind, pkg, userId, key)),
      route('bill:{n}:card', ({ n }, visitor) => billOf(n, visitor)),
      action('bill:{n}:check', ({ n }, visitor) => checked(n, visitor)),
    ]),
    asking('receipt:{kind}:{pkg}', {
      wants: ['text'],
      page: async (_, { userId }) => ({ show: receiptEmailScreen(await data.receiptEmail(userId)) }),
      back: ({ kind, pkg }) => button(backLabel, wayBack(kind, pkg)),
      async take({ kind, pkg }, { text }, { userId }) {
        const given = email.safeParse(text.trim());
        if (!given.success) return { again: wrongEmail };
        await data.setReceiptEmail(userId, given.data);
        return { open: wayBack(kind, pkg), notice: emailKept(given.data) };
      },
    }),
  ];

  async function ordered(
    kind: Purchase['kind'],
    name: string,
    { userId, leaves }: Visitor,
  ): Promise<RouteAnswer> {
    const offer = offerOf(kind, name);
    if (!offer) return missing(tariffs);
    const screen = cardOrderScreen({ offer, kind }, await data.receiptEmail(userId), {
      isInFlow: leaves !== undefined,
    });
    return { show: screen };
  }

  async function begun(kind: string, name: string, userId: number, key: string): Promise<DeedAnswer> {
    const offer = offerOf(kind, name);
    if (!offer) return missing(tariffs);
    const refusal = await data.purchaseRefusal(userId);
    if (refusal !== null) return { open: tariffs, notice: rich`${refusal}` };
    const paymentId = await data.begin({ key: `card:${key}`, userId, offer, isSubscription: kind === 'sub' });
    if (paymentId === null) return { open: wayBack(kind, name), notice: cardNotices.away };
    return { open: to('bill:{n}:card', { n: paymentId }) };
  }

  async function billOf(paymentId: number, { userId, leaves }: Visitor): Promise<RouteAnswer> {
    const bill = await data.bill(userId, paymentId);
    if (!bill) return missing(tariffs);
    const comer = { isInFlow: leaves !== undefined };
    if (bill.status !== 'pending' || bill.url === null)
      return { show: settledBillScreen(bill.title, became[bill.status], comer) };
    return { show: cardBillScreen({ ...bill, url: bill.url }, comer) };
  }

  async function checked(paymentId: number, { userId }: Visitor): Promise<DeedAnswer> {
    if (!(await data.bill(userId, paymentId))) return missing(tariffs);
    const status = await data.check(userId, paymentId);
    const open = to('bill:{n}:card', { n: paymentId });
    if (status === null) return { open, notice: cardNotices.cannotCheck };
    return status === 'pending' ? { open, notice: cardNotices.notYet } : { open };
  }

  function offerOf(kind: string, name: string): Offer | null {
    if (!isPackage(name) || (kind !== 'tariff' && kind !== 'sub')) return null;
    const offer = data.offers().find((each) => each.name === name);
    return !offer || (kind === 'sub' && !offer.isPlan) ? null : offer;
  }
}

const wayBack = (kind: string, pkg: string) =>
  receiptBack({ kind: kind === 'sub' ? 'sub' : 'tariff', offer: { name: isPackage(pkg) ? pkg : 'mini' } });
