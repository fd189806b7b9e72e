import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { startOwnPostgres } from '../crash/throwaway-servers.ts';
import { startContestant } from './autopost-contestant.ts';
import { startSink } from './autopost-sink.ts';
import { median, type Outcome } from './outcome.ts';
import { createDatabase } from './own-database.ts';

const POSTS = 200;
const WARM_UP = 50;
const TARGET_MS = 50;
const SECRET = 'secret-of-the-bench';

type Sink = Awaited<ReturnType<typeof startSink>>;

/** From the request that brings a post to its arrival in a channel, one by one, with nothing else to do. */
export async function autopostLatency(): Promise<Outcome[]> {
  const postgres = await startOwnPostgres();
  const sink = await startSink();
  try {
    return [
      outcomeOf('autopost-latency', 'taken and sent by one process', await within(postgres.url, sink, false)),
      outcomeOf(
        'autopost-latency/two-processes',
        'taken by one process, sent by another',
        await within(postgres.url, sink, true),
      ),
    ];
  } finally {
    sink.close();
    await postgres.close();
  }
}

async function within(serverUrl: string, sink: Sink, isApart: boolean): Promise<number[]> {
  const url = await createDatabase(serverUrl, isApart ? 'apart' : 'together');
  const env = { DATABASE_URL: url, API_ROOT: sink.apiRoot, SECRET };
  const entrance = fork('test/bench/autopost-entrance.ts', {
    execArgv: ['--import', 'tsx'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env, ...(isApart ? {} : { DISPATCHES: '1' }) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [port] = (await once(entrance, 'message')) as [number];
  const dispatcher = isApart
    ? await startContestant('test/bench/autopost-ours.ts', { ...env, CONTESTANT: 'ours', CHANNELS: '1' })
    : null;
  await dispatcher?.ask({ order: 'start' });
  try {
    const times: number[] = [];
    for (let n = 0; n < WARM_UP + POSTS; n += 1) {
      // Uneven, so that no timer of ours keeps step with it.
      await delay(30 + ((n * 7) % 40));
      times.push(await wayOf(n, port, sink));
    }
    return times.slice(WARM_UP);
  } finally {
    dispatcher?.child.disconnect();
    entrance.disconnect();
  }
}

async function wayOf(n: number, port: number, sink: Sink): Promise<number> {
  const { first } = await sink.expect(1);
  const began = process.hrtime.bigint();
  const answer = await fetch(`http://127.0.0.1:${port}/api/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: `<b>Post ${n}</b> about windows`, parse_mode: 'HTML' }),
  });
  const said = await answer.text();
  if (answer.status !== 202) throw new Error(`the entrance answered ${answer.status}: ${said}`);
  return Number((await first) - began) / 1e6;
}

function outcomeOf(name: string, how: string, times: readonly number[]): Outcome {
  const sorted = [...times].sort((a, b) => a - b);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1]!;
  return {
    case: name,
    ours: Number(median(times).toFixed(1)),
    peer: null,
    ratio: null,
    unit: 'ms at the median',
    notes:
      `from POST /api/ingest to the sink, ${how}, on a real PostgreSQL; ${times.length} posts one by one, ` +
      `p99 ${p99.toFixed(1)} ms, most ${sorted.at(-1)!.toFixed(1)} ms; target under ${TARGET_MS} ms at the median`,
  };
}
