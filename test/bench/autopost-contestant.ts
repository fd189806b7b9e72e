import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** A queue of deliveries that works in a process of its own, at the word of the bench. */
export type Contestant = {
  /** So many deliveries wait now, and no worker has begun. */
  fill(deliveries: number): Promise<void>;
  start(): Promise<void>;
  /** Nothing waits, nothing is being sent, and that it was sent is on record. */
  isEmpty(): Promise<boolean>;
  stop(): Promise<void>;
};

type Order = { order: 'fill'; deliveries: number } | { order: 'start' | 'settle' | 'stop' };

const LOOK_EVERY_MS = 5;

/** In the child: does what it is told, and says so. */
export function serveContestant(contestant: Contestant): void {
  process.on('message', async (message: Order) => {
    if (message.order === 'fill') await contestant.fill(message.deliveries);
    else if (message.order === 'settle') while (!(await contestant.isEmpty())) await delay(LOOK_EVERY_MS);
    else await contestant[message.order]();
    process.send?.(message.order);
  });
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}

/** In the bench. Its log goes nowhere, its errors to the terminal. */
export async function startContestant(
  entry: string,
  env: Record<string, string>,
): Promise<{ child: ChildProcess; ask(order: Order): Promise<void> }> {
  const profile = process.env.BENCH_PROFILE === env.CONTESTANT;
  const gone = new AbortController();
  const child = fork(entry, {
    execArgv: [...(profile ? ['--cpu-prof', '--cpu-prof-dir=/tmp'] : []), '--import', 'tsx'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.once('exit', (code) => gone.abort(new Error(`${env.CONTESTANT} ended with ${code}`)));
  const answered = () => once(child, 'message', { signal: gone.signal });
  await answered();
  return {
    child,
    async ask(order) {
      const answer = answered();
      child.send(order);
      await answer;
    },
  };
}
