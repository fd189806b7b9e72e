import type { Visitor } from '../engine/menu.ts';
import { to } from '../screens/kit/link.ts';
import { cancelButton } from '../screens/kit/system.ts';
import {
  type AutomaticMessage,
  adminNotices,
  auditScreen,
  automaticScreen,
  backToPanel,
  type Costs,
  confirmGiftScreen,
  costPeriods,
  costsScreen,
  type Deed,
  giftScreen,
  MOST_GIFT,
  type PaidBy,
  type Panel,
  type PersonFacts,
  panelScreen,
  personLink,
  personScreen,
  plotScreen,
  refundScreen,
  unknownPersonNotice,
  whoScreen,
} from '../screens/pages/admin.ts';
import { type BroadcastData, broadcastRoutes } from './broadcast.ts';
import {
  action,
  asking,
  type DeedAnswer,
  missing,
  type Route,
  type RouteAnswer,
  route,
} from './create-menu.ts';
import { type MonitorData, monitorRoutes } from './monitor.ts';

export type AdminData = BroadcastData &
  MonitorData & {
    /** Asked at every step: what a session remembers of a role may be minutes old. */
    isAdmin(userId: number): Promise<boolean>;
    panel(): Promise<Panel>;
    costs(days: number): Promise<Costs>;
    /** Revenue, people and costs, day by day. */
    plot(days: number): Promise<Uint8Array>;
    /** The newest first. */
    audit(): Promise<Deed[]>;
    find(text: string): Promise<number | null>;
    /** For a page that shows a person: the look is put on record. */
    look(adminId: number, userId: number): Promise<{ person: PersonFacts; payments: PaidBy[] } | null>;
    person(userId: number): Promise<PersonFacts | null>;
    payment(paymentId: number): Promise<PaidBy | null>;
    refund(adminId: number, paymentId: number, key: string): Promise<RefundOutcome>;
    gift(adminId: number, userId: number, count: number, key: string): Promise<void>;
    automaticMessages(): Promise<AutomaticMessage[]>;
    setAutomaticMessage(adminId: number, index: number, isOn: boolean): Promise<void>;
  };

type RefundOutcome = keyof typeof refundNotices;

const home = to('nav:dashboard');
const panelLink = to('admin:panel');

/** For all but the admin these pages do not exist, whatever a press carries. */
function forAdmins(isAdmin: AdminData['isAdmin'], routes: readonly Route[]): Route[] {
  return routes.map(({ visit, asks, ...each }) => ({
    ...each,
    visit: async (params, visitor, key) =>
      (await mayEnter(visitor)) ? visit(params, visitor, key) : missing(home),
    ...(asks && {
      asks: {
        ...asks,
        take: async (params, input, visitor) =>
          (await mayEnter(visitor)) ? asks.take(params, input, visitor) : missing(home),
      } satisfies Route['asks'],
    }),
  }));

  async function mayEnter(visitor: Visitor): Promise<boolean> {
    return visitor.isAdmin && (await isAdmin(visitor.userId));
  }
}

export function adminRoutes(data: AdminData): Route[] {
  return forAdmins(data.isAdmin, [
    route('admin:panel', async () => ({ show: panelScreen(await data.panel()) })),
    route('admin:costs:{n}', async ({ n }) =>
      costPeriods.some((days) => days === n)
        ? { show: costsScreen(await data.costs(n)) }
        : missing(panelLink),
    ),
    route('admin:plot:{n}', async ({ n }) =>
      costPeriods.some((days) => days === n)
        ? { show: plotScreen(n, await data.plot(n)) }
        : missing(panelLink),
    ),
    route('admin:audit', async () => ({ show: auditScreen(await data.audit()) })),

    asking('admin:user', {
      page: () => ({ show: whoScreen }),
      wants: ['text'],
      back: () => backToPanel,
      async take(_, { text }) {
        const found = await data.find(text);
        return found === null ? { again: unknownPersonNotice(text) } : { open: personLink(found) };
      },
    }),
    route('admin:user:{who}', async ({ who }, { userId }) => {
      const found = await data.look(userId, idIn(who));
      return found ? { show: personScreen(found.person, found.payments) } : missing(panelLink);
    }),

    route('admin:refund:{n}', ({ n }) =>
      ofPayment(n, async (payment, person) => ({ show: refundScreen(payment, person.balance) })),
    ),
    action('admin:refund:{n}:go', async ({ n }, { userId }, key) => {
      const payment = await data.payment(n);
      if (!payment) return missing(panelLink);
      const outcome = await data.refund(userId, n, key);
      return { open: personLink(payment.userId), notice: refundNotices[outcome] };
    }),

    asking('admin:gift:{who}', {
      page: ({ who }) => ofPerson(who, (person) => ({ show: giftScreen(person) })),
      wants: ['text'],
      back: ({ who }) => cancelButton(to('admin:user:{who}', { who })),
      take({ who }, { text }) {
        const digits = text.replace(/\s/gu, ''); // «1 000», as we write it ourselves
        const count = /^\d{1,6}$/u.test(digits) ? Number(digits) : 0;
        return isGift(count)
          ? { open: to('admin:gift:{who}:{k}', { who, k: count }) }
          : { again: adminNotices.notACount };
      },
    }),
    route('admin:gift:{who}:{k}', ({ who, k }) =>
      isGift(k) ? ofPerson(who, (person) => ({ show: confirmGiftScreen(person, k) })) : missing(panelLink),
    ),
    action('admin:gift:{who}:{k}:go', async ({ who, k }, { userId }, key): Promise<DeedAnswer> => {
      const person = isGift(k) ? await data.person(idIn(who)) : null;
      if (!person) return missing(panelLink);
      await data.gift(userId, person.id, k, key);
      return { open: personLink(person.id), notice: adminNotices.gifted(k) };
    }),

    ...monitorRoutes(data),
    ...broadcastRoutes(data),

    route('admin:auto', async () => ({ show: automaticScreen(await data.automaticMessages()) })),
    action('admin:auto:{i}:{g}', async ({ i, g }, { userId }) => {
      const messages = await data.automaticMessages();
      if (!messages[i] || (g !== 'on' && g !== 'off')) return missing(panelLink);
      await data.setAutomaticMessage(userId, i, g === 'on');
      return { open: to('admin:auto') };
    }),
  ]);

  async function ofPerson(who: string, answer: (person: PersonFacts) => RouteAnswer): Promise<RouteAnswer> {
    const person = await data.person(idIn(who));
    return person ? answer(person) : missing(panelLink);
  }

  async function ofPayment(
    id: number,
    answer: (payment: PaidBy, person: PersonFacts) => Promise<RouteAnswer>,
  ): Promise<RouteAnswer> {
    const payment = await data.payment(id);
    const person = payment && (await data.person(payment.userId));
    if (!payment || !person) return missing(panelLink);
    return payment.status === 'completed'
      ? answer(payment, person)
      : { open: personLink(person.id), notice: adminNotices.alreadyRefunded };
  }
}

const refundNotices = {
  refunded: adminNotices.refunded,
  already: adminNotices.alreadyRefunded,
  pending: adminNotices.refundPending,
  refused: adminNotices.refundRefused,
  off: adminNotices.refundOff,
  failed: adminNotices.refundFailed,
};

const isGift = (count: number): boolean => count >= 1 && count <= MOST_GIFT;
/** Ids of people are longer than the numbers that links carry. 0 is never used. */
const idIn = (who: string): number => (/^\d{1,15}$/u.test(who) ? Number(who) : 0);
