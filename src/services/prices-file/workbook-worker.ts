/** The thread in which one workbook is read: the file comes with it, the answer goes back. */
import { parentPort, workerData } from 'node:worker_threads';
import { stepBack } from '../step-back.ts';
import { readWorkbook } from './read-workbook.ts';

stepBack();
parentPort?.postMessage(await readWorkbook(workerData as Uint8Array));
