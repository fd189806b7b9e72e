/** A process that publishes many posts at once and stops each at its own place; a test kills it there. */
import type { PublishPostInput } from '../../machines/fragments/post-ports.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { Place } from './article-publisher.ts';
import { type Addresses, postDesk } from './post-desk.ts';
import { stopAt } from './stop-at.ts';

export type PostOrder = {
  databaseUrl: string;
  addresses: Addresses;
  posts: (PublishPostInput & { place: Place })[];
};

process.once('message', async ({ databaseUrl, addresses, posts }: PostOrder) => {
  const database = await openDatabase({ url: databaseUrl, dataDir: '', max: 10 });
  const { publish } = postDesk(database.sql, addresses, stopAt(posts));
  for (const { place: _, ...post } of posts)
    publish(post, new AbortController().signal).catch((error) => process.send?.(`failed: ${error}`));
});
