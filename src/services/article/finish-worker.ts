/** The thread in which a content desk works: says that it is ready, then answers each article with what became of it. */
import { parentPort } from 'node:worker_threads';
import { type FinishedArticle, finishArticle, type WrittenArticle } from './finish-article.ts';

export type WorkerAnswer = { finished: FinishedArticle } | { error: unknown };

parentPort?.on('message', (article: WrittenArticle) => {
  parentPort?.postMessage(answerTo(article));
});
parentPort?.postMessage('ready');

function answerTo(article: WrittenArticle): WorkerAnswer {
  try {
    return { finished: finishArticle(article) };
  } catch (error) {
    return { error };
  }
}
