import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startWordPressStandIn, type WordPressStandIn } from '../../src/sandbox/wordpress/start.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { patience } from '../support/patience.ts';
import { unbalanced } from '../support/rows.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import { aWaitingDraft } from '../support/waiting-draft.ts';
import { accountsOf } from './article-accounts.ts';
import { addAuthor, sitePath, sitesOf } from './article-authors.ts';
import type { Place, PublisherOrder } from './article-publisher.ts';
import { publishingDesk } from './publishing-desk.ts';
import { postsOf } from './site-moments.ts';

const FIRST_ID = 71_001;
const TOKENS = 230;
const IMAGE = 'https://pictures.example/1.webp';

const stages = ['site', 'media:1', 'terms', 'attempt', 'post', 'noted'];
const places: Place[] = stages.flatMap((stage) =>
  (['asked', 'done', 'kept'] as const).map((when) => ({ stage, when })),
);
/** Here the site has the post, and the bot does not know it. */
const madeUnseen = (place: Place) => place.stage === 'post' && place.when === 'done';
const idOf = (index: number) => FIRST_ID + index;
/** People whose site has closed when the sweep comes, by what it says then. */
const refusing = { id: FIRST_ID + 100, place: { stage: 'attempt', when: 'asked' } } as const;
const silent = { id: FIRST_ID + 101, place: { stage: 'post', when: 'done' } } as const;

/** Wants a draft on the site, which is there already and was not seen. */
const drafting = { id: FIRST_ID + 102, place: { stage: 'post', when: 'done' } } as const;

/**
 * Publications that were stopped at every place by one SIGKILL. No session knows of them: what follows is the work of
 * the sweep alone.
 */
describe.skipIf(!inject('postgresUrl'))(
  'publications whose process was killed and whose sessions are lost (needs PostgreSQL)',
  { timeout: patience(60_000) },
  () => {
    const everybody = [...places.map((_, i) => idOf(i)), refusing.id, silent.id, drafting.id];
    let database: Database;
    let wordpress: WordPressStandIn;
    let publisher: ChildProcess;

    beforeAll(async () => {
      publisher = fork('test/crash/article-publisher.ts', { execArgv: ['--import', 'tsx/esm'] });
      const databaseUrl = await freshPostgresUrl();
      database = await openDatabase({ url: databaseUrl, dataDir: '', max: 10 });
      wordpress = await startWordPressStandIn({ sites: sitesOf(everybody) });
      const articles: PublisherOrder['articles'] = [];
      for (const [i, place] of places.entries()) articles.push(await anArticle(idOf(i), place));
      for (const { id, place } of [refusing, silent]) articles.push(await anArticle(id, place));
      articles.push({ ...(await anArticle(drafting.id, drafting.place)), asDraft: true });
      const messages = on(publisher, 'message');
      publisher.send({ databaseUrl, articles } satisfies PublisherOrder);
      const stopped: unknown[] = [];
      for await (const [key] of messages) {
        stopped.push(key);
        if (stopped.length === articles.length) break;
      }
      expect(stopped.toSorted()).toEqual(articles.map(({ key }) => key).toSorted());
      publisher.kill('SIGKILL');
      await once(publisher, 'exit');
    }, 90_000);

    afterAll(async () => {
      publisher.kill('SIGKILL');
      await wordpress?.close();
      await database?.close();
    });

    it('are claims, and no sweep touches them before their leases have ended', async () => {
      expect(await statuses()).toEqual({ publishing: everybody.length });
      expect(await publishingDesk(database.sql).finish(new AbortController().signal)).toEqual([]);
    });

    it('are all ended by two sweeps at once', async () => {
      await database.sql`update operations set lease_until = clock_timestamp()`;
      await database.sql`update article_previews set claim_until = now()`;
      wordpress.faults.add({
        match: `POST ${postsOf(refusing.id)}`,
        times: null,
        fault: { kind: 'status', status: 403 },
      });
      wordpress.faults.add({
        match: `GET ${postsOf(silent.id)}`,
        times: null,
        fault: { kind: 'status', status: 503 },
      });
      const desks = [publishingDesk(database.sql), publishingDesk(database.sql)];
      const news = (
        await Promise.all(desks.map(({ finish }) => finish(new AbortController().signal)))
      ).flat();
      expect(news).toHaveLength(everybody.length);
      expect(await statuses()).toEqual({ published: places.length + 1, draft: 1, unknown: 1 });
    });

    it.each(places.map((place, i) => ({ ...place, id: idOf(i) })))(
      'stopped when "$stage" was $when: one post, one publication, one charge',
      async ({ id }) => {
        expect(wordpress.site(sitePath(id)).posts.values()).toHaveLength(1);
        expect(await accountsOf(database.sql, [id])).toMatchObject([
          { publications: 1, charges: ['text_generation'], spent: TOKENS, told: TOKENS },
        ]);
      },
    );

    it('of which one was to be a draft: it was found on the site, and is noted as one', async () => {
      expect(wordpress.site(sitePath(drafting.id)).posts.values()).toMatchObject([{ status: 'draft' }]);
      const logged = await database.sql`select status from publication_logs where user_id = ${drafting.id}`;
      expect([...logged]).toEqual([{ status: 'draft' }]);
    });

    it('of which one post was on the site unseen: it was found there', () => {
      const unseen = places.findIndex(madeUnseen);
      expect(wordpress.site(sitePath(idOf(unseen))).posts.values()).toHaveLength(1);
    });

    it('come back in full where the site refused', async () => {
      expect(wordpress.site(sitePath(refusing.id)).posts.values()).toEqual([]);
      await database.sql`update article_previews set expires_at = now() where user_id = ${refusing.id}`;
      await publishingDesk(database.sql).drafts.expire();
      expect(await accountsOf(database.sql, [refusing.id])).toMatchObject([{ publications: 0, spent: 0 }]);
    });

    it('stay paid and unknown where the site cannot be asked', async () => {
      expect(await accountsOf(database.sql, [silent.id])).toMatchObject([{ spent: TOKENS }]);
      const logs = await database.sql`select status from publication_logs where user_id = ${silent.id}`;
      expect([...logs]).toEqual([{ status: 'unknown' }]);
    });

    it('leave the books in order', async () => {
      expect(await unbalanced(database.sql)).toEqual([]);
    });

    async function anArticle(userId: number, place: Place) {
      const author = await addAuthor(database.sql, userId, wordpress.addressOf(sitePath(userId)), 1);
      const draftId = await aWaitingDraft(database.sql, { ...author, id: userId }, { tokens: TOKENS });
      const image = {
        url: IMAGE,
        storage_path: '1.webp',
        width: 16,
        height: 9,
        alt: 'кухня',
        filename: 'kuhnya',
      };
      await database.sql`
        update article_previews
        set images = ${JSON.stringify([{ ...image, caption: '' }])}::text::jsonb,
          content_html = content_html || ${`<figure><img src="${IMAGE}" alt="кухня"></figure>`}
        where id = ${draftId}`;
      const site = wordpress.addressOf(sitePath(userId)).replace(/^https?:\/\//u, '');
      return { key: `draft:${draftId}:publish:0:${site}`, userId, draftId, site, place };
    }

    async function statuses(): Promise<Record<string, number>> {
      const rows = await database.sql<{ status: string; count: number }[]>`
        select status, count(*)::integer as count from article_previews group by status`;
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    }
  },
);
