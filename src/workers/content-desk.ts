import type { TelegraphNode } from '../clients/telegraph.ts';
import { ContentRefused } from '../errors.ts';
import type { Log } from '../log.ts';
import type { FinishedArticle, WrittenArticle } from '../services/article/finish-article.ts';
import type { Job } from './finish-worker.ts';
import { createThreadDesk } from './thread-desk.ts';

export type FinishInBackground = (
  article: WrittenArticle,
  options?: { signal?: AbortSignal },
) => Promise<FinishedArticle>;
export type ContentDesk = {
  finish: FinishInBackground;
  /** An article's HTML as the nodes of a preview page. */
  layOut(html: string, options?: { signal?: AbortSignal }): Promise<TelegraphNode[]>;
  close(): Promise<void>;
};

type Options = {
  log: Log;
  /** Articles at a time. One finishes ten in a second, and holds up to 200 MB. */
  workers?: number;
  /** Hundreds of times what an article takes: past it the text is no article. */
  jobLimitMs?: number;
  memoryLimitMb?: number;
  /** How long an idle thread is kept: it holds 150 MB. */
  idleMs?: number;
  /** The thread's program. */
  program?: URL;
};

/** Finishes articles in threads of their own. */
export function createContentDesk({
  jobLimitMs = 20_000,
  memoryLimitMb = 256,
  idleMs = 30_000,
  program = new URL('./finish-worker.ts', import.meta.url),
  ...options
}: Options): ContentDesk {
  const { work, close } = createThreadDesk<Job>({
    ...options,
    ...{ jobLimitMs, memoryLimitMb, idleMs, program },
    refused: (why, cause) => new ContentRefused(why, cause === undefined ? undefined : { cause }),
  });
  return {
    finish: (article, asked) => work<FinishedArticle>({ finish: article }, asked),
    layOut: (html, asked) => work<TelegraphNode[]>({ layOut: html }, asked),
    close,
  };
}
