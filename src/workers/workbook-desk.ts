import type { Log } from '../log.ts';
import type { ReadWorkbook, WorkbookAnswer } from '../services/category/prices-file/read-workbook.ts';
import { createThreadDesk } from './thread-desk.ts';
import type { Job } from './workbook-worker.ts';

export type WorkbookDesk = {
  read: ReadWorkbook;
  /** A price list as an .xlsx file. */
  write(lines: readonly string[]): Promise<Uint8Array>;
  /** A file is on its way: starting a thread takes as long as fetching it. */
  warm(): void;
  close(): Promise<void>;
};

type Options = {
  log: Log;
  /** Ten times what a list of a thousand goods takes. */
  jobLimitMs?: number;
  memoryLimitMb?: number;
  /** Two threads: a person waits a second rather than all of them a minute. */
  workers?: number;
  idleMs?: number;
};

class WorkbookThreadFailed extends Error {
  override readonly name = 'WorkbookThreadFailed';
}

/** Reads and writes workbooks in threads: a malicious one that eats time or memory ends only its thread. */
export function createWorkbookDesk({
  log,
  jobLimitMs = 15_000,
  memoryLimitMb = 256,
  workers = 2,
  idleMs = 60_000,
}: Options): WorkbookDesk {
  const { work, warm, close } = createThreadDesk<Job>({
    ...{ log, jobLimitMs, memoryLimitMb, workers, idleMs },
    program: new URL('./workbook-worker.ts', import.meta.url),
    refused: (why, cause) => new WorkbookThreadFailed(why, { cause }),
  });
  return { read, write: (lines) => work<Uint8Array>({ write: lines }), warm, close };

  async function read(file: Uint8Array): Promise<WorkbookAnswer> {
    try {
      return await work<WorkbookAnswer>({ read: file });
    } catch (error) {
      const { message, cause } = error as Error;
      return { refused: 'unreadable', why: `the thread gave up: ${message} ${cause ?? ''}` };
    }
  }
}
