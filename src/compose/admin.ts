import { SupplierFailed } from '../clients/http/supplier.ts';
import type { Log } from '../log.ts';
import type { AdminData } from '../menu/admin.ts';
import type { BroadcastData } from '../menu/broadcast.ts';
import type { MonitorData } from '../menu/monitor.ts';
import { automaticTitle, giftNews, plotLabels } from '../screens/pages/admin.ts';
import type { CheckServices } from '../services/monitor/check-services.ts';
import { drawFigures } from '../services/monitor/draw-figures.ts';
import { noticeTypes } from '../services/notify/notify-people.ts';
import type { TellPerson } from '../services/notify/tell-person.ts';
import type { RefundEnd } from '../services/payments/cards.ts';
import type { AdminStore } from '../store/admin.ts';
import type { Ledger } from '../store/ledger.ts';
import type { PaymentRow, Payments } from '../store/payments.ts';

const PAYMENTS_SHOWN = 5;
const DEEDS_SHOWN = 20;

/** `off`: the provider that took it is not connected any more. */
export type GiveBack = (payment: PaymentRow) => Promise<RefundEnd | 'off'>;

type Ground = {
  store: AdminStore;
  isAdmin(userId: number): Promise<boolean>;
  checkServices: CheckServices;
  payments: Pick<Payments, 'latest' | 'byId'>;
  giveBack: GiveBack;
  ledger: Pick<Ledger, 'credit' | 'balance'>;
  tellPerson: TellPerson;
  usdRate: number;
  broadcasts: BroadcastData;
  monitor: MonitorData;
  log: Log;
};

/** The owner's pages: figures, people, money given back and given away. */
export function composeAdmin(ground: Ground): { pages: AdminData } {
  const { store, payments, ledger, tellPerson, log } = ground;
  return {
    pages: {
      ...ground.broadcasts,
      ...ground.monitor,
      isAdmin: ground.isAdmin,
      async panel() {
        const [services, figures] = await Promise.all([ground.checkServices(), store.figures()]);
        return { services, ...figures };
      },
      costs: async (days) => ({ days, usdRate: ground.usdRate, ...(await store.apiCosts(days)) }),
      async plot(days) {
        const { usdRate } = ground;
        return drawFigures(await store.daily(days), { title: plotLabels.title(days), usdRate }, plotLabels);
      },
      audit: () => store.audit(DEEDS_SHOWN),
      find: store.find,
      person: store.person,
      payment: payments.byId,
      look,
      refund,
      gift,
      async automaticMessages() {
        const off = await store.automaticMessages();
        return noticeTypes.map((name) => ({ title: automaticTitle(name), isOn: !off.has(name) }));
      },
      async setAutomaticMessage(adminId, index, isOn) {
        const name = noticeTypes[index]!;
        await store.setAutomaticMessage(name, isOn);
        await store.note({ adminId, action: 'automatic-message', details: { name, isOn } });
      },
    },
  };

  async function look(adminId: number, userId: number) {
    const person = await store.person(userId);
    if (!person) return null;
    await store.note({ adminId, action: 'look', userId });
    return { person, payments: await payments.latest(userId, PAYMENTS_SHOWN) };
  }

  /** On record before the provider is asked: a refund whose answer was lost is not an unknown one to the owner. */
  async function refund(adminId: number, paymentId: number, key: string) {
    const payment = await payments.byId(paymentId);
    if (payment?.status !== 'completed') return 'already';
    await store.note({ adminId, action: 'refund', userId: payment.userId, details: { paymentId }, key });
    try {
      return await ground.giveBack(payment);
    } catch (error) {
      if (!(error instanceof SupplierFailed)) throw error;
      log.warn({ err: error, payment: paymentId }, 'a refund was not confirmed by the provider');
      return isRefusal(error) ? 'refused' : 'failed';
    }
  }

  async function gift(adminId: number, userId: number, count: number, key: string): Promise<void> {
    await store.note({ adminId, action: 'gift', userId, details: { count }, key });
    const balance = await ledger.credit({ userId, amount: count, key: `gift:${key}`, type: 'gift' });
    await tellPerson({ userId, about: 'important', screen: giftNews(count, balance) }).catch((err) =>
      log.warn({ err, user: userId }, 'a gift was not told'),
    );
  }
}

/** Answered, and not with «later». */
const isRefusal = ({ status }: SupplierFailed): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 429;
