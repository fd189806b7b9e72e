/** The thread in which one answer of a source is read: it comes along, its entries go back. */
import { parentPort, workerData } from 'node:worker_threads';
import { readDocument, type SourceDocument } from '../autopost/pull/read-document.ts';

parentPort?.postMessage(readDocument(workerData as SourceDocument));
