import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { patience } from '../support/patience.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import { disagreements, type Kept, keptDeliveries, unexplainedAttempts } from './autopost-accounts.ts';
import { type Arrived, type Ground, prepareGround } from './autopost-ground.ts';
import { type BotProcess, startBot } from './bot-process.ts';
import type { DispatcherProcess } from './dispatcher-process.ts';
import { freePort } from './free-port.ts';
import { seeded } from './seeded.ts';

/**
 * Everything at once: three dispatchers and the bot, killed one after the other, while answers are lost, both platforms
 * go down with 502 and 503 and ask to wait with 429, and a channel throws the bot out. Three minutes:
 *   npm run soak -- autopost
 */
const SECONDS = Number(process.env.AUTOPOST_STORM_SECONDS ?? 10);
const SEED = Number(process.env.AUTOPOST_STORM_SEED ?? 1);
const DISPATCHERS = 3;
const PATIENCE_MS = patience(240_000);

describe.skipIf(!inject('postgresUrl') || !inject('redisUrl'))(
  'autoposting in a storm (needs both stores)',
  () => {
    it(`loses nothing, sends nothing twice and keeps order and limits over ${SECONDS} s (seed ${SEED})`, {
      timeout: SECONDS * 1000 + PATIENCE_MS + 90_000,
    }, async () => {
      const random = seeded(SEED);
      const ground = await prepareGround({ url: await freshPostgresUrl(), channels: 8 });
      onTestFinished(ground.close);
      const forbidden = ground.plans[0]!;
      const processes = Array.from({ length: DISPATCHERS }, ground.startProcess);
      const bots = [await aBot(ground)];
      onTestFinished(async () => {
        await Promise.all([...processes, ...bots].map((one) => one.kill()));
      });
      await Promise.all([...processes, ...bots].map(({ started }) => started));

      const end = performance.now() + SECONDS * 1000;
      const writing = writePosts(ground, end);
      const weather = storm(ground, forbidden.chat);
      let kills = 0;
      while (performance.now() < end) {
        await sleep(random.between(300, 1_200));
        ground.addFaults(random);
        kills += await killOne(ground, processes, random.whole(0, DISPATCHERS - 1));
        if (random.chance(0.1)) kills += await killBot(ground, bots);
      }
      const posts = await writing;
      await weather;
      ground.calm();
      await untilQuiet(ground, forbidden.channelId);

      const kept = await keptDeliveries(ground.sql);
      const arrived = ground.arrivals();
      console.log(JSON.stringify({ seconds: SECONDS, seed: SEED, kills, posts, ...summary(kept, arrived) }));
      const others = kept.filter(({ channelId }) => channelId !== forbidden.channelId);
      const plans = ground.plans.filter((plan) => plan !== forbidden);
      expect(
        disagreements(
          others,
          arrived.filter(({ chat }) => chat !== forbidden.chat),
          plans,
        ),
      ).toEqual([]);
      expect(await unexplainedAttempts(ground.sql)).toEqual([]);
      const refused = kept.filter(({ channelId }) => channelId === forbidden.channelId);
      expect(refused.map(({ status }) => status)).toContain('failed_permanent');
      expect(summary(kept, arrived)).toMatchObject({ unaccountedFor: 0, twice: 0 });
      expect(kills).toBeGreaterThan(0);
    });
  },
);

/** What both platforms do to everybody, one after the other: each window a twelfth of the storm. */
async function storm(ground: Ground, forbidden: string): Promise<void> {
  const part = (SECONDS * 1000) / 12;
  for (const fault of [
    { kind: 'status', status: 502 },
    { kind: 'status', status: 503 },
    { kind: 'status', status: 429, retryAfter: 1 },
    { kind: 'reset' },
  ] as const) {
    await sleep(part);
    await ground.strike(fault, part);
    ground.forbid(forbidden);
  }
}

async function aBot(ground: Ground): Promise<BotProcess> {
  const { DATABASE_URL, TELEGRAM_API_ROOT, ...more } = ground.settings();
  return startBot({
    ...{ port: await freePort(), apiRoot: TELEGRAM_API_ROOT, databaseUrl: DATABASE_URL },
    redisUrl: inject('redisUrl')!,
    more: { ...more, TELEGRAM_BOT_TOKEN: '123456:the-products-own-bot' },
  });
}

/** Only one that is at work: a process that is killed while it starts proves nothing. */
async function killOne(ground: Ground, processes: DispatcherProcess[], at: number): Promise<number> {
  const victim = processes[at]!;
  if (!(await isAtWork(victim.started))) return 0;
  await victim.kill();
  processes[at] = ground.startProcess();
  return 1;
}

async function killBot(ground: Ground, bots: BotProcess[]): Promise<number> {
  const victim = bots.at(-1)!;
  if (!(await isAtWork(victim.started))) return 0;
  await victim.kill();
  bots.push(await aBot(ground));
  return 1;
}

const isAtWork = (started: Promise<void>): Promise<boolean> =>
  Promise.race([started.then(() => true), sleep(0).then(() => false)]);

async function writePosts(ground: Ground, end: number): Promise<number> {
  let posts = 0;
  while (performance.now() < end) {
    await ground.post(`Новость ${++posts}`);
    await sleep(250);
  }
  return posts;
}

async function untilQuiet({ sql }: Ground, forbidden: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const [row] = await sql<[{ left: number }]>`
      select count(*)::int as left from deliveries
      where status in ('claimed', 'sending') or status in ('queued', 'retry') and channel_id <> ${forbidden}`;
    if (row.left === 0) return;
    if (performance.now() > deadline) throw new Error(`${row.left} deliveries are still on their way`);
    await sleep(200);
  }
}

/** Arrivals = sent + unknown that arrived. */
function summary(kept: readonly Kept[], arrived: readonly Arrived[]) {
  const count = (status: string) => kept.filter((one) => one.status === status).length;
  const places = new Set(arrived.map(({ chat, text }) => `${chat}: ${text}`));
  const unknownThatArrived = arrived.length - count('sent');
  return {
    deliveries: kept.length,
    arrivals: arrived.length,
    sent: count('sent'),
    unknown: count('unknown'),
    unknownThatArrived,
    unaccountedFor: Math.max(0, unknownThatArrived - count('unknown')),
    dead: count('dead'),
    refused: count('failed_permanent'),
    twice: arrived.length - places.size,
  };
}
