import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { patience } from '../support/patience.ts';
import { unbalanced } from '../support/rows.ts';
import { accountsOf } from './article-accounts.ts';
import { sitePath } from './article-authors.ts';
import { anArticle, throughCategory } from './article-goal.ts';
import { type ArticleGround, startArticleGround } from './article-ground.ts';
import { createGates } from './gates.ts';
import { createModelJournal } from './model-journal.ts';
import { seeded } from './seeded.ts';
import { arrange, type Moment, postsOf, unseen } from './site-moments.ts';
import { createTextWalker } from './text-walker.ts';

const REDIS_DATABASE = 9;
const FIRST_ID = 61_001;
const PATIENCE_MS = patience(120_000);
const patient = { timeout: patience(60_000), interval: 10 };

/** Time for the test to lay hands on the operation while its post is being made. */
const LONG_ENOUGH_TO_HOLD = { kind: 'slow', ms: 3_000 } as const;

const moments = {
  'before the site has begun': { posting: { kind: 'hang' } },
  'when the post is there and its answer on the way': { posting: { kind: 'hang-after' } },
  'when the answer has come and is not yet kept': { posting: LONG_ENOUGH_TO_HOLD },
  'while looking for a post whose answer was lost': {
    posting: { kind: 'reset-after' },
    looking: { fault: { kind: 'hang' } },
  },
  'when a draft is there and its answer on the way': { posting: { kind: 'hang-after' } },
} satisfies Record<string, Moment>;

describe.skipIf(!inject('redisUrl') || !inject('postgresUrl'))(
  'a process killed around the one request that must not be made twice (needs PostgreSQL and redis-server)',
  () => {
    const names = Object.keys(moments) as (keyof typeof moments)[];
    const idOf = (name: keyof typeof moments) => FIRST_ID + names.indexOf(name);
    const draftId = idOf('when a draft is there and its answer on the way');
    /** Without kills. */
    const unseenId = FIRST_ID + names.length;
    const ids = [...names.map(idOf), unseenId];
    const gates = createGates();
    let ground: ArticleGround;
    let saidUnknown = false;

    beforeAll(async () => {
      const { author } = createModelJournal(0);
      ground = await startArticleGround({ ids, processes: 1, redisDatabase: REDIS_DATABASE, author });
      for (const name of names) arrange(ground.wordpress, idOf(name), moments[name]);
      arrange(ground.wordpress, unseenId, unseen);
    });

    afterAll(async () => {
      gates.openAll();
      await ground?.close();
    });

    it('is followed by one that finishes every article', { timeout: PATIENCE_MS + 30_000 }, async () => {
      const walks = ids.map((id) => {
        const savesDraft = id === draftId;
        const habits = { isNervous: savesDraft, leavesWhile: null };
        const isOnSite = () => ground.postsOf(id) > 0;
        const goal = anArticle({ way: throughCategory(id), isOnSite, looksAtSite: false, savesDraft });
        return createTextWalker(ground.telegram, id, { random: seeded(id), habits, goal }).walk(PATIENCE_MS);
      });
      ground.telegram.subscribe((change) => {
        if (change.type !== 'message' || change.chat_id !== unseenId) return;
        const seen = ground.telegram.people.messages(unseenId);
        saidUnknown ||= seen.some(({ text }) => text?.includes('могла опубликоваться'));
      });

      const keeping = await heldWhilePosting(idOf('when the answer has come and is not yet kept'));
      await expect.poll(unusedFaults, patient).toEqual([]);
      await expect.poll(resultsWaiting, patient).toHaveLength(1);
      await walks.at(-1);
      const [bot] = ground.bots;
      await ground.kill(bot!);
      // What the dead waited for is not to be done in their name as soon as the row is free.
      for (const { pid } of await waiting()) await ground.sql`select pg_terminate_backend(${pid}, 5_000)`;
      gates.openAll();
      await keeping.transaction;
      await timePasses();
      expect(await Promise.all(walks)).toEqual(ids.map(() => 'published'));
    });

    it.each(names)('%s: one post, one publication, one charge', async (name) => {
      const [account] = await accountsOf(ground.sql, [idOf(name)]);
      expect(ground.postsOf(idOf(name))).toBe(1);
      expect(account).toMatchObject({
        publications: 1,
        charges: ['image_generation', 'text_generation'],
        spent: account!.told,
      });
      const [post] = ground.wordpress.site(sitePath(idOf(name))).posts.values();
      expect(post?.status).toBe(idOf(name) === draftId ? 'draft' : 'publish');
    });

    it('somebody who is told that it may be there, and presses again, has one post too', async () => {
      expect(saidUnknown).toBe(true);
      expect(ground.postsOf(unseenId)).toBe(1);
      expect(await accountsOf(ground.sql, [unseenId])).toMatchObject([{ publications: 1 }]);
    });

    it('the books are in order, and no process met an error it did not expect', async () => {
      expect(await unbalanced(ground.sql)).toEqual([]);
      expect(ground.errors()).toEqual([]);
    });

    function unusedFaults(): string[] {
      return ground.wordpress.faults.list().map(({ match }) => match);
    }

    /** Takes the operation's row as soon as the site has the request; resolves behind the transaction that holds it. */
    async function heldWhilePosting(id: number): Promise<{ transaction: Promise<unknown> }> {
      await expect.poll(unusedFaults, patient).not.toContain(`POST ${postsOf(id)}`);
      gates.shut('released');
      const transaction = ground.sql.begin(async (tx) => {
        await tx`select 1 from operations where user_id = ${id} and key like '%:publish:%' for update`;
        await gates.passed('released');
      });
      return { transaction };
    }

    /** A renewal of the lease may wait in front of it, when the process is slow. */
    async function resultsWaiting(): Promise<number[]> {
      return (await waiting()).filter(({ query }) => query.includes('set stages')).map(({ pid }) => pid);
    }

    async function waiting() {
      return ground.sql<{ pid: number; query: string }[]>`
        select pid, query from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
    }

    /** As much as the leases of the dead still ran. */
    async function timePasses(): Promise<void> {
      await ground.sql`update operations set lease_until = clock_timestamp() where status = 'running'`;
    }
  },
);
