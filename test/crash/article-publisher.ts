/** A process that publishes many drafts at once and stops each at its own place; a test kills it there. */
import type { PublishArticleInput } from '../../machines/fragments/article-ports.ts';
import { openDatabase } from '../../src/store/database.ts';
import { publishingDesk } from './publishing-desk.ts';
import { stopAt } from './stop-at.ts';

/** `asked`: before the stage is run; `done`: its work is done and not kept; `kept`: its result is stored. */
export type Place = { stage: string; when: 'asked' | 'done' | 'kept' };
export type PublisherOrder = { databaseUrl: string; articles: (PublishArticleInput & { place: Place })[] };

process.once('message', async ({ databaseUrl, articles }: PublisherOrder) => {
  const database = await openDatabase({ url: databaseUrl, dataDir: '', max: 10 });
  const { publish } = publishingDesk(database.sql, stopAt(articles));
  for (const { place: _, ...article } of articles)
    publish(article, new AbortController().signal).catch((error) => process.send?.(`failed: ${error}`));
});
