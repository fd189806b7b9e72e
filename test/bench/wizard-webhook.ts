import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../crash/free-port.ts';
import { startOwnPostgres, startOwnRedis } from '../crash/throwaway-servers.ts';
import { openLine, pressed, said } from './load.ts';
import { median, type Outcome, spread } from './outcome.ts';
import { createDatabase } from './own-database.ts';
import { cpuSeconds } from './processor-time.ts';

const TOKEN = '1000000001:A-TOKEN-THAT-OPENS-NOTHING-AT-ALL';
const SECRET = 'webhook-secret-of-the-bench';
const PEOPLE = 100;
const FIRST_ID = 9_001;
const WIZARDS_EACH = 6;
const UPDATES_PER_WIZARD = 5;
const UPDATES = PEOPLE * WIZARDS_EACH * UPDATES_PER_WIZARD;
const WARM_UP_ROUNDS = 4;
const ROUNDS = 15;

/** As `npm start` runs it; the plain bot runs as plain bots do. */
const entries = {
  ours: ['--max-semi-space-size=32', '--import', 'tsx', 'src/main.ts'],
  peer: ['--import', 'tsx', 'test/bench/plain-bot.ts'],
};
const asStarted = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '98304' };

type Contestant = { port: number; child: ChildProcess; rounds: Round[] };
type Round = { perSecond: number; cpuMicros: number };
type Line = Awaited<ReturnType<typeof openLine>>;

/** The project wizard over the webhook, a hundred people at once, beside the same wizard as a plain grammY bot. */
export async function wizardWebhook(): Promise<Outcome> {
  const closing: (() => unknown)[] = [];
  try {
    const [postgres, redis] = await Promise.all([startOwnPostgres(), startOwnRedis({ durable: false })]);
    closing.push(postgres.close, redis.close);
    const sink = fork('test/bench/bot-api-sink.ts', { execArgv: ['--import', 'tsx'] });
    closing.push(() => sink.disconnect());
    const [sinkPort] = (await once(sink, 'message')) as [number];
    const logs = mkdtempSync(join(tmpdir(), 'seo-master-bench-'));
    closing.push(() => rmSync(logs, { recursive: true }));
    const databases = {
      ours: await createDatabase(postgres.url, 'ours'),
      peer: await createDatabase(postgres.url, 'peer'),
    };

    const start = async (name: 'ours' | 'peer'): Promise<Contestant> => {
      const port = await freePort();
      const logFile = join(logs, `${port}.log`);
      const log = openSync(logFile, 'w');
      const profile = process.env.BENCH_PROFILE === name ? ['--cpu-prof', '--cpu-prof-dir=/tmp'] : [];
      const child = spawn(process.execPath, [...profile, ...entries[name]], {
        stdio: ['ignore', log, log],
        env: {
          PATH: process.env.PATH,
          PORT: String(port),
          PUBLIC_URL: `http://127.0.0.1:${port}`,
          TELEGRAM_BOT_TOKEN: TOKEN,
          TELEGRAM_API_ROOT: `http://127.0.0.1:${sinkPort}`,
          TELEGRAM_WEBHOOK_SECRET: SECRET,
          DATABASE_URL: databases[name],
          REDIS_URL: `${redis.url}/${name === 'ours' ? 1 : 2}`,
          THROTTLE_PER_MINUTE: '1000000',
          LOG_LEVEL: 'info',
          NODE_ENV: 'production',
          ...(name === 'ours' && asStarted),
        },
      });
      closing.push(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGTERM');
        await Promise.race([once(child, 'exit'), delay(5_000)]);
        child.kill('SIGKILL');
      });
      await healthy(port, () => readFileSync(logFile, 'utf8'));
      return { port, child, rounds: [] };
    };
    const [ours, peer] = [await start('ours'), await start('peer')];
    for (const contestant of [ours, peer]) {
      await inParallel(contestant, (line, id) => line.post(said(id, '/start')));
      for (let n = 0; n < WARM_UP_ROUNDS; n += 1) await round(contestant);
    }
    for (let n = 0; n < ROUNDS; n += 1) {
      // The order alternates from round to round.
      for (const contestant of n % 2 === 0 ? [ours, peer] : [peer, ours]) {
        contestant.rounds.push(await round(contestant));
      }
    }
    return outcomeOf(ours, peer);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

function outcomeOf(ours: Contestant, peer: Contestant): Outcome {
  const speeds = ({ rounds }: Contestant) => rounds.map(({ perSecond }) => perSecond);
  // Round by round: the machine's speed changes by the minute, and both have the same minute.
  const ratios = ours.rounds.map(({ perSecond }, n) => perSecond / peer.rounds[n]!.perSecond);
  const cpu = ({ rounds }: Contestant) => Math.round(median(rounds.map(({ cpuMicros }) => cpuMicros)));
  return {
    case: 'wizard-webhook',
    ours: Math.round(median(speeds(ours))),
    peer: Math.round(median(speeds(peer))),
    ratio: median(ratios),
    unit: 'updates per second',
    notes:
      `${PEOPLE} people at once, ${ROUNDS} rounds of ${UPDATES} updates each behind ${WARM_UP_ROUNDS} that warm up, ` +
      `alternating, medians, the ratio that of each pair of rounds; spread ours ${spread(speeds(ours))}, peer ${spread(speeds(peer))}; processor time per ` +
      `update ours ${cpu(ours)} µs, peer ${cpu(peer)} µs; LOG_LEVEL=info into a file; Redis and PostgreSQL on ` +
      'loopback without fsync; the peer has no lock, order, dedupe, compare-and-set, recovery nor log',
  };
}

async function round(contestant: Contestant): Promise<Round> {
  const cpuBefore = cpuSeconds(contestant.child.pid);
  const seconds = await inParallel(contestant, walk);
  const cpuMicros = ((cpuSeconds(contestant.child.pid) - cpuBefore) / UPDATES) * 1e6;
  return { perSecond: UPDATES / seconds, cpuMicros };
}

/** Everybody at once, each on a line of their own. The lines are opened before the clock starts. */
async function inParallel(
  { port }: Contestant,
  act: (line: Line, id: number) => Promise<void>,
): Promise<number> {
  const lines = await Promise.all(Array.from({ length: PEOPLE }, () => openLine(port, SECRET)));
  const began = performance.now();
  await Promise.all(lines.map((line, n) => act(line, FIRST_ID + n)));
  const seconds = (performance.now() - began) / 1000;
  for (const line of lines) line.close();
  return seconds;
}

async function walk(line: Line, id: number): Promise<void> {
  // The last question is answered in words: what a button carries is told to its chat alone.
  for (let n = 0; n < WIZARDS_EACH; n += 1) {
    await line.post(pressed(id, 'project:create'));
    await line.post(said(id, `Цветы на Ленина ${n}`));
    await line.post(said(id, 'ООО «Ромашка»'));
    await line.post(said(id, 'Доставка букетов и оформление свадеб'));
    await line.post(said(id, 'https://romashka.ru'));
  }
}

async function healthy(port: number, log: () => string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await delay(50)) {
    const response = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok) return;
  }
  throw new Error(`a bot did not start:\n${log()}`);
}
