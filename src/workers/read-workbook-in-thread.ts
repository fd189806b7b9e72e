import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { ReadWorkbook, WorkbookAnswer } from '../services/category/prices-file/read-workbook.ts';

type Limits = {
  /** Ten times what a list of a thousand goods takes, the start of the thread included. */
  mostMs?: number;
  memoryLimitMb?: number;
  /** Threads at a time; a person waits a second rather than all of them a minute. */
  threads?: number;
};

/** Reads workbooks in threads: one that was made to eat time or memory takes nobody with it. */
export function makeReadWorkbookInThread({
  mostMs = 15_000,
  memoryLimitMb = 256,
  threads = 2,
}: Limits = {}): ReadWorkbook {
  const gate = new PQueue({ concurrency: threads });
  return (file) => gate.add(() => readInThread(file));

  async function readInThread(file: Uint8Array): Promise<WorkbookAnswer> {
    const worker = new Worker(new URL('./workbook-worker.ts', import.meta.url), {
      workerData: file,
      execArgv: ['--import', new URL('./typescript-in-thread.js', import.meta.url).href],
      resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
    });
    // Between the end of our patience and its own it may still fail; with nobody listening, that would end us all.
    worker.on('error', () => undefined);
    try {
      const [answer] = await once(worker, 'message', { signal: AbortSignal.timeout(mostMs) });
      return answer as WorkbookAnswer;
    } catch (error) {
      return { refused: 'unreadable', why: `the thread gave up: ${String(error)}` };
    } finally {
      await worker.terminate();
    }
  }
}
