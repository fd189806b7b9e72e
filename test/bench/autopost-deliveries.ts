import type { ChildProcess } from 'node:child_process';
import { Redis } from 'ioredis';
import { openDatabase } from '../../src/store/database.ts';
import { startOwnPostgres, startOwnRedis } from '../crash/throwaway-servers.ts';
import { startContestant } from './autopost-contestant.ts';
import { CHANNELS } from './autopost-post.ts';
import { startSink } from './autopost-sink.ts';
import { median, type Outcome, spread } from './outcome.ts';
import { createDatabase } from './own-database.ts';
import { cpuSeconds, familyCpuSeconds, parentOf } from './processor-time.ts';

const DELIVERIES = 3_000;
const ROUNDS = 5;

const peers = {
  'graphile-fast': 'graphile-worker 0.17, concurrency 10, its documented fast settings',
  'graphile-defaults': 'graphile-worker 0.17, concurrency 10, otherwise its defaults',
  bullmq: 'BullMQ, concurrency 10, on a Redis that writes nothing to disk',
};
type Peer = keyof typeof peers;
type Name = 'ours' | Peer;

type Contestant = { child: ChildProcess; serverPid: number; ask: Ask };
type Ask = Awaited<ReturnType<typeof startContestant>>['ask'];
type Sink = Awaited<ReturnType<typeof startSink>>;
type Round = { perSecond: number; cpuMicros: number; serverMicros: number };

/** What waits in a queue goes to a sink, ten at once: our dispatcher, with all its guarantees, beside two plain queues. */
export async function autopostDeliveries(): Promise<Outcome[]> {
  const closing: (() => unknown)[] = [];
  try {
    const [postgres, redis] = await Promise.all([startOwnPostgres(), startOwnRedis({ durable: false })]);
    closing.push(postgres.close, redis.close);
    const sink = await startSink();
    closing.push(sink.close);
    const servers = { postgres: await postmasterOf(postgres.url), redis: await redisProcess(redis.url) };

    const start = async (name: Name, entry: string, env: Record<string, string>): Promise<Contestant> => {
      const common = { CONTESTANT: name, API_ROOT: sink.apiRoot };
      const url = await createDatabase(postgres.url, name);
      const { child, ask } = await startContestant(entry, { ...common, DATABASE_URL: url, ...env });
      closing.push(() => child.disconnect());
      return { child, ask, serverPid: name === 'bullmq' ? servers.redis : servers.postgres };
    };
    const contestants: Record<Name, Contestant> = {
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
    for (const name of names) await round(contestants[name], sink); // warms up
    for (let n = 0; n < ROUNDS; n += 1) {
      for (const name of n % 2 === 0 ? names : names.toReversed())
        rounds[name].push(await round(contestants[name], sink));
    }
    return (Object.keys(peers) as Peer[]).map((peer) => outcomeOf(peer, rounds.ours, rounds[peer]));
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** From the first message at the sink until the last one is on record. */
async function round({ child, serverPid, ask }: Contestant, sink: Sink): Promise<Round> {
  await ask({ order: 'fill', deliveries: DELIVERIES });
  const { first, last } = await sink.expect(DELIVERIES);
  await ask({ order: 'start' });
  await first;
  const began = performance.now();
  const cpu = cpuSeconds(child.pid);
  const server = familyCpuSeconds(serverPid);
  await last;
  await ask({ order: 'settle' });
  const seconds = (performance.now() - began) / 1000;
  const micros = (spent: number) => (spent / DELIVERIES) * 1e6;
  const result = {
    perSecond: DELIVERIES / seconds,
    cpuMicros: micros(cpuSeconds(child.pid) - cpu),
    serverMicros: micros(familyCpuSeconds(serverPid) - server),
  };
  await ask({ order: 'stop' });
  const arrived = await sink.count();
  if (arrived !== DELIVERIES) throw new Error(`${arrived} messages came instead of ${DELIVERIES}`);
  return result;
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

/** Every connection is a child of the server itself. */
async function postmasterOf(url: string): Promise<number> {
  const { sql, close } = await openDatabase({ url, dataDir: '', max: 1 });
  const [row] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const pid = parentOf(row.pid);
  await close();
  return pid;
}

async function redisProcess(url: string): Promise<number> {
  const redis = new Redis(url);
  const [, pid] = /process_id:(\d+)/u.exec(await redis.info('server')) ?? [];
  redis.disconnect();
  return Number(pid);
}
