import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../crash/free-port.ts';
import { median, type Outcome } from './outcome.ts';

const RUNS = 3;
const PERSON = 1001;
const TARGET_SECONDS = 6;
const PATIENCE_MS = 30_000;

/** From the command to the first answer in the chat, with no keys and no servers: as somebody tries the product. */
export async function sandboxStart(): Promise<Outcome[]> {
  const fresh: number[] = [];
  const again: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const dataDir = await mkdtemp(join(tmpdir(), 'seo-master-bench-'));
    fresh.push(await secondsToFirstAnswer(dataDir));
    again.push(await secondsToFirstAnswer(dataDir));
    await rm(dataDir, { recursive: true });
  }
  return [
    outcome('sandbox-start', fresh, 'fresh DATA_DIR'),
    outcome('sandbox-start-again', again, 'DATA_DIR of the run before'),
  ];
}

function outcome(name: string, seconds: number[], how: string): Outcome {
  const shown = seconds.map((value) => value.toFixed(2)).join(', ');
  return {
    case: name,
    ours: Number(median(seconds).toFixed(2)),
    peer: null,
    ratio: null,
    unit: 's',
    notes: `${how}, from the command to the answer to /start in the chat, runs ${shown}; target below ${TARGET_SECONDS} s`,
  };
}

async function secondsToFirstAnswer(dataDir: string): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir },
  });
  const exited = once(child, 'exit');
  try {
    const chat = `http://127.0.0.1:${port}/sandbox/api/people/${PERSON}`;
    const before = await until(() => botMessages(chat));
    await fetch(`${chat}/start`, { method: 'POST' });
    await until(async () => ((await botMessages(chat)) ?? 0) > before || null);
    return (performance.now() - began) / 1000;
  } finally {
    child.kill('SIGTERM');
    await Promise.race([exited, delay(5_000)]);
    child.kill('SIGKILL');
  }
}

async function botMessages(chat: string): Promise<number | null> {
  const response = await fetch(`${chat}/messages`).catch(() => null);
  if (!response?.ok) return null;
  const { messages } = (await response.json()) as { messages: { from?: { is_bot: boolean } }[] };
  return messages.filter(({ from }) => from?.is_bot).length;
}

async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(20)) {
    const answer = await ask();
    if (answer !== null) return answer;
  }
  throw new Error('the sandbox did not answer in time');
}
