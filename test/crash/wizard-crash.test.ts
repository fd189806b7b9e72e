import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { patience } from '../support/patience.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import { type BotProcess, startBot, TOKEN } from './bot-process.ts';
import { type Forwarder, startForwarder } from './forwarder.ts';
import { freePort } from './free-port.ts';
import { leftovers, nothingLeft } from './leftovers.ts';
import { ownRedis } from './own-redis.ts';
import { type Random, seeded } from './seeded.ts';
import { createWalker, type ProjectPlan, type Walker } from './walker.ts';

const SEED = Number(process.env.CRASH_SEED ?? 20_260_729);
const PEOPLE = Number(process.env.WIZARD_STORM_PEOPLE ?? 16);
const FIRST_ID = 50_001;
const KILLS = Number(process.env.WIZARD_STORM_KILLS ?? 4);
// People come while the killing goes on, however long a machine takes to start a process again.
const LAST_COMES_AT_KILL = KILLS * 0.75;
const REDIS_DATABASE = 11;
// Longer than any lease: whatever was left behind has been looked after by then.
const GRACE_MS = patience(25_000);

describe.skipIf(!inject('redisUrl') || !inject('postgresUrl'))(
  `${PEOPLE} people in the project wizard while processes are killed (needs PostgreSQL and redis-server)`,
  () => {
    const plans = new Map<number, ProjectPlan[]>();
    const everyProcess: BotProcess[] = [];
    const bots: BotProcess[] = [];
    let walkers: Walker[] = [];
    let telegram: TelegramStandIn;
    let database: Database;
    let redis: Awaited<ReturnType<typeof ownRedis>>;
    let forwarder: Forwarder;
    const kills: { inFlight: number }[] = [];
    let startNew: (slot: number) => Promise<void>;

    beforeAll(async () => {
      const databaseUrl = await freshPostgresUrl();
      database = await openDatabase({ url: databaseUrl, dataDir: '', max: 2 });
      redis = await ownRedis(REDIS_DATABASE);
      telegram = await startTelegramStandIn({ token: TOKEN, redeliveryMs: 50 });
      // An answer of Telegram takes a moment, so a kill may come between a message and the note that it was sent.
      telegram.faults.add({
        match: 'sendMessage|editMessageText',
        times: null,
        fault: { kind: 'slow', ms: 25 },
      });
      const ports = [await freePort(), await freePort()];
      forwarder = await startForwarder(ports);
      startNew = async (slot) => {
        bots[slot] = await startBot({
          port: ports[slot]!,
          apiRoot: telegram.url,
          publicUrl: forwarder.url,
          databaseUrl,
          redisUrl: redis.url,
        });
        everyProcess.push(bots[slot]!);
      };
      await Promise.all([startNew(0), startNew(1)]);
      await Promise.all(bots.map(({ started }) => started));
    });

    afterAll(async () => {
      for (const walker of walkers) walker.stop();
      await Promise.all(bots.map((bot) => bot.kill()));
      await telegram?.close();
      await forwarder?.close();
      await redis?.close();
      await database?.close();
    });

    it('everybody gets to the end', { timeout: patience(60_000 + KILLS * 8_000) }, async () => {
      const random = seeded(SEED);
      walkers = Array.from({ length: PEOPLE }, (_, index) => {
        const id = FIRST_ID + index;
        plans.set(id, planOf(id, random));
        return createWalker(telegram, id, seeded(SEED + id));
      });
      const killing = killRepeatedly(seeded(SEED + 1));
      const walks = walkers.map(async (walker) => {
        const comesAt = random.between(0, LAST_COMES_AT_KILL);
        while (kills.length < comesAt) await delay(50);
        await walker.start();
        for (const plan of plans.get(walker.id)!) await walker.createProject(plan);
      });
      const outcomes = await Promise.allSettled(walks);
      await killing;
      report();
      const failures = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [String(outcome.reason)] : [],
      );
      expect(failures).toEqual([]);
    });

    it('the kills came in the middle of the work', () => {
      expect(kills.filter(({ inFlight }) => inFlight > 0).length).toBeGreaterThanOrEqual(KILLS / 2);
    });

    it('every person has exactly the projects they asked for, with the answers they typed', async () => {
      const rows = await database.sql<{ userId: number; answers: ProjectPlan['answers'] }[]>`
        select user_id as "userId", json_build_object('name', name, 'company', company_name,
          'specialization', specialization, 'website', website_url) as answers
        from projects order by user_id, id`;
      const asked = [...plans].flatMap(([userId, wanted]) =>
        wanted.map(({ answers }) => ({ userId, answers })),
      );
      expect([...rows]).toEqual(asked);
    });

    it('every balance is the welcome bonus plus the ledger', async () => {
      const [row] = await database.sql`
        select count(*) as people, count(*) filter (where u.balance <> 1500 + coalesce(
          (select sum(amount) from token_expenses e where e.user_id = u.id), 0)) as wrong
        from users u where u.id >= ${FIRST_ID}`;
      expect(row).toEqual({ people: PEOPLE, wrong: 0 });
    });

    it('no session is left in the middle of something', { timeout: GRACE_MS + 5_000 }, async () => {
      await expect
        .poll(() => leftovers(redis.redis), { timeout: GRACE_MS, interval: 250 })
        .toEqual(nothingLeft);
      expect(telegram.pendingUpdates()).toEqual([]);
    });

    it('a screen comes twice only where a process was killed while showing it', () => {
      const interrupted = kills.reduce((sum, { inFlight }) => sum + inFlight, 0);
      const repeated = walkers.reduce((sum, walker) => sum + walker.repeatedScreens(), 0);
      expect(repeated).toBeLessThanOrEqual(interrupted);
    });

    it('no process met an error it did not expect', () => {
      const errors = everyProcess.flatMap((bot) => bot.log().filter(({ level }) => level >= 50));
      expect(errors).toEqual([]);
      expect(everyProcess.filter((bot) => bot.output().includes('unhandled'))).toEqual([]);
    });

    /** One of the two, every 0.5 to 2 s, shortly after it was given something to do. */
    async function killRepeatedly(random: Random): Promise<void> {
      while (kills.length < KILLS) {
        await delay(random.between(500, 2_000));
        await Promise.any(bots.map(({ started }) => started)); // throws when none can be started
        const slot = random.whole(0, 1);
        const victim = bots[slot]!.isReady() ? bots[slot]! : bots[1 - slot]!;
        await forwarder.nextTo(victim.port, 300);
        await delay(random.between(0, 45));
        kills.push({ inFlight: forwarder.inFlight(victim.port) });
        await victim.kill();
        await startNew(bots.indexOf(victim));
      }
      await Promise.all(bots.map(({ started }) => started));
    }

    function report(): void {
      const sum = (count: (walker: Walker) => number) =>
        walkers.reduce((total, each) => total + count(each), 0);
      console.log(
        `${kills.length} kills, ${kills.filter(({ inFlight }) => inFlight > 0).length} of them with ` +
          `${kills.reduce((total, { inFlight }) => total + inFlight, 0)} updates in flight; screens repeated: ` +
          `${sum((walker) => walker.repeatedScreens())}, pressed again: ${sum(({ counts }) => counts.pressedAgain)}, ` +
          `waited in vain: ${sum(({ counts }) => counts.waitedInVain)}`,
      );
    }
  },
);

function planOf(id: number, random: Random): ProjectPlan[] {
  return Array.from({ length: random.chance(0.4) ? 2 : 1 }, (_, index) => ({
    answers: {
      name: `Цветы №${id}, точка ${index + 1}`,
      company: `ООО «Ромашка & Ко» <${id}>`,
      specialization: random.of([
        'Доставка букетов и оформление свадеб',
        'Ремонт "под ключ" за 30 дней',
        'Кофе с собой ☕',
      ]),
      website: random.chance(0.5)
        ? `https://site-${id}-${index + 1}.example.ru/?a=1&b=<2>`.replace('<2>', '2')
        : null,
    },
    pausesAt: random.chance(0.3) ? random.whole(1, 4) : null,
    errsAt: random.chance(0.3) ? random.whole(1, 3) : null,
    pressesCreateTwice: random.chance(0.2),
    pressesSkipTwice: random.chance(0.3),
  }));
}
