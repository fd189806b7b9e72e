import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { type Cashier, startCashier } from '../support/cashier.ts';
import { patience } from '../support/patience.ts';
import { aUser, balanceOf, unbalanced } from '../support/rows.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import { carryOut, type Errand, type Place, type Work } from './payment-clerk.ts';

const LIMIT_MS = patience(60_000);
const atCommit = ['before the commit', 'after the commit'] as const;

/** Afterwards the same is asked for twice, as a provider that repeats its notice or a sweep does it. */
describe.skipIf(!inject('postgresUrl'))('when the process is killed', () => {
  let databaseUrl: string;
  let database: Database;
  let cashier: Cashier;
  beforeAll(async () => {
    databaseUrl = await freshPostgresUrl();
    database = await openDatabase({ url: databaseUrl, dataDir: '', max: 4 });
    cashier = await startCashier(database.sql);
  });
  afterAll(async () => {
    await cashier.close();
    await database.close();
  });

  it.each(['before the provider', 'after the provider'] as const)(
    'an order makes one bill: %s',
    async (place) => {
      const userId = await aUser(database.sql);
      const before = cashier.provider.shop.payments.values().length;
      await killedAndRepeated(place, { do: 'order', key: `order:${userId}`, userId });
      expect(cashier.provider.shop.payments.values()).toHaveLength(before + 1);
      expect(await statuses(userId)).toEqual(['pending']);
      expect(await balanceOf(database.sql, userId)).toBe(1_500);
    },
    LIMIT_MS,
  );

  it.each(atCommit)(
    'a card payment is credited once and reported once: %s',
    async (place) => {
      const userId = await aUser(database.sql);
      const { yookassaId } = await cashier.order(userId, 'mini');
      cashier.provider.shop.decide(yookassaId!, 'pay');
      await killedAndRepeated(place, { do: 'notice', id: yookassaId! });
      expect(await balanceOf(database.sql, userId)).toBe(2_500);
      expect(await statuses(userId)).toEqual(['completed']);
      expect(await cashier.newsTo(userId)).toHaveLength(1);
    },
    LIMIT_MS,
  );

  it.each(atCommit)(
    'a payment in Stars is credited once and reported once: %s',
    async (place) => {
      const userId = await aUser(database.sql);
      await killedAndRepeated(place, { do: 'stars', userId, chargeId: `charge:${userId}` });
      expect(await balanceOf(database.sql, userId)).toBe(2_500);
      expect(await cashier.newsTo(userId)).toHaveLength(1);
    },
    LIMIT_MS,
  );

  it.each(['after the provider', ...atCommit] as const)(
    'a refund returns the money once and takes the tokens once: %s',
    async (place) => {
      const userId = await aUser(database.sql);
      const row = await cashier.paidOrder(userId, 'mini');
      await killedAndRepeated(place, { do: 'refund', paymentId: row.id });
      expect(cashier.provider.shop.payments.get(row.yookassaId!)?.refunded_amount.value).toBe('1000.00');
      expect(await balanceOf(database.sql, userId)).toBe(1_500);
      expect(await statuses(userId)).toEqual(['refunded']);
    },
    LIMIT_MS,
  );

  it.each(['after the provider', ...atCommit] as const)(
    'a refund of Stars takes the tokens once and is reported once: %s',
    async (place) => {
      const userId = await aUser(database.sql);
      await carryOut({ do: 'stars', userId, chargeId: `charge:${userId}` }, cashier);
      const [payment] = await cashier.payments.latest(userId, 1);
      await killedAndRepeated(place, { do: 'refund of stars', paymentId: payment!.id });
      expect(await balanceOf(database.sql, userId)).toBe(1_500);
      expect(await statuses(userId)).toEqual(['refunded']);
      expect(await cashier.newsTo(userId)).toEqual(['credited', 'refunded']);
    },
    LIMIT_MS,
  );

  it.each(['after the provider', ...atCommit] as const)(
    'a renewal is paid once and credited once: %s',
    async (place) => {
      const userId = await aUser(database.sql);
      const row = await cashier.paidOrder(userId, 'pro', { isSubscription: true });
      const before = cashier.provider.shop.income();
      await killedAndRepeated(place, { do: 'renew', paymentId: row.id });
      expect(cashier.provider.shop.income() - before).toBe(6_000);
      expect(await balanceOf(database.sql, userId)).toBe(1_500 + 2 * 7_200);
    },
    LIMIT_MS,
  );

  async function killedAndRepeated(place: Place, work: Work): Promise<void> {
    const errand: Errand = { databaseUrl, providerUrl: cashier.provider.url, place, work };
    const clerk = spawn(process.execPath, ['--import', 'tsx', 'test/crash/payment-clerk.ts'], {
      env: { PATH: process.env.PATH, ERRAND: JSON.stringify(errand) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code, signal] = await once(clerk, 'exit');
    expect({ code, signal }, 'it died at the place').toEqual({ code: null, signal: 'SIGKILL' });
    expect([...(await unbalanced(database.sql))]).toEqual([]);
    await carryOut(work, cashier);
    await carryOut(work, cashier);
    expect([...(await unbalanced(database.sql))]).toEqual([]);
  }

  async function statuses(userId: number): Promise<string[]> {
    const rows = await database.sql<{ status: string }[]>`
      select status from payments where user_id = ${userId} order by id`;
    return rows.map(({ status }) => status);
  }
});
