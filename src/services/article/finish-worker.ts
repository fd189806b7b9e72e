/** The thread in which a content desk works: an article comes, what became of it goes back. */
import { parentPort } from 'node:worker_threads';
import { type FinishedArticle, finishArticle, type WrittenArticle } from './finish-article.ts';

export type WorkerAnswer = { finished: FinishedArticle } | { error: unknown };

parentPort?.on('message', (article: WrittenArticle) => {
  parentPort?.postMessage(answerTo(article));
});

function answerTo(article: WrittenArticle): WorkerAnswer {
  try {
    return { finished: finishArticle(article) };
  } catch (error) {
    return { error };
  }
}
