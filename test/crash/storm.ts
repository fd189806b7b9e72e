import { setTimeout as delay } from 'node:timers/promises';
import { startTelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { openDatabase } from '../../src/store/database.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { type BotProcess, startBot, TOKEN } from './bot-process.ts';
import { startForwarder } from './forwarder.ts';
import { freePort } from './free-port.ts';
import { createRummager } from './rummager.ts';
import { type Random, seeded } from './seeded.ts';
import { type Outage, startOwnPostgres, startOwnRedis } from './throwaway-servers.ts';
import { createWalker } from './walker.ts';

const FIRST_ID = 60_001;
const WALKERS = 8;
const RUMMAGERS = 4;
// Longer than any lease, and than a process takes to start on a busy machine.
const CALM_MS = 90_000;
const disturbances = ['kill', 'redis', 'pause', 'postgres'] as const;

export type StormReport = Awaited<ReturnType<typeof runStorm>>;

/**
 * Two processes on one Redis and one PostgreSQL. Every update is delivered twice, the second time late; people walk and
 * press old buttons; processes are killed and paused, both stores are restarted. Then it is calm, and everything that was
 * asked for must be there, once.
 */
export async function runStorm({
  seconds,
  seed,
  cluster = false,
}: {
  seconds: number;
  seed: number;
  /** On a Redis Cluster of three, whose nodes are restarted one after the other. */
  cluster?: boolean;
}) {
  const [postgres, redis] = await Promise.all([startOwnPostgres(), cluster ? ownCluster() : startOwnRedis()]);
  const telegram = await startTelegramStandIn({
    token: TOKEN,
    redeliveryMs: 50,
    callbackLifetimeMs: 10 * 60_000,
  });
  const random = seeded(seed);
  const ports = [await freePort(), await freePort()];
  const forwarder = await startForwarder(ports, () => random.between(0, 1_500));
  const start = (port: number) =>
    startBot({
      port,
      apiRoot: telegram.url,
      publicUrl: forwarder.url,
      databaseUrl: postgres.url,
      redisUrl: redis.url,
    });
  const bots: BotProcess[] = [];
  const counts = { kills: 0, pauses: 0, redisRestarts: 0, postgresRestarts: 0, samples: 0, unbalanced: 0 };
  const killed = new Set<BotProcess>();
  let isOver = false;
  try {
    await Promise.all(ports.map((_, slot) => supervise(slot)));
    await untilReady(2);
    const database = await openDatabase({ url: postgres.url, dataDir: '', max: 2 });
    const { asked, people, failures, presses } = await underTheStorm();
    await calm();
    const [{ made, twice } = { made: 0, twice: 0 }] = await database.sql<{ made: number; twice: number }[]>`
      select count(*) as made, count(*) - count(distinct (user_id, name)) as twice
      from projects where user_id >= ${FIRST_ID}`;
    const unanswered = (await Promise.all(presses.map(isAnswered))).filter((answered) => !answered).length;
    const stuck = await wayForward(people);
    await calm(); // an update is acknowledged behind its screen
    await database.close();
    const errors = bots.flatMap((bot) => bot.log().filter(({ msg }) => msg === 'an update failed'));
    return {
      ...counts,
      seconds,
      updates: forwarder.answers.filter((status) => status === 200).length,
      repeated: forwarder.repeated(),
      refused: forwarder.answers.filter((status) => status === 503).length,
      asked,
      made,
      twice,
      lost: asked - made,
      unanswered,
      stuck,
      pending: telegram.pendingUpdates().length,
      failures,
      apologised: errors.length,
    };

    async function underTheStorm() {
      const until = Date.now() + seconds * 1_000;
      const failures: string[] = [];
      let asked = 0;
      const walkers = Array.from({ length: WALKERS }, (_, index) =>
        createWalker(telegram, FIRST_ID + index, seeded(seed + index)),
      );
      const rummagers = Array.from({ length: RUMMAGERS }, (_, index) =>
        createRummager(telegram, FIRST_ID + WALKERS + index, seeded(seed - index)),
      );
      const walks = walkers.map(async (walker) => {
        await walker.start();
        for (let trip = 1; Date.now() < until; trip += 1) {
          const name = `Цветы №${walker.id}-${trip}`;
          asked += 1;
          const answers = {
            name,
            company: 'ООО «Ромашка»',
            specialization: 'Доставка букетов',
            website: null,
          };
          await walker.createProject({
            answers,
            pausesAt: null,
            errsAt: null,
            pressesCreateTwice: trip % 2 === 0,
            pressesSkipTwice: trip % 3 === 0,
          });
        }
      });
      // Asked for at once: a walk that fails early is a line of the report, and no unhandled rejection.
      const walked = Promise.allSettled(walks);
      const sampling = sample();
      const disturbing = disturb(until, seeded(seed + 1_000));
      await Promise.all(rummagers.map((rummager) => rummager.rummage(until)));
      for (const outcome of await walked)
        if (outcome.status === 'rejected') failures.push(String(outcome.reason));
      await disturbing;
      isOver = true;
      await sampling;
      const people = [...walkers, ...rummagers].map(({ id }) => id);
      return { asked, people, failures, presses: rummagers.flatMap(({ presses }) => presses) };
    }

    /** Balance and ledger agree at every instant that the database can be asked. */
    async function sample(): Promise<void> {
      for (; !isOver; await delay(250)) {
        const [row] = await database.sql<{ wrong: number }[]>`
          select count(*) as wrong from users u where u.balance <> 1500 + coalesce(
            (select sum(amount) from token_expenses e where e.user_id = u.id), 0)`.catch(() => []);
        if (!row) continue; // the database is being restarted
        counts.samples += 1;
        counts.unbalanced += row.wrong;
      }
    }

    /** Each kind at least once, however short the storm. */
    async function disturb(until: number, chance: Random): Promise<void> {
      for (let turn = 0; turn < disturbances.length || Date.now() < until; turn += 1) {
        await delay(chance.between(1_000, 3_000));
        const kind = disturbances[turn % disturbances.length]!;
        if (kind === 'kill') await killOne(chance.whole(0, 1));
        else if (kind === 'pause') await pauseOne(bots[chance.whole(0, 1)]!, chance.between(2_000, 8_000));
        else if (kind === 'redis') await restart(redis, 'redisRestarts');
        else await restart(postgres, 'postgresRestarts');
      }
      await untilReady(2);
    }

    async function killOne(slot: number): Promise<void> {
      await untilReady(1);
      const victim = bots[slot]!.isReady() ? slot : 1 - slot;
      killed.add(bots[victim]!);
      await bots[victim]!.kill();
      counts.kills += 1;
      await supervise(victim);
    }

    async function pauseOne(bot: BotProcess, ms: number): Promise<void> {
      bot.signal('SIGSTOP');
      await delay(ms);
      bot.signal('SIGCONT');
      counts.pauses += 1;
    }

    async function restart(
      server: Pick<Outage, 'end' | 'startAgain'>,
      count: 'redisRestarts' | 'postgresRestarts',
    ): Promise<void> {
      await server.end();
      await delay(500);
      await server.startAgain();
      counts[count] += 1;
    }
  } finally {
    isOver = true;
    await Promise.all(bots.map((bot) => bot.kill()));
    await telegram.close();
    await forwarder.close();
    await redis.close();
    await postgres.close();
  }

  /** One that cannot start because its database is away is started again, as an orchestrator would. */
  async function supervise(slot: number): Promise<void> {
    const bot = await start(ports[slot]!);
    bots[slot] = bot;
    void bot.exited.then(() => {
      if (!isOver && bots[slot] === bot && !killed.has(bot)) void supervise(slot);
    });
  }

  async function untilReady(enough: number): Promise<void> {
    for (const began = Date.now(); Date.now() - began < CALM_MS; await delay(50))
      if (bots.filter((bot) => bot.isReady()).length >= enough) return;
    throw new Error(`the processes did not start: ${bots.map((bot) => bot.output().slice(-500)).join('\n')}`);
  }

  async function calm(): Promise<void> {
    for (const began = Date.now(); Date.now() - began < CALM_MS; await delay(200))
      if (telegram.pendingUpdates().length === 0) return;
  }

  /** Whatever has happened: /start leads to the menu. */
  async function wayForward(people: number[]): Promise<number> {
    const reached = await Promise.all(
      people.map(async (id) => {
        const before = telegram.people.messages(id).length;
        telegram.people.start(id);
        for (const began = Date.now(); Date.now() - began < CALM_MS; await delay(100)) {
          const fresh = telegram.people.messages(id).slice(before);
          if (fresh.some(({ from, reply_markup }) => from?.is_bot && reply_markup)) return true;
        }
        return false;
      }),
    );
    return reached.filter((hasMenu) => !hasMenu).length;
  }
}

async function ownCluster() {
  const { urls, ...rest } = await startRedisCluster({ durable: true });
  return { url: urls, ...rest };
}

/** What must be none after any storm. */
export const faultsIn = ({
  lost,
  twice,
  unbalanced,
  unanswered,
  stuck,
  pending,
  failures,
}: StormReport): number => lost + twice + unbalanced + unanswered + stuck + pending + failures.length;

const isAnswered = (press: Promise<unknown>): Promise<boolean> =>
  Promise.race([press.then(() => true), delay(30_000, false, { ref: false })]);
