import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { makeBroadcasts } from '../../src/store/broadcasts.ts';
import { openDatabase } from '../../src/store/database.ts';
import { patience } from '../support/patience.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import { seeded } from './seeded.ts';

/** At its full size: `npm run soak -- broadcast`. */
const PEOPLE = Number(process.env.BROADCAST_PEOPLE ?? 600);
const KILLS = Number(process.env.BROADCAST_KILLS ?? 4);
const GAP_MS = Number(process.env.BROADCAST_GAP_MS ?? 12);
const LIMIT_MS = Number(process.env.BROADCAST_LIMIT_MS ?? patience(90_000));
const LEASE_MS = 5_000;
const FIRST = 9_000_000_000;
const TOKEN = '77:TEST-TOKEN-OF-NO-VALUE-AT-ALL';

describe.skipIf(!inject('postgresUrl'))('a broadcast on two processes that are killed now and then', () => {
  it(
    `reaches each of ${PEOPLE} people at most once, and its counts add up to all of them`,
    async () => {
      const random = seeded(20_261_118);
      const databaseUrl = await freshPostgresUrl();
      const database = await openDatabase({ url: databaseUrl, dataDir: '', max: 4 });
      const { sql } = database;
      const telegram = await startTelegram();
      const children: ChildProcess[] = [];
      onTestFinished(async () => {
        for (const child of children) child.kill('SIGKILL');
        telegram.close();
        await database.close();
      });
      await sql`
      insert into users (id, first_name) select ${FIRST}::bigint + n, 'Анна' from generate_series(1, ${PEOPLE}) n`;
      const broadcasts = makeBroadcasts(sql);
      const id = await broadcasts.draft(1, 'all', { text: 'Новость', marks: [], photo: null });
      expect(await broadcasts.begin((await broadcasts.byId(id))!, false)).toBe(true);

      await Promise.all([0, 1].map(startNew));
      let kills = 0;
      const killing = (async () => {
        while (kills < KILLS && (await isOpen())) {
          await delay(random.between(400, (PEOPLE * GAP_MS) / KILLS));
          const slot = kills % 2;
          children[slot]!.kill('SIGKILL');
          await once(children[slot]!, 'exit');
          kills += 1;
          await startNew(slot);
        }
      })();
      await expect.poll(isOpen, { timeout: LIMIT_MS, interval: 250 }).toBe(false);
      await killing;

      const ended = (await broadcasts.byId(id))!;
      const { recipients, sent, blocked, failed, unknown } = ended;
      console.log(
        `broadcast: ${kills} kills, ${JSON.stringify({ recipients, sent, blocked, failed, unknown })}`,
      );
      expect(kills).toBeGreaterThanOrEqual(Math.min(KILLS, 2));
      expect(recipients).toBe(PEOPLE);
      expect(sent + blocked + failed + unknown).toBe(PEOPLE);
      const rows = await sql<{ status: string; people: number }[]>`
      select status, count(*)::int as people from broadcast_recipients where broadcast_id = ${id} group by status`;
      expect(Object.fromEntries(rows.map(({ status, people }) => [status, people]))).toEqual(
        Object.fromEntries(
          Object.entries({ sent, blocked, failed, unknown }).filter(([, people]) => people > 0),
        ),
      );
      const arrived = [...telegram.arrived.values()];
      expect(arrived.filter((times) => times > 1)).toEqual([]);
      // All that is counted as sent arrived; whatever arrived beyond that is an unknown one.
      expect(arrived.length).toBeGreaterThanOrEqual(sent);
      expect(arrived.length - sent).toBeLessThanOrEqual(unknown);
      expect(failed).toBeGreaterThan(0);
      expect(blocked).toBeGreaterThan(0);

      async function isOpen(): Promise<boolean> {
        return (await broadcasts.byId(id))?.status === 'sending';
      }

      async function startNew(slot: number): Promise<void> {
        const child = spawn(process.execPath, ['--import', 'tsx', 'test/crash/broadcast-sender.ts'], {
          stdio: ['ignore', 'pipe', 'ignore'],
          env: {
            ...{ PATH: process.env.PATH, DATABASE_URL: databaseUrl, API_ROOT: telegram.url, TOKEN },
            ...{ GAP_MS: String(GAP_MS), LEASE_MS: String(LEASE_MS) },
          },
        });
        children[slot] = child;
        await once(child.stdout!, 'data');
      }

      /** Answers late, loses an answer now and then, asks to wait, refuses some and says that others are gone. */
      async function startTelegram() {
        const arrived = new Map<number, number>();
        let answers = 0;
        const server = createServer(async (request, response) => {
          let body = '';
          for await (const chunk of request) body += chunk;
          const { chat_id } = JSON.parse(body || '{}') as { chat_id?: number };
          const chat = Number(chat_id);
          const say = (status: number, description: string, parameters = {}) => {
            response.writeHead(status, { 'content-type': 'application/json' });
            response.end(JSON.stringify({ ok: false, error_code: status, description, parameters }));
          };
          if (chat >= FIRST && request.url?.endsWith('/sendMessage')) {
            answers += 1;
            if (chat % 53 === 0) return say(403, 'Forbidden: bot was blocked by the user');
            if (chat % 61 === 0) return say(400, 'Bad Request: message text is wrong');
            if (answers % 200 === 0) return say(429, 'Too Many Requests: retry after 1', { retry_after: 1 });
            arrived.set(chat, (arrived.get(chat) ?? 0) + 1);
            if (chat % 97 === 0) return void request.socket.destroy();
            await delay(30);
          }
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ ok: true, result: { message_id: 1, date: 1, chat: { id: chat } } }));
        });
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        return { url, arrived, close: () => server.close() };
      }
    },
    LIMIT_MS + 30_000,
  );
});
