import { offerOf, type PackageName } from '../../src/catalogue.ts';
import { createYooKassa, type YooKassa } from '../../src/clients/yookassa.ts';
import { createLog } from '../../src/log.ts';
import { startYooKassaStandIn } from '../../src/sandbox/yookassa/start.ts';
import { makeCards } from '../../src/services/payments/cards.ts';
import { makeStars, type StarsApi } from '../../src/services/payments/stars.ts';
import { makeCardPayments } from '../../src/store/card-payments.ts';
import type { Sql } from '../../src/store/database.ts';
import { createJobs } from '../../src/store/jobs.ts';
import { createOperations } from '../../src/store/operations.ts';
import { makePayments } from '../../src/store/payments.ts';

const SHOP = { shopId: '100500', secretKey: 'test_key-of-no-value' };
const log = createLog('silent', false);

export type Cashier = Awaited<ReturnType<typeof startCashier>>;

/** Hooks around the calls to the provider, before a commit and after it. */
export type Around = {
  api?: (api: YooKassa) => YooKassa;
  starsApi?: (api: StarsApi) => StarsApi;
  beforeCommit?: () => void;
  afterCommit?: () => void;
};

/** Both ways to pay, on a database, with the provider at this address. Notifications go nowhere. */
export function cashDesk(sql: Sql, providerUrl: string, around: Around = {}) {
  const {
    api = (same) => same,
    starsApi = (same) => same,
    beforeCommit = () => undefined,
    afterCommit = () => undefined,
  } = around;
  const payments = makePayments(sql);
  const store = makeCardPayments(sql);
  const jobs = createJobs({ sql, operations: createOperations(sql), handlers: {}, log });
  const told = {
    async enqueue(...job: Parameters<typeof jobs.enqueue>) {
      await jobs.enqueue(...job);
      beforeCommit();
    },
    wake: afterCommit,
    log,
  };
  const cards = makeCards({
    api: api(createYooKassa({ ...SHOP, baseUrl: `${providerUrl}/v3`, retries: 3, waitMs: () => 1 })),
    payments,
    store,
    settings: { shopId: SHOP.shopId, returnUrl: 'http://localhost/', receiptEmail: 'shop@sandbox.invalid' },
    ...told,
  });
  const ended: string[] = [];
  const stars = makeStars({
    api: starsApi({
      subscriptionLink: async () => 'https://t.me/$bill',
      setRenewal: async (_, subscriptionId) => void ended.push(subscriptionId),
      // Telegram gives a charge back once, and our client takes its «already» for done.
      refund: async () => undefined,
    }),
    payments,
    list: 'x4',
    rubPerStar: 1.2,
    ...told,
  });
  return { payments, store, cards, stars, ended };
}

/** A desk with the provider's stand-in behind the real client. */
export async function startCashier(sql: Sql) {
  const provider = await startYooKassaStandIn(SHOP);
  const desk = cashDesk(sql, provider.url);
  const { cards, payments } = desk;
  let orders = 0;
  return { ...desk, provider, order, paidOrder, newsTo, close: provider.close };

  /** A bill that waits on the provider's page. */
  async function order(userId: number, name: PackageName, { isSubscription = false } = {}) {
    orders += 1;
    const key = `order:${userId}:${orders}`;
    const id = await cards.begin({ key, userId, offer: offerOf(name, 'x4'), isSubscription });
    return (await payments.byId(id))!;
  }

  /** Paid on the page, and noticed. */
  async function paidOrder(userId: number, name: PackageName, options?: { isSubscription: boolean }) {
    const row = await order(userId, name, options);
    provider.shop.decide(row.yookassaId!, 'pay');
    await cards.heard({ event: 'payment.succeeded', id: row.yookassaId! });
    return (await payments.byId(row.id))!;
  }

  async function newsTo(userId: number): Promise<string[]> {
    const rows = await sql<{ payload: string }[]>`
      select payload from operations where user_id = ${userId} and kind = 'money-news' order by created_at, key`;
    return rows.map(({ payload }) => (JSON.parse(payload) as { what: string }).what);
  }
}
