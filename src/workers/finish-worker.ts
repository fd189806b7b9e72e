/** The thread in which a content desk works: says that it is ready, then answers each job with what became of it. */
import { parentPort } from 'node:worker_threads';
import type { TelegraphNode } from '../clients/telegraph.ts';
import {
  type FinishedArticle,
  finishArticle,
  type WrittenArticle,
} from '../services/article/finish-article.ts';
import { toTelegraph } from '../services/content/to-telegraph.ts';
import type { ThreadAnswer } from './thread-desk.ts';

export type Job = { finish: WrittenArticle } | { layOut: string };

parentPort?.on('message', (job: Job) => {
  parentPort?.postMessage(answerTo(job));
});
parentPort?.postMessage('ready');

function answerTo(job: Job): ThreadAnswer<FinishedArticle | TelegraphNode[]> {
  try {
    return { done: 'finish' in job ? finishArticle(job.finish) : toTelegraph(job.layOut) };
  } catch (error) {
    return { error };
  }
}
