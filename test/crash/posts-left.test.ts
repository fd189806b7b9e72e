import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { postPlatforms } from '../../src/platforms/platforms.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { patience } from '../support/patience.ts';
import { unbalanced } from '../support/rows.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import type { Place } from './article-publisher.ts';
import { postDesk } from './post-desk.ts';
import type { PostOrder } from './post-publisher.ts';
import { LONG_TEXT, type PostWorld, startPostWorld, type WaitingPost } from './post-world.ts';

const whens = ['asked', 'done', 'kept'] as const;
const stages = ['call:0', 'sent', 'noted'];
/** Of a post that takes two messages, photo and text. */
const ofTwo = ['answer:0', 'call:1', 'answer:1'];

type Killed = WaitingPost & { place: Place };

/**
 * Posts whose publishing was stopped at every place by one SIGKILL, on every platform of posts. No session knows of
 * them: what follows is the work of the sweep alone. (WordPress: publish-left.test.ts.)
 */
describe.skipIf(!inject('postgresUrl'))(
  'posts whose process was killed and whose sessions are lost (needs PostgreSQL)',
  { timeout: patience(90_000) },
  () => {
    const killed: Killed[] = [];
    let database: Database;
    let world: PostWorld;
    let publisher: ChildProcess;

    beforeAll(async () => {
      publisher = fork('test/crash/post-publisher.ts', { execArgv: ['--import', 'tsx/esm'] });
      const databaseUrl = await freshPostgresUrl();
      database = await openDatabase({ url: databaseUrl, dataDir: '', max: 10 });
      world = await startPostWorld();
      for (const platform of postPlatforms)
        for (const stage of stages)
          for (const when of whens)
            killed.push({ ...(await world.aPost(database.sql, platform)), place: { stage, when } });
      for (const stage of ofTwo)
        for (const when of whens)
          killed.push({
            ...(await world.aPost(database.sql, 'telegram', { text: LONG_TEXT })),
            place: { stage, when },
          });
      const messages = on(publisher, 'message');
      const posts = killed.map(({ order, place }) => ({ ...order, place }));
      publisher.send({ databaseUrl, addresses: world.addresses, posts } satisfies PostOrder);
      const stopped: unknown[] = [];
      for await (const [key] of messages) {
        stopped.push(key);
        if (stopped.length === posts.length) break;
      }
      expect(stopped.toSorted()).toEqual(posts.map(({ key }) => key).toSorted());
      publisher.kill('SIGKILL');
      await once(publisher, 'exit');
    }, 90_000);

    afterAll(async () => {
      publisher.kill('SIGKILL');
      await world?.close();
      await database?.close();
    });

    it('are claims, and no sweep touches them before their leases have ended', async () => {
      const desk = postDesk(database.sql, world.addresses);
      expect(await desk.finish(new AbortController().signal)).toEqual([]);
    });

    it('are all ended by two sweeps at once, and each person is told', async () => {
      await database.sql`update operations set lease_until = clock_timestamp()`;
      await database.sql`update article_previews set claim_until = now()`;
      const desks = [postDesk(database.sql, world.addresses), postDesk(database.sql, world.addresses)];
      const news = (
        await Promise.all(desks.map(({ finish }) => finish(new AbortController().signal)))
      ).flat();
      expect(news).toHaveLength(killed.length);
      expect(new Set(news.map(({ kind }) => kind))).toEqual(new Set(['published', 'unknown']));
    });

    it('are on the platform once at most, and nowhere without a word', async () => {
      const logs = await database.sql<{ key: string; status: string }[]>`
        select operation_key as key, status from publication_logs`;
      const ends = killed.map((post) => ({
        ...post,
        status: logs.find(({ key }) => key === post.key)?.status,
      }));
      for (const { platform, place, status, arrivals } of ends) {
        const where = `${platform}, ${place.stage} ${place.when}`;
        const messages = ofTwo.includes(place.stage) ? 2 : 1;
        if (status === 'success') expect(arrivals(), where).toBe(messages);
        // Whether a call left in the moment of death is unknown: it is never repeated, and the person decides.
        else
          expect({ where, status, isTwice: arrivals() > messages }).toMatchObject({
            status: 'unknown',
            isTwice: false,
          });
      }
      const doubtful = ends.filter(({ status }) => status === 'unknown');
      expect(new Set(doubtful.map(({ platform }) => platform)), 'VK knows our keys').not.toContain('vk');
      expect(
        doubtful.map(({ platform, place }) => `${platform} ${place.stage} ${place.when}`).sort(),
      ).toEqual(
        [
          ...['telegram', 'pinterest', 'max'].flatMap((platform) => [
            `${platform} call:0 kept`,
            // The messengers keep every answer of theirs before the publication's.
            ...(platform === 'pinterest' ? [`${platform} sent done`] : []),
          ]),
          ...['telegram answer:0 asked', 'telegram answer:0 done', 'telegram call:1 kept'],
          ...['telegram answer:1 asked', 'telegram answer:1 done'],
        ].sort(),
      );
    });

    it('have cost what they cost, and leave the books in order', async () => {
      const [sums] = await database.sql<[{ charged: number }]>`
        select sum(-amount)::integer as charged from token_expenses where operation_type = 'text_generation'`;
      expect(sums.charged).toBe(killed.length * 40);
      expect(await unbalanced(database.sql)).toEqual([]);
    });
  },
);
