/** The thread in which one workbook is read: the file comes with it, the answer goes back. */
import { parentPort, workerData } from 'node:worker_threads';
import { readWorkbook } from '../services/category/prices-file/read-workbook.ts';

parentPort?.postMessage(await readWorkbook(workerData as Uint8Array));
