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
const ROUNDS = 5;

type Contestant = { port: number; child: ChildProcess };
type Line = Awaited<ReturnType<typeof openLine>>;
type Round = { perSecond: number; cpuMicros: number };

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

    const start = async (name: string, entry: string, database: number): Promise<Contestant> => {
      const port = await freePort();
      const url = await createDatabase(postgres.url, name);
      const log = openSync(join(logs, `${name}.log`), 'w');
      const profile = process.env.BENCH_PROFILE === name ? ['--cpu-prof', '--cpu-prof-dir=/tmp'] : [];
      const child = spawn(process.execPath, [...profile, '--import', 'tsx', entry], {
        stdio: ['ignore', log, log],
        env: {
          PATH: process.env.PATH,
          PORT: String(port),
          PUBLIC_URL: `http://127.0.0.1:${port}`,
          TELEGRAM_BOT_TOKEN: TOKEN,
          TELEGRAM_API_ROOT: `http://127.0.0.1:${sinkPort}`,
          TELEGRAM_WEBHOOK_SECRET: SECRET,
          DATABASE_URL: url,
          REDIS_URL: `${redis.url}/${database}`,
          THROTTLE_PER_MINUTE: '1000000',
          LOG_LEVEL: 'info',
          NODE_ENV: 'production',
        },
      });
      closing.push(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGTERM');
        await Promise.race([once(child, 'exit'), delay(5_000)]);
        child.kill('SIGKILL');
      });
      await healthy(port, () => readFileSync(join(logs, `${name}.log`), 'utf8'));
      return { port, child };
    };
    const ours = await start('ours', 'src/main.ts', 1);
    const peer = await start('peer', 'test/bench/plain-bot.ts', 2);
    for (const contestant of [ours, peer]) {
      await inParallel(contestant, (line, id) => line.post(said(id, '/start')));
      await round(contestant); // warms up
    }
    const rounds: { ours: Round[]; peer: Round[] } = { ours: [], peer: [] };
    for (let n = 0; n < ROUNDS; n += 1) {
      // Whoever goes first in one round goes second in the next.
      for (const name of n % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const)) {
        rounds[name].push(await round(name === 'ours' ? ours : peer));
      }
    }
    return outcomeOf(rounds);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

function outcomeOf({ ours, peer }: { ours: Round[]; peer: Round[] }): Outcome {
  const speed = (rounds: Round[]) => rounds.map(({ perSecond }) => perSecond);
  const cpu = (rounds: Round[]) => Math.round(median(rounds.map(({ cpuMicros }) => cpuMicros)));
  return {
    case: 'wizard-webhook',
    ours: Math.round(median(speed(ours))),
    peer: Math.round(median(speed(peer))),
    ratio: median(speed(ours)) / median(speed(peer)),
    unit: 'updates per second',
    notes:
      `${PEOPLE} people at once, ${ROUNDS} rounds of ${PEOPLE * WIZARDS_EACH * UPDATES_PER_WIZARD} updates each, ` +
      `alternating, medians; spread ours ${spread(speed(ours))}, peer ${spread(speed(peer))}; CPU of the bot per ` +
      `update ours ${cpu(ours)} µs, peer ${cpu(peer)} µs; LOG_LEVEL=info into a file; Redis and PostgreSQL on ` +
      'loopback without fsync; the peer has no lock, order, dedupe, compare-and-set, recovery nor log',
  };
}

async function round(contestant: Contestant): Promise<Round> {
  const cpuBefore = cpuSeconds(contestant.child.pid);
  const seconds = await inParallel(contestant, walk);
  const updates = PEOPLE * WIZARDS_EACH * UPDATES_PER_WIZARD;
  return {
    perSecond: updates / seconds,
    cpuMicros: ((cpuSeconds(contestant.child.pid) - cpuBefore) / updates) * 1e6,
  };
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
  for (let n = 0; n < WIZARDS_EACH; n += 1) {
    await line.post(pressed(id, 'project:create'));
    await line.post(said(id, `Цветы на Ленина ${n}`));
    await line.post(said(id, 'ООО «Ромашка»'));
    await line.post(said(id, 'Доставка букетов и оформление свадеб'));
    await line.post(n % 2 === 0 ? pressed(id, 'pc:skip') : said(id, 'https://romashka.ru'));
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
