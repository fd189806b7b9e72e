import { openDatabase } from '../../src/store/database.ts';
import type { startContestant } from './autopost-contestant.ts';
import type { startSink } from './autopost-sink.ts';
import { cpuSeconds, familyCpuSeconds, parentOf } from './processor-time.ts';

/** A contestant, and the server that keeps its queue. */
export type Runner = Awaited<ReturnType<typeof startContestant>> & { serverPid: number };
type Sink = Awaited<ReturnType<typeof startSink>>;

/** CPU is per delivery: of the contestant, and of the server. */
export type Round = { perSecond: number; cpuMicros: number; serverMicros: number };

/** From the first message at the sink until the last one is on record. */
export async function round(
  { child, serverPid, ask }: Runner,
  sink: Sink,
  deliveries: number,
): Promise<Round> {
  await ask({ order: 'fill', deliveries });
  const { first, last } = await sink.expect(deliveries);
  await ask({ order: 'start' });
  await first;
  const began = performance.now();
  const cpu = cpuSeconds(child.pid);
  const server = familyCpuSeconds(serverPid);
  await last;
  await ask({ order: 'settle' });
  const seconds = (performance.now() - began) / 1000;
  const micros = (spent: number) => (spent / deliveries) * 1e6;
  const result = {
    perSecond: deliveries / seconds,
    cpuMicros: micros(cpuSeconds(child.pid) - cpu),
    serverMicros: micros(familyCpuSeconds(serverPid) - server),
  };
  await ask({ order: 'stop' });
  const arrived = await sink.count();
  if (arrived !== deliveries) throw new Error(`${arrived} messages came instead of ${deliveries}`);
  return result;
}

/** Every connection is a child of the server itself. */
export async function postmasterOf(url: string): Promise<number> {
  const { sql, close } = await openDatabase({ url, dataDir: '', max: 1 });
  const [row] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const pid = parentOf(row.pid);
  await close();
  return pid;
}
