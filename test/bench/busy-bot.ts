import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type Sql } from '../../src/store/database.ts';
import { applySchema } from '../../src/store/schema.ts';
import { addAuthor, ENCRYPTION_KEY, sitePath } from '../crash/article-authors.ts';
import { supplierEnvironment } from '../crash/supplier-environment.ts';
import { startOwnPostgres, startOwnRedis } from '../crash/throwaway-servers.ts';
import type { SuppliersAnswer, SuppliersOrder } from './busy-bot-suppliers.ts';
import { openLine, pressed, said, type Update } from './load.ts';
import type { Outcome } from './outcome.ts';
import { createDatabase } from './own-database.ts';
import { scheduled } from './processor-time.ts';

export const AUTHORS = Number(process.env.BENCH_AUTHORS ?? 100);
export const WARM_UP_AUTHORS = 10;
const PICTURES = 4;
export const OTHERS = 10;
const PRESS_EVERY_MS = 100;
export const QUIET_MS = 5_000;
export const TARGET_MS = 200;
/** Ids of the peer's people begin here. */
const PEER_PEOPLE = 90_001;
const ARTICLE_PATIENCE_MS = 10 * 60_000;
export const SECRET = 'webhook-secret-of-the-bench';
const MEGABYTE = 1024 * 1024;

export type Author = Awaited<ReturnType<typeof addAuthor>>;
type Memory = { rss: number; heapUsed: number };
export type Ground = {
  bot: ChildProcess;
  /** The bot's settings. */
  environment: NodeJS.ProcessEnv;
  port: number;
  sql: Sql;
  authors: Author[];
  others: Author[];
  /** What the newest buttons in a person's chat carry. */
  buttons: Map<number, string[]>;
};

