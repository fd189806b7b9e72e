import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { writeAnswer } from '../../src/sandbox/openrouter/author/write-answer.ts';
import type { Author } from '../../src/sandbox/openrouter/router.ts';
import { tinyPng } from '../sandbox/tiny-png.ts';
import { patience } from '../support/patience.ts';
import { unbalanced } from '../support/rows.ts';
import { accountsOf } from './article-accounts.ts';
import { sitePath } from './article-authors.ts';
import { type ArticleGround, startArticleGround } from './article-ground.ts';
import { type ArticleWalker, createArticleWalker, type Ending } from './article-walker.ts';
import { leftovers, nothingLeft } from './leftovers.ts';
import { withEverything, withNothing } from './pipeline-ways.ts';
import { type Random, seeded } from './seeded.ts';
import { arrange, lost, unseen } from './site-moments.ts';

const SEED = Number(process.env.CRASH_SEED ?? 20_261_118);
const PEOPLE = Number(process.env.PIPELINE_STORM_PEOPLE ?? 12);
const FIRST_ID = 62_001;
/** Every third has nothing yet; the sites of every fifth lose an answer, of every tenth without letting anybody look. */
const NEWCOMERS = 3;
const ANSWERS_LOST = 5;
const ANSWERS_UNSEEN = 10;
const KILL_EVERY_MS = [3_000, 6_000] as const;
/** Kills end at last: otherwise a person who hangs looks like one who was hit again and again. */
const MOST_KILLS = Math.ceil(PEOPLE / 4);
const LAST_COMES_MS = PEOPLE * 150;
const REDIS_DATABASE = 13;
const MODEL_THINKS_MS = 300;
const PATIENCE_MS = patience(120_000 + PEOPLE * 2_000);
const GRACE_MS = patience(60_000);

describe.skipIf(!inject('redisUrl') || !inject('postgresUrl'))(
  `${PEOPLE} people walk the article pipeline on two processes, one of which is killed every few seconds (needs PostgreSQL and redis-server)`,
  () => {
    const ids = Array.from({ length: PEOPLE }, (_, index) => FIRST_ID + index);
    const newcomers = every(NEWCOMERS);
    const endings = new Map<number, Ending>();
    let kills = 0;
    let ground: ArticleGround;

    beforeAll(async () => {
      ground = await startArticleGround({
        ids,
        newcomers,
        processes: 2,
        redisDatabase: REDIS_DATABASE,
        author,
      });
      const withUnseen = new Set(every(ANSWERS_UNSEEN));
      for (const id of every(ANSWERS_LOST)) arrange(ground.wordpress, id, withUnseen.has(id) ? unseen : lost);
    }, patience(60_000));

    afterAll(() => ground?.close());

    it('everybody gets their article', { timeout: PATIENCE_MS + patience(90_000) }, async () => {
      const random = seeded(SEED);
      const walkers = ids.map((id) => walkerOf(id, random));
      const began = Date.now();
      const killing = killRepeatedly(seeded(SEED + 1));
      const outcomes = await Promise.allSettled(walkers.map((walker) => comeAndWalk(walker, random)));
      const seconds = Math.round((Date.now() - began) / 1000);
      await killing;
      for (const walker of walkers) walker.stop();
      console.log(
        `seed ${SEED}: ${PEOPLE} people, ${kills} kills, ${count('published')} published, ${count('unknown')} unknown, everybody through after ${seconds} s`,
      );
      const failures = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [String(outcome.reason)] : [],
      );
      expect(failures, `with seed ${SEED}`).toEqual([]);
      expect(count('refunded')).toBe(0);
    });

    it('each is charged once', async () => {
      const article = ['image_generation', 'text_generation'];
      for (const { userId, charges, spent, told, publications } of await accountsOf(ground.sql, ids)) {
        const expected = newcomers.includes(userId)
          ? ['image_generation', 'keyword_generation', 'text_generation']
          : article;
        expect(charges, `${userId} with seed ${SEED}`).toEqual(expected);
        if (publications === 1 && !newcomers.includes(userId)) expect(spent, `${userId}`).toBe(told);
      }
      expect(await unbalanced(ground.sql)).toEqual([]);
    });

    it('as many articles arrived as succeeded or are unknown', async () => {
      const accounts = await accountsOf(ground.sql, ids);
      expect(accounts.map(({ publications, doubts }) => publications + doubts)).toEqual(ids.map(() => 1));
      expect(ids.map((id) => ground.postsOf(id))).toEqual(ids.map(() => 1));
    });

    it('nobody is left in the middle of something', { timeout: GRACE_MS + 5_000 }, async () => {
      await expect
        .poll(() => leftovers(ground.redis), { timeout: GRACE_MS, interval: 250 })
        .toEqual(nothingLeft);
      expect(ground.telegram.pendingUpdates()).toEqual([]);
      expect(ground.errors()).toEqual([]);
    });

    function every(nth: number): number[] {
      return ids.filter((_, index) => index % nth === nth - 1);
    }

    function count(how: Ending): number {
      return [...endings.values()].filter((ending) => ending === how).length;
    }

    function walkerOf(id: number, random: Random): ArticleWalker {
      const site = ground.wordpress.addressOf(sitePath(id));
      return createArticleWalker(ground.telegram, id, {
        random: seeded(SEED + id),
        habits: {
          isNervous: random.chance(0.3),
          leavesWhile: random.chance(0.3) ? random.of(['writing', 'publishing'] as const) : null,
          looksAtSite: random.chance(0.5),
        },
        isOnSite: () => ground.postsOf(id) > 0,
        way: newcomers.includes(id) ? withNothing(id, site) : withEverything(),
      });
    }

    async function comeAndWalk(walker: ArticleWalker, random: Random): Promise<void> {
      await delay(random.between(0, LAST_COMES_MS));
      endings.set(walker.id, await walker.walk(PATIENCE_MS));
    }

    /** Any of those that stand; the other one serves meanwhile, if it stands. */
    async function killRepeatedly(random: Random): Promise<void> {
      const { bots } = ground;
      while (kills < MOST_KILLS && endings.size < PEOPLE) {
        await Promise.any(bots.map(({ started }) => started)); // throws when none can be started
        await delay(random.between(...KILL_EVERY_MS));
        const ready = bots.filter((bot) => bot.isReady());
        if (ready.length === 0) continue;
        await ground.kill(random.of(ready));
        kills += 1;
      }
      await Promise.all(bots.map(({ started }) => started));
    }
  },
);

const author: Author = {
  async writeAnswer(request) {
    await delay(MODEL_THINKS_MS);
    return writeAnswer(request);
  },
  async drawPicture() {
    await delay(MODEL_THINKS_MS);
    return tinyPng(16, 9);
  },
};
