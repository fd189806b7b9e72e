import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../crash/free-port.ts';
import { startOwnPostgres, startOwnRedis } from '../crash/throwaway-servers.ts';
import { openLine, pressed, said, type Update } from './load.ts';
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
const ROUNDS = 5;

/** As `npm start` runs it; the plain bot runs as plain bots do. */
const entries = {
  ours: ['--max-semi-space-size=32', '--import', 'tsx', 'src/main.ts'],
  peer: ['--import', 'tsx', 'test/bench/plain-bot.ts'],
};

type Bot = { port: number; child: ChildProcess };
/** Processes behind one webhook: whoever posts an update may meet any of them. */
type Contestant = { name: 'ours' | 'pair' | 'peer'; bots: Bot[]; rounds: Round[] };
type Round = { perSecond: number; cpuMicros: number };
type Post = (update: Update) => Promise<void>;

/**
 * The project wizard over the webhook, a hundred people at once, beside the same wizard as a plain grammY bot; then
 * once more by two processes, as compose.yaml starts them. A plain bot has no lock and cannot be doubled.
 */
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

    const start = async (name: 'ours' | 'peer'): Promise<Bot> => {
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
        },
      });
      closing.push(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGTERM');
        await Promise.race([once(child, 'exit'), delay(5_000)]);
        child.kill('SIGKILL');
      });
      await healthy(port, () => readFileSync(logFile, 'utf8'));
      return { port, child };
    };
    const [first, second, plain] = [await start('ours'), await start('ours'), await start('peer')];
    const contestants: Contestant[] = [
      { name: 'ours', bots: [first], rounds: [] },
      { name: 'pair', bots: [first, second], rounds: [] },
      { name: 'peer', bots: [plain], rounds: [] },
    ];
    for (const contestant of contestants) {
      await inParallel(contestant, (post, id) => post(said(id, '/start')));
      await round(contestant); // warms up
    }
    for (let n = 0; n < ROUNDS; n += 1) {
      // Whoever goes first in one round goes last in the next.
      for (const contestant of n % 2 === 0 ? contestants : contestants.toReversed()) {
        contestant.rounds.push(await round(contestant));
      }
    }
    return outcomeOf(contestants as [Contestant, Contestant, Contestant]);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

function outcomeOf([ours, pair, peer]: [Contestant, Contestant, Contestant]): Outcome {
  const speeds = ({ rounds }: Contestant) => rounds.map(({ perSecond }) => perSecond);
  const speed = (contestant: Contestant) => median(speeds(contestant));
  const cpu = ({ rounds }: Contestant) => Math.round(median(rounds.map(({ cpuMicros }) => cpuMicros)));
  return {
    case: 'wizard-webhook',
    ours: Math.round(speed(ours)),
    peer: Math.round(speed(peer)),
    ratio: speed(ours) / speed(peer),
    unit: 'updates per second',
    notes:
      `${PEOPLE} people at once, ${ROUNDS} rounds of ${UPDATES} updates each, alternating, medians; one process each, ` +
      `and two of ours, every update to the other one: ${Math.round(speed(pair))}, ` +
      `${(speed(pair) / speed(peer)).toFixed(3)} of the peer; spread ours ${spread(speeds(ours))}, ` +
      `two ${spread(speeds(pair))}, peer ${spread(speeds(peer))}; processor time per update ours ${cpu(ours)} µs, ` +
      `two ${cpu(pair)} µs, peer ${cpu(peer)} µs; LOG_LEVEL=info into a file; Redis and PostgreSQL on loopback ` +
      'without fsync; the peer has no lock, order, dedupe, compare-and-set, recovery nor log',
  };
}

async function round(contestant: Contestant): Promise<Round> {
  const used = () => contestant.bots.reduce((sum, { child }) => sum + cpuSeconds(child.pid), 0);
  const before = used();
  const seconds = await inParallel(contestant, walk);
  return { perSecond: UPDATES / seconds, cpuMicros: ((used() - before) / UPDATES) * 1e6 };
}

/** Everybody at once, each on lines of their own. The lines are opened before the clock starts. */
async function inParallel(
  { bots }: Contestant,
  act: (post: Post, id: number) => Promise<void>,
): Promise<number> {
  const everybody = await Promise.all(
    Array.from({ length: PEOPLE }, () => Promise.all(bots.map(({ port }) => openLine(port, SECRET)))),
  );
  const began = performance.now();
  await Promise.all(
    everybody.map((lines, n) => {
      let turn = n;
      return act((update) => lines[turn++ % lines.length]!.post(update), FIRST_ID + n);
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const line of everybody.flat()) line.close();
  return seconds;
}

async function walk(post: Post, id: number): Promise<void> {
  for (let n = 0; n < WIZARDS_EACH; n += 1) {
    await post(pressed(id, 'project:create'));
    await post(said(id, `Цветы на Ленина ${n}`));
    await post(said(id, 'ООО «Ромашка»'));
    await post(said(id, 'Доставка букетов и оформление свадеб'));
    await post(n % 2 === 0 ? pressed(id, 'pc:skip') : said(id, 'https://romashka.ru'));
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
