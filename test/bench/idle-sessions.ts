import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/store/database.ts';
import { applySchema } from '../../src/store/schema.ts';
import { startOwnPostgres, startOwnRedis } from '../crash/throwaway-servers.ts';
import { openLine, said } from './load.ts';
import type { Outcome } from './outcome.ts';

const PEOPLE = 10_000;
const WARM_UP_PEOPLE = 2_000;
const LINES = 50;
const SECRET = 'webhook-secret-of-the-bench';
const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

type Memory = { rss: number; heapUsed: number };

/** Ten thousand people who did one step and are silent: their sessions live in the store, not in the process. */
export async function idleSessions(): Promise<Outcome> {
  const closing: (() => unknown)[] = [];
  try {
    const [postgres, redis] = await Promise.all([startOwnPostgres(), startOwnRedis({ durable: false })]);
    closing.push(postgres.close, redis.close);
    const database = await openDatabase({ url: postgres.url, dataDir: '', max: 1 });
    await applySchema(database.sql);
    await database.close();
    const sink = fork('test/bench/bot-api-sink.ts', { execArgv: ['--import', 'tsx'] });
    closing.push(() => sink.disconnect());
    const [sinkPort] = (await once(sink, 'message')) as [number];
    const bot = fork('test/bench/composed-bot.ts', {
      execArgv: ['--expose-gc', '--import', 'tsx'],
      env: {
        PATH: process.env.PATH,
        TELEGRAM_BOT_TOKEN: '1000000001:A-TOKEN-THAT-OPENS-NOTHING-AT-ALL',
        TELEGRAM_API_ROOT: `http://127.0.0.1:${sinkPort}`,
        TELEGRAM_WEBHOOK_SECRET: SECRET,
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
      },
    });
    closing.push(() => bot.disconnect());
    const [{ port }] = (await once(bot, 'message')) as [{ port: number }];

    await oneStepEach(port, 1_000_000, WARM_UP_PEOPLE);
    const before = await settledMemory(bot);
    await oneStepEach(port, 2_000_000, PEOPLE);
    const after = await settledMemory(bot);
    const mb = (bytes: number) => (bytes / MEGABYTE).toFixed(1);
    return {
      case: 'idle-sessions',
      ours: Number(((after.heapUsed - before.heapUsed) / PEOPLE / KILOBYTE).toFixed(3)),
      peer: null,
      ratio: null,
      unit: 'KB of heap per idle person',
      notes:
        `${PEOPLE} people after one step each, behind ${WARM_UP_PEOPLE} who warmed the process up; after gc heap ` +
        `${mb(before.heapUsed)} → ${mb(after.heapUsed)} MB, RSS ${mb(before.rss)} → ${mb(after.rss)} MB; near zero is the target`,
    };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function oneStepEach(port: number, firstId: number, people: number): Promise<void> {
  const lines = await Promise.all(Array.from({ length: LINES }, () => openLine(port, SECRET)));
  await Promise.all(
    lines.map(async (line, n) => {
      for (let id = firstId + n; id < firstId + people; id += LINES) await line.post(said(id, '/start'));
    }),
  );
  for (const line of lines) line.close();
}

/** After a moment in which connections close and timers end. */
async function settledMemory(bot: ChildProcess): Promise<Memory> {
  await delay(1_500);
  bot.send('memory');
  const [memory] = (await once(bot, 'message')) as [Memory];
  return memory;
}
