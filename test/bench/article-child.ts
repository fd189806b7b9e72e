/** Works on articles in a process loaded as the content threads are, and tells what it took. */
import { setImmediate as yielded } from 'node:timers/promises';
import { finishArticle, type WrittenArticle } from '../../src/services/article/finish-article.ts';
import { renderArticle } from '../../src/services/content/render-article.ts';
import { sanitizeAndRead } from '../../src/services/content/sanitize-html.ts';
import { readPage } from '../../src/services/quality/read-html.ts';
import { russian } from '../../src/services/quality/russian-text.ts';
import { scoreArticle } from '../../src/services/quality/score-article.ts';
import { writtenArticle } from '../support/written-article.ts';

export type ChildOrder = { work: keyof typeof works; articles: number; warmUp: number; words: number };
export type ChildAnswer = { times: number[]; before: NodeJS.MemoryUsage; after: NodeJS.MemoryUsage };

const works = {
  content(article: WrittenArticle) {
    const { html, seen } = sanitizeAndRead(renderArticle(article).html, readPage);
    return scoreArticle({ ...article, html }, russian, seen);
  },
  everything: (article: WrittenArticle) => finishArticle(article),
};

process.once('message', async ({ work, articles, warmUp, words }: ChildOrder) => {
  await timesOf(0, warmUp);
  const before = memory();
  const times = await timesOf(warmUp, articles);
  process.send?.({ times, before, after: memory() } satisfies ChildAnswer);
  process.disconnect();

  async function timesOf(firstSeed: number, count: number): Promise<number[]> {
    const times: number[] = [];
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const article = writtenArticle(seed, words);
      const began = performance.now();
      works[work](article);
      times.push(performance.now() - began);
      // Each article comes to its thread as a message of its own.
      await yielded();
    }
    return times;
  }
});

function memory(): NodeJS.MemoryUsage {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  return process.memoryUsage();
}
