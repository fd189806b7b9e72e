import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { patience } from '../support/patience.ts';

export const TOKEN = '1000000001:A-TOKEN-THAT-OPENS-NOTHING-AT-ALL';
export const SECRET = 'webhook-secret-of-the-test';

const START_PATIENCE_MS = patience(90_000);

export type LogLine = { level: number; msg: string; err?: { message?: string } };
export type BotProcess = Awaited<ReturnType<typeof startBot>>;
export type BotSettings = {
  port: number;
  apiRoot: string;
  /** Where Telegram brings the updates; the process itself unless something stands in between. */
  publicUrl?: string;
  databaseUrl: string;
  redisUrl: string;
  /** Settings beyond those, by their names in the environment. */
  more?: Readonly<Record<string, string>>;
};

/** The bot as it runs in production: a process of its own, which a test may stop, freeze or kill. */
export async function startBot({ port, apiRoot, publicUrl, databaseUrl, redisUrl, more }: BotSettings) {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      PUBLIC_URL: publicUrl ?? url,
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_API_ROOT: apiRoot,
      TELEGRAM_WEBHOOK_SECRET: SECRET,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 'K').toString('base64url'), // visibly no secret
      THROTTLE_PER_MINUTE: '100000',
      LOG_LEVEL: 'warn',
      ...more,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }) as Exit);
  const born = Date.now();
  let startMs: number | null = null;
  const started = untilHealthy().then(() => {
    startMs = Date.now() - born;
  });
  started.catch(() => undefined); // one that is killed while it starts is not a failure

  return {
    url,
    port,
    pid: child.pid!,
    started,
    exited,
    isReady: () => startMs !== null && isAlive(child),
    /** How long it took until it served; null: it does not yet. */
    startMs: () => startMs,
    signal: (name: NodeJS.Signals) => child.kill(name),
    health,
    log,
    output: () => output,
    kill,
  };

  async function kill(): Promise<void> {
    child.kill('SIGKILL');
    await exited;
  }

  async function health(): Promise<number | null> {
    const response = await fetch(`${url}/api/health`).catch(() => null);
    await response?.arrayBuffer();
    return response?.status ?? null;
  }

  async function untilHealthy(): Promise<void> {
    const deadline = Date.now() + START_PATIENCE_MS;
    while (Date.now() < deadline && isAlive(child)) {
      if ((await health()) === 200) return;
      await delay(50);
    }
    throw new Error(`the bot did not start:\n${output}`);
  }

  function log(): LogLine[] {
    return output.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as LogLine];
      } catch {
        return []; // empty, or torn by a kill
      }
    });
  }
}

type Exit = { code: number | null; signal: NodeJS.Signals | null };

const isAlive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;
