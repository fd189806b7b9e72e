import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { Log } from '../log.ts';

type Options = {
  log: Log;
  /** The thread's program: it says 'ready', then answers each job with what became of it. */
  program: URL;
  /** Jobs at a time, each in a thread of its own. */
  workers?: number;
  /** Past it the thread is ended. Starting a thread does not count. */
  jobLimitMs: number;
  memoryLimitMb: number;
  /** How long a thread is kept without work. */
  idleMs: number;
  /** The error of a job that had no answer. */
  refused: (why: string, cause?: unknown) => Error;
};

export type ThreadAnswer<Done> = { done: Done } | { error: unknown };

/**
 * Computes in threads: what takes a tenth of a second would otherwise keep everybody waiting for so long. A thread that
 * runs too long, out of memory or dies takes one job with it; the next gets a new one.
 */
export function createThreadDesk<Job>({
  log,
  program,
  workers = 1,
  jobLimitMs,
  memoryLimitMb,
  idleMs,
  refused,
}: Options) {
  const queue = new PQueue({ concurrency: workers });
  const idle = new Map<Worker, NodeJS.Timeout>();
  const ready = new WeakSet<Worker>();
  const running = new Set<AbortController>();
  let closed = false;
  return { work, warm, close };

  function work<Done>(job: Job, { signal }: { signal?: AbortSignal } = {}): Promise<Done> {
    return queue.add(() => doOne(job, signal) as Promise<Done>, signal && { signal });
  }

  /** Starts a thread for a job that is about to come. */
  function warm(): void {
    if (closed || idle.size > 0 || running.size > 0) return;
    rest(started());
  }

  /** Rejects what is running or waiting, so that no caller waits in vain. */
  async function close(): Promise<void> {
    closed = true;
    for (const stop of running) stop.abort(refused('the desk was closed'));
    await queue.onIdle();
    await Promise.all([...idle.keys()].map(dismiss));
  }

  async function doOne(job: Job, asked?: AbortSignal): Promise<unknown> {
    if (closed) throw refused('the desk was closed');
    const worker = idleOne() ?? started();
    const stop = new AbortController();
    const leave = () => stop.abort(asked?.reason);
    const died = (code: number) => stop.abort(refused(`its thread ended with code ${code}`));
    asked?.addEventListener('abort', leave, { once: true });
    worker.once('exit', died);
    worker.ref();
    running.add(stop);
    try {
      const answer = await answerOf(worker, job, stop);
      rest(worker);
      if ('error' in answer) throw refused('what came could not be read', answer.error);
      return answer.done;
    } catch (error) {
      // A thread that fails also ends, at the same moment: what it failed with says more.
      const reason: unknown =
        error instanceof Error && error.name === 'AbortError' ? stop.signal.reason : error;
      if (!idle.has(worker)) await worker.terminate();
      if (asked?.aborted || isOurs(reason)) throw reason;
      throw refused('its thread failed', reason);
    } finally {
      asked?.removeEventListener('abort', leave);
      worker.off('exit', died);
      running.delete(stop);
    }
  }

  function isOurs(reason: unknown): boolean {
    return reason instanceof Error && reason.constructor === refused('').constructor;
  }

  async function answerOf(worker: Worker, job: Job, stop: AbortController): Promise<ThreadAnswer<unknown>> {
    const { signal } = stop;
    if (!ready.has(worker)) await once(worker, 'message', { signal });
    ready.add(worker);
    const limit = setTimeout(() => stop.abort(refused(`took over ${jobLimitMs} ms`)), jobLimitMs);
    try {
      worker.postMessage(job);
      const [answer] = (await once(worker, 'message', { signal })) as [ThreadAnswer<unknown>];
      return answer;
    } finally {
      clearTimeout(limit);
    }
  }

  function rest(worker: Worker): void {
    worker.unref();
    idle.set(worker, setTimeout(() => void dismiss(worker), idleMs).unref());
  }

  function idleOne(): Worker | undefined {
    const [worker] = idle.keys();
    if (worker) forget(worker);
    return worker;
  }

  function forget(worker: Worker): void {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
  }

  function dismiss(worker: Worker): Promise<number> {
    forget(worker);
    return worker.terminate();
  }

  function started(): Worker {
    const worker = new Worker(program, {
      execArgv: ['--import', new URL('./typescript-in-thread.js', import.meta.url).href],
      resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
    });
    worker.on('error', (err) => log.warn({ err }, 'a thread failed'));
    // Ready before the first job comes: later the message would go unheard.
    worker.once('message', () => ready.add(worker));
    worker.once('exit', () => forget(worker));
    return worker;
  }
}