/** A hundred people let articles be written and published; ten others walk through the menu and should not notice. */
export async function busyBot(): Promise<Outcome> {
  const closing: (() => unknown)[] = [];
  try {
    const ground = await prepared(closing);
    const warmers = ground.authors.slice(0, WARM_UP_AUTHORS);
    const authors = ground.authors.slice(WARM_UP_AUTHORS, WARM_UP_AUTHORS + AUTHORS);
    const more = ground.authors.slice(WARM_UP_AUTHORS + AUTHORS);
    await Promise.all(warmers.map((author) => wholeArticle(ground, author)));
    const before = await settledMemory(ground.bot);
    await whilePressing(ground, () => delay(QUIET_MS)); // warms up the menu as well
    const quiet = await whilePressing(ground, () => delay(QUIET_MS));
    const began = performance.now();
    const busy = await whilePressing(ground, async () => {
      await Promise.all(authors.map((author) => wholeArticle(ground, author)));
    });
    const seconds = (performance.now() - began) / 1000;
    const after = await settledMemory(ground.bot);
    await Promise.all(more.map((author) => wholeArticle(ground, author)));
    const afterMore = await settledMemory(ground.bot);
    return outcomeOf({ quiet, busy, seconds, memory: [before, after, afterMore] });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/**
 * Of every press, in milliseconds: until its screen was there; the same without the time in which the bot was ready
 * and other programs had the processors; and the bot's own work in that time.
 */
export type Presses = { times: number[]; fed: number[]; worked: number[] };
type Measured = { quiet: Presses; busy: Presses; seconds: number; memory: Memory[] };

function outcomeOf({ quiet, busy, seconds, memory }: Measured): Outcome {
  const levels = (kind: keyof Memory) =>
    memory.map((level) => (level[kind] / MEGABYTE).toFixed(0)).join(' → ');
  return {
    case: 'busy-bot',
    ours: Number(at(busy.times, 0.99).toFixed(1)),
    peer: null,
    ratio: null,
    unit: 'ms from a press to its screen, p99',
    notes:
      `${busy.times.length} presses of ${OTHERS} people in the menu while ${AUTHORS} others have an article with ${PICTURES} ` +
      `pictures each written and published, all in ${seconds.toFixed(0)} s: ${told(busy)}; alone ${told(quiet)}; from ` +
      `the webhook's request to its answer, which comes when the Bot API has taken the screen; memory before, after, and ` +
      `after ${AUTHORS} more: heap ${levels('heapUsed')} MB, RSS ${levels('rss')} MB; target below ${TARGET_MS} ms`,
  };
}

export const told = ({ times, fed, worked }: Presses): string =>
  `${spread(times)} (while the bot had a processor: ${spread(fed)}; its own work: ${spread(worked)})`;

const spread = (times: number[]): string =>
  `p50 ${at(times, 0.5).toFixed(0)}, p99 ${at(times, 0.99).toFixed(0)}, longest ${at(times, 1).toFixed(0)} ms`;

export function at(times: number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export async function prepared(closing: (() => unknown)[], pictures = PICTURES): Promise<Ground> {
  const [postgres, redis] = await Promise.all([startOwnPostgres(), startOwnRedis({ durable: false })]);
  closing.push(postgres.close, redis.close);
  const database = await openDatabase({ url: postgres.url, dataDir: '', max: 2 });
  closing.push(database.close);
  await applySchema(database.sql);
  const dataDir = await mkdtemp(join(tmpdir(), 'seo-master-bench-'));
  closing.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const sink = child('test/bench/bot-api-sink.ts', closing);
  const [sinkPort] = (await once(sink, 'message')) as [number];
  const buttons: Ground['buttons'] = new Map();
  sink.on('message', (shown: { chat: number; buttons: string[] }) => buttons.set(shown.chat, shown.buttons));
  const userIds = Array.from({ length: 2 * AUTHORS + WARM_UP_AUTHORS + OTHERS }, (_, n) => 70_001 + n);
  const outside = child('test/bench/busy-bot-suppliers.ts', closing);
  outside.send({ userIds } satisfies SuppliersOrder);
  const [{ suppliers, wordpress, max }] = (await once(outside, 'message')) as [SuppliersAnswer];
  const people: Author[] = [];
  for (const id of userIds)
    people.push(await addAuthor(database.sql, id, `${wordpress}/${sitePath(id)}`, pictures));
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH!,
    TELEGRAM_BOT_TOKEN: '1000000001:A-TOKEN-THAT-OPENS-NOTHING-AT-ALL',
    TELEGRAM_API_ROOT: `http://127.0.0.1:${sinkPort}`,
    TELEGRAM_WEBHOOK_SECRET: SECRET,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    DATA_DIR: dataDir,
    ENCRYPTION_KEY,
    ALLOW_PRIVATE_URLS: '1',
    THROTTLE_PER_MINUTE: '1000000',
    NODE_ENV: 'production',
    // As `npm start` sets them.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '98304',
    MAX_BASE_URL: max,
    ...supplierEnvironment(suppliers),
  };
  const { bot, port } = await startBot(environment, closing);
  const [others, authors] = [people.slice(0, OTHERS), people.slice(OTHERS)];
  return { bot, environment, port, sql: database.sql, authors, others, buttons };
}

async function startBot(environment: NodeJS.ProcessEnv, closing: (() => unknown)[]) {
  const bot = child('test/bench/composed-bot.ts', closing, environment);
  const [{ port }] = (await once(bot, 'message')) as [{ port: number }];
  return { bot, port };
}

/** The same bot beside it, on idle stores of its own: what the machine itself costs a press. */
export async function idlePeer(
  { environment }: Ground,
  closing: (() => unknown)[],
): Promise<Pick<Ground, 'bot' | 'port' | 'others'>> {
  const url = await createDatabase(environment.DATABASE_URL!, 'peer');
  const database = await openDatabase({ url, dataDir: '', max: 1 });
  closing.push(database.close);
  const others: Author[] = [];
  for (let n = 0; n < OTHERS; n += 1)
    others.push(await addAuthor(database.sql, PEER_PEOPLE + n, 'http://localhost', 0));
  const redis = await startOwnRedis({ durable: false });
  closing.push(redis.close);
  const started = await startBot({ ...environment, DATABASE_URL: url, REDIS_URL: redis.url }, closing);
  return { ...started, others };
}

function child(program: string, closing: (() => unknown)[], env?: NodeJS.ProcessEnv): ChildProcess {
  const profile =
    env && process.env.BENCH_PROFILE === 'busy-bot' ? ['--cpu-prof', '--cpu-prof-dir=/tmp'] : [];
  const execArgv = ['--expose-gc', ...profile, '--import', 'tsx'];
  const started = fork(program, { execArgv, ...(env && { env }) });
  closing.push(() => started.connected && started.disconnect());
  return started;
}

const wholeArticle = (ground: Ground, author: Author) => wholeText(ground, author, 'pub:article');

/** From the first press to the publication, without pauses. */
export async function wholeText(
  { port, sql, buttons }: Ground,
  { userId, categoryId: cid, connectionId: nid }: Author,
  prefix: 'pub:article' | 'pub:social',
): Promise<void> {
  await post(said(userId, '/start'));
  await post(pressed(userId, `category:${cid}:conn:${nid}:publish`));
  await press(`${prefix}:confirm`);
  await until(async () => {
    const [draft] = await sql`
      select 1 from article_previews where user_id = ${userId} and content_html is not null`;
    return draft !== undefined;
  });
  await until(async () => {
    await press(`${prefix}:publish`);
    const [published] = await sql`select 1 from publication_logs where user_id = ${userId}`;
    return published !== undefined;
  });

  async function press(pattern: string): Promise<void> {
    const find = () => buttons.get(userId)?.find((data) => data.startsWith(pattern));
    await until(async () => find() !== undefined);
    await post(pressed(userId, find()!));
  }

  /** On a line of its own: the bot closes those on which nothing is said for long. */
  async function post(update: Update): Promise<void> {
    const line = await openLine(port, SECRET);
    await line.post(update);
    line.close();
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + ARTICLE_PATIENCE_MS; Date.now() < deadline; await delay(1_000))
    if (await isSo()) return;
  throw new Error('an article did not come in time');
}

/** How long each press took while the work went on. */
export async function whilePressing(
  { bot, port, others }: Pick<Ground, 'bot' | 'port' | 'others'>,
  work: () => Promise<void>,
): Promise<Presses> {
  const presses: Presses = { times: [], fed: [], worked: [] };
  let over = false;
  const pressing = others.map(async ({ userId, projectId, categoryId }) => {
    const way = [
      'nav:projects',
      `project:${projectId}:card`,
      `project:${projectId}:categories`,
      `category:${categoryId}:card`,
      'nav:dashboard',
    ];
    for (let step = 0; !over; step += 1) {
      // On a line of its own: on a busy machine a kept one is closed before it is used again.
      const line = await openLine(port, SECRET);
      const [began, before] = [performance.now(), scheduled(bot.pid)];
      await line.post(pressed(userId, way[step % way.length]!));
      const [time, after] = [performance.now() - began, scheduled(bot.pid)];
      line.close();
      presses.times.push(time);
      presses.fed.push(Math.max(0, time - (after.starved - before.starved)));
      presses.worked.push(after.worked - before.worked);
      await delay(PRESS_EVERY_MS);
    }
  });
  await work().finally(() => {
    over = true;
  });
  await Promise.all(pressing);
  return presses;
}

/** After a while in which connections close, and threads and processes that have nothing to do end. */
async function settledMemory(bot: ChildProcess): Promise<Memory> {
  await delay(40_000);
  bot.send('memory');
  const [memory] = (await once(bot, 'message')) as [Memory];
  return memory;
}
