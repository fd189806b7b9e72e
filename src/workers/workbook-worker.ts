/** The thread in which workbooks are read and written: says that it is ready, then answers each job. */
import { parentPort } from 'node:worker_threads';
import { readWorkbook, type WorkbookAnswer } from '../services/category/prices-file/read-workbook.ts';
import { writeWorkbook } from '../services/category/prices-file/write-workbook.ts';
import type { ThreadAnswer } from './thread-desk.ts';

export type Job = { read: Uint8Array } | { write: readonly string[] };

parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await answerTo(job)));
parentPort?.postMessage('ready');

async function answerTo(job: Job): Promise<ThreadAnswer<WorkbookAnswer | Uint8Array>> {
  try {
    return { done: 'read' in job ? await readWorkbook(job.read) : await writeWorkbook(job.write) };
  } catch (error) {
    return { error };
  }
}
