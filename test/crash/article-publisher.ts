/** A process that publishes many drafts at once and stops each at its own place; a test kills it there. */
import type { PublishArticleInput } from '../../machines/fragments/article-work.ts';
import { openDatabase } from '../../src/store/database.ts';
import { publishingDesk } from './publishing-desk.ts';

/** `asked`: before the stage is run; `done`: its work is done and not kept; `kept`: its result is stored. */
export type Place = { stage: string; when: 'asked' | 'done' | 'kept' };
export type PublisherOrder = { databaseUrl: string; articles: (PublishArticleInput & { place: Place })[] };

const forEver = () => new Promise<never>(() => undefined);

process.once('message', async ({ databaseUrl, articles }: PublisherOrder) => {
  const database = await openDatabase({ url: databaseUrl, dataDir: '', max: 10 });
  const places = new Map(articles.map(({ key, place }) => [key, place]));
  const { publish } = publishingDesk(database.sql, (key, stage) => async (name, run) => {
    const place = places.get(key)!;
    if (place.stage !== name) return stage(name, run);
    const stop = () => {
      process.send?.(key);
      return forEver();
    };
    if (place.when === 'asked') return stop();
    const result = await stage(name, async () => {
      const made = await run();
      return place.when === 'done' ? stop() : made;
    });
    return place.when === 'kept' ? stop() : result;
  });
  for (const { place: _, ...article } of articles)
    publish(article, new AbortController().signal).catch((error) => process.send?.(`failed: ${error}`));
});
