import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { aShop } from '../shop-bot/a-shop.ts';
import { patience } from '../support/patience.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import { freePort } from './free-port.ts';
import { seeded } from './seeded.ts';

const SEED = Number(process.env.CRASH_SEED ?? 20_261_118);
const CUSTOMERS = 100;
/** More of them for a soak: `SHOP_CRASH_KILLS=200`. */
const KILLS = Number(process.env.SHOP_CRASH_KILLS ?? 6);
const WORDS = ['Хочу вернуть', 'ТС-10452', 'доставка', 'не подошёл цвет', 'оплата', 'абракадабра', 'меню'];
/** Of the tests' sealing: see a-workspace.ts. */
const SEALING_KEY = 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';

describe.skipIf(!inject('postgresUrl'))('a hundred customers while processes are killed', () => {
  it('are answered once each, or reported as unknown; states and logs are whole', async () => {
    const random = seeded(SEED);
    const databaseUrl = await freshPostgresUrl();
    const database = await openDatabase({ url: databaseUrl, dataDir: '', max: 4 });
    const { sql } = database;
    const shop = await aShop(sql);
    // A kill may come between a message and the note that it was sent.
    shop.standIn.faults.add({ match: 'POST /messages', times: null, fault: { kind: 'slow', ms: 20 } });
    const ports = [await freePort(), await freePort()];
    const children: ChildProcess[] = [];
    onTestFinished(async () => {
      for (const child of children) child.kill('SIGKILL');
      await shop.close();
      await database.close();
    });
    await Promise.all(ports.map((_, slot) => startNew(slot)));

    let isKilling = true;
    let kills = 0;
    const killing = killInTurn();
    const updates = Array.from({ length: CUSTOMERS }, (_, i) => {
      const customer = shop.customer(100 + i);
      return { customer, updates: WORDS.map((text) => customer.sayUpdate(text)) };
    });
    await Promise.all(updates.map((one) => talk(one.updates)));
    isKilling = false;
    await killing;
    await expect
      .poll(
        async () =>
          sql`select from bot_outbox where status in ('queued', 'sending')`.then((rows) => rows.length),
        { timeout: patience(30_000), interval: 250 },
      )
      .toBe(0);
    expect(kills).toBeGreaterThanOrEqual(Math.min(KILLS, 3));

    const inboxes =
      await sql`select chat_id, provider_message_id from bot_inbox where workspace_id = ${shop.id}`;
    expect(inboxes).toHaveLength(CUSTOMERS * WORDS.length);
    const answers = await shop.outbox();
    const logs = await shop.logs();
    expect(logs).toHaveLength(CUSTOMERS * WORDS.length);
    for (const { customer } of updates) {
      const its = answers.filter(({ chat_id }) => chat_id === customer.chatId);
      expect(its).toHaveLength(WORDS.length);
      expect(its.filter(({ status }) => status !== 'sent' && status !== 'unknown')).toEqual([]);
      const arrived = customer.answers().map(({ body }) => body.mid);
      const sent = its.flatMap((row) => (row.status === 'sent' ? [row.provider_message_id] : []));
      expect(sent.filter((mid) => !arrived.includes(mid!))).toEqual([]);
      // Arrivals beyond that belong to answers with an unknown outcome: no answer came twice.
      expect(arrived.length - sent.length).toBeLessThanOrEqual(its.length - sent.length);
      const lines = logs.filter(({ chat_id }) => chat_id === customer.chatId);
      for (const [place, line] of lines.entries())
        expect(line.state_before).toBe(lines[place - 1]?.state_after ?? 'default');
      expect(await customer.state()).toMatchObject({ state: lines.at(-1)?.state_after });
    }
    const unknown = answers.filter(({ status }) => status === 'unknown').length;
    console.log(`shop bot: ${logs.length} messages, ${kills} kills, ${unknown} answers unknown`);

    async function startNew(slot: number): Promise<void> {
      const child = spawn(process.execPath, ['--import', 'tsx', 'test/crash/shop-bot-child.ts'], {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: {
          ...{ PATH: process.env.PATH, PORT: String(ports[slot]), DATABASE_URL: databaseUrl },
          ...{ MAX_URL: shop.standIn.url, SEALING_KEY },
        },
      });
      children[slot] = child;
      await once(child.stdout!, 'data');
    }

    /** One after the other: the second goes on while the first starts again. */
    async function killInTurn(): Promise<void> {
      while (isKilling && kills < KILLS) {
        await delay(random.between(300, 900));
        const slot = kills % 2;
        children[slot]!.kill('SIGKILL');
        await once(children[slot]!, 'exit');
        kills += 1;
        await startNew(slot);
      }
    }

    /** In order, with a neighbour swapped now and then; again until it is taken, and sometimes once more than needed. */
    async function talk(given: readonly object[]): Promise<void> {
      const order = [...given];
      if (random.chance(0.5)) order.splice(2, 2, order[3]!, order[2]!);
      for (const update of order) {
        await delay(random.between(0, 900));
        await bring(update);
        if (random.chance(0.4)) await Promise.all([bring(update), bring(random.of(order.slice(0, 2)))]);
      }
    }

    async function bring(update: object): Promise<void> {
      for (;;) {
        const to = `http://127.0.0.1:${random.of(ports)}/api/max/bot`;
        const answered = await shop.post(update, { to }).catch(() => null);
        if (answered?.status === 200) return;
        await delay(50);
      }
    }
  }, 170_000);
});
