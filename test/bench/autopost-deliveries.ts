import { Redis } from 'ioredis';
import { startOwnPostgres, startOwnRedis } from '../crash/throwaway-servers.ts';
import { startContestant } from './autopost-contestant.ts';
import { CHANNELS } from './autopost-post.ts';
import { postmasterOf, type Round, type Runner, round } from './autopost-round.ts';
import { startSink } from './autopost-sink.ts';
import { median, type Outcome, spread } from './outcome.ts';
import { createDatabase } from './own-database.ts';

const DELIVERIES = 3_000;
const ROUNDS = 5;

const peers = {
  'graphile-fast': 'graphile-worker 0.17, concurrency 10, its documented fast settings',
  'graphile-defaults': 'graphile-worker 0.17, concurrency 10, otherwise its defaults',
  bullmq: 'BullMQ, concurrency 10, on a Redis that writes nothing to disk',
};
type Peer = keyof typeof peers;
type Name = 'ours' | Peer;

/** What waits in a queue goes to a sink, ten at once: our dispatcher, with all its guarantees, beside two plain queues. */
export async function autopostDeliveries(): Promise<Outcome[]> {
  const closing: (() => unknown)[] = [];
  try {
    const [postgres, redis] = await Promise.all([startOwnPostgres(), startOwnRedis({ durable: false })]);
    closing.push(postgres.close, redis.close);
    const sink = await startSink();
    closing.push(sink.close);
    const servers = { postgres: await postmasterOf(postgres.url), redis: await redisProcess(redis.url) };

    const start = async (name: Name, entry: string, env: Record<string, string>): Promise<Runner> => {
      const common = { CONTESTANT: name, API_ROOT: sink.apiRoot };
      const url = await createDatabase(postgres.url, name);
      const { child, ask } = await startContestant(entry, { ...common, DATABASE_URL: url, ...env });
      closing.push(() => child.disconnect());
      return { child, ask, serverPid: name === 'bullmq' ? servers.redis : servers.postgres };
    };
    const contestants: Record<Name, Runner> = {
      ours: await start('ours', 'test/bench/autopost-ours.ts', {}),
      'graphile-fast': await start('graphile-fast', 'test/bench/autopost-graphile.ts', { SETTINGS: 'fast' }),
      'graphile-defaults': await start('graphile-defaults', 'test/bench/autopost-graphile.ts', {}),
      bullmq: await start('bullmq', 'test/bench/autopost-bullmq.ts', { REDIS_URL: redis.url }),
    };
    const names = Object.keys(contestants) as Name[];
    const rounds: Record<Name, Round[]> = {
      ours: [],
      'graphile-fast': [],
      'graphile-defaults': [],
      bullmq: [],
    };
    for (const name of names) await round(contestants[name], sink, DELIVERIES); // warms up
    for (let n = 0; n < ROUNDS; n += 1) {
      for (const name of n % 2 === 0 ? names : names.toReversed())
        rounds[name].push(await round(contestants[name], sink, DELIVERIES));
    }
    return (Object.keys(peers) as Peer[]).map((peer) => outcomeOf(peer, rounds.ours, rounds[peer]));
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

function outcomeOf(peer: Peer, ours: Round[], theirs: Round[]): Outcome {
  const speed = (rounds: Round[]) => rounds.map(({ perSecond }) => perSecond);
  const micros = (rounds: Round[], of: 'cpuMicros' | 'serverMicros') =>
    Math.round(median(rounds.map((one) => one[of])));
  const cpu = (rounds: Round[]) => `${micros(rounds, 'cpuMicros')} + ${micros(rounds, 'serverMicros')} µs`;
  return {
    case: `autopost-deliveries/${peer}`,
    ours: Math.round(median(speed(ours))),
    peer: Math.round(median(speed(theirs))),
    ratio: median(speed(ours)) / median(speed(theirs)),
    unit: 'deliveries per second',
    notes:
      `peer: ${peers[peer]}; ${ROUNDS} rounds of ${DELIVERIES} each to ${CHANNELS} channels, alternating, medians; ` +
      `spread ours ${spread(speed(ours))}, peer ${spread(speed(theirs))}; CPU per delivery, process + database, ours ` +
      `${cpu(ours)}, peer ${cpu(theirs)}; the same adapter makes the same call for all; ours with dedup, slots, order ` +
      'per channel, attempts and audit, a peer with none of them; servers on loopback without fsync',
  };
}

async function redisProcess(url: string): Promise<number> {
  const redis = new Redis(url);
  const [, pid] = /process_id:(\d+)/u.exec(await redis.info('server')) ?? [];
  redis.disconnect();
  return Number(pid);
}
