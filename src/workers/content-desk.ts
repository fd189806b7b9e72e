import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { TelegraphNode } from '../clients/telegraph.ts';
import { ContentRefused } from '../errors.ts';
import type { Log } from '../log.ts';
import type { FinishedArticle, WrittenArticle } from '../services/article/finish-article.ts';
import type { Job, WorkerAnswer } from './finish-worker.ts';

export type FinishInBackground = (
  article: WrittenArticle,
  options?: { signal?: AbortSignal },
) => Promise<FinishedArticle>;
export type ContentDesk = {
  finish: FinishInBackground;
  /** An article's HTML as the nodes of a preview page. */
  layOut(html: string, options?: { signal?: AbortSignal }): Promise<TelegraphNode[]>;
  close(): Promise<void>;
};

type Options = {
  log: Log;
  /** Articles at a time. One finishes ten in a second, and holds up to 200 MB. */
  workers?: number;
  /** Hundreds of times what an article takes: past it the text is no article. Starting a thread does not count. */
  jobLimitMs?: number;
  memoryLimitMb?: number;
  /** How long a thread is kept without work: it is 150 MB for nobody. */
  idleMs?: number;
  /** The thread's program. */
  program?: URL;
};

/**
 * Finishes articles in threads of their own: a text takes a tenth of a second of computing, in which the bot would
 * answer nobody. A thread that runs too long, out of memory or dies takes one article with it; the next gets a new one.
 */
export function createContentDesk({
  log,
  workers = 1,
  jobLimitMs = 20_000,
  memoryLimitMb = 256,
  idleMs = 30_000,
  program = new URL('./finish-worker.ts', import.meta.url),
}: Options): ContentDesk {
  const queue = new PQueue({ concurrency: workers });
  const idle = new Map<Worker, NodeJS.Timeout>();
  const ready = new WeakSet<Worker>();
  const running = new Set<AbortController>();
  let closed = false;
  return {
    finish: (article, options) => work<FinishedArticle>({ finish: article }, options),
    layOut: (html, options) => work<TelegraphNode[]>({ layOut: html }, options),
    close,
  };

  function work<Done>(job: Job, { signal }: { signal?: AbortSignal } = {}): Promise<Done> {
    return queue.add(() => doOne(job, signal) as Promise<Done>, signal && { signal });
  }

  /** What is running or waiting is refused, so that nobody waits for it in vain. */
  async function close() {
    closed = true;
    for (const stop of running) stop.abort(new ContentRefused('the content desk was closed'));
    await queue.onIdle();
    await Promise.all([...idle.keys()].map(dismiss));
  }

  async function doOne(job: Job, asked?: AbortSignal): Promise<FinishedArticle | TelegraphNode[]> {
    if (closed) throw new ContentRefused('the content desk was closed');
    const worker = idleOne() ?? started();
    const stop = new AbortController();
    const leave = () => stop.abort(asked?.reason);
    const died = (code: number) => stop.abort(new ContentRefused(`its thread ended with code ${code}`));
    asked?.addEventListener('abort', leave, { once: true });
    worker.once('exit', died);
    worker.ref();
    running.add(stop);
    try {
      const answer = await answerOf(worker, job, stop);
      worker.unref();
      idle.set(worker, setTimeout(() => void dismiss(worker), idleMs).unref());
      if ('error' in answer) throw new ContentRefused('the text could not be read', { cause: answer.error });
      return answer.done;
    } catch (error) {
      // A thread that fails also ends, at the same moment: what it failed with says more.
      const reason: unknown =
        error instanceof Error && error.name === 'AbortError' ? stop.signal.reason : error;
      if (!idle.has(worker)) await worker.terminate();
      if (reason instanceof ContentRefused || asked?.aborted) throw reason;
      throw new ContentRefused('its thread failed', { cause: reason });
    } finally {
      asked?.removeEventListener('abort', leave);
      worker.off('exit', died);
      running.delete(stop);
    }
  }

  async function answerOf(worker: Worker, job: Job, stop: AbortController) {
    const { signal } = stop;
    if (!ready.has(worker)) await once(worker, 'message', { signal });
    ready.add(worker);
    const limit = setTimeout(() => stop.abort(new ContentRefused(`took over ${jobLimitMs} ms`)), jobLimitMs);
    try {
      worker.postMessage(job);
      const [answer] = (await once(worker, 'message', { signal })) as [WorkerAnswer];
      return answer;
    } finally {
      clearTimeout(limit);
    }
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
    worker.on('error', (err) => log.warn({ err }, 'a content thread failed'));
    worker.once('exit', () => forget(worker));
    return worker;
  }
}
