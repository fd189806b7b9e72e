import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { ReadDocument, ReadElsewhere, SourceDocument } from '../autopost/pull/read-document.ts';

type Limits = {
  /** Five megabytes of 60,000 entries take 3 s, the start of the thread included. */
  mostMs?: number;
  memoryLimitMb?: number;
  threads?: number;
};

/**
 * Reads what sources answer in threads: a feed of five megabytes is seconds of computing, in which the bot could
 * not answer, and one that was made to eat time or memory ends with its thread.
 */
export function makeReadFeedInThread({
  mostMs = 20_000,
  memoryLimitMb = 512,
  threads = 1,
}: Limits = {}): ReadElsewhere {
  const gate = new PQueue({ concurrency: threads });
  return (document, signal) => gate.add(() => readInThread(document, signal), { signal });

  async function readInThread(document: SourceDocument, signal: AbortSignal): Promise<ReadDocument> {
    const worker = new Worker(new URL('./feed-worker.ts', import.meta.url), {
      workerData: document,
      execArgv: ['--import', new URL('./typescript-in-thread.js', import.meta.url).href],
      resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
    });
    // It may still fail after we stopped waiting; an unheard error would end the process.
    worker.on('error', () => undefined);
    try {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(mostMs)]);
      const [answer] = await once(worker, 'message', { signal: patience });
      return answer as ReadDocument;
    } catch (error) {
      signal.throwIfAborted();
      return {
        unreadable: `it could not be read within ${mostMs} ms and ${memoryLimitMb} MB: ${String(error)}`,
      };
    } finally {
      await worker.terminate();
    }
  }
}
