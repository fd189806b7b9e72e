import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { patience } from '../support/patience.ts';
import { unbalanced } from '../support/rows.ts';
import { accountsOf } from './article-accounts.ts';
import { projectOf } from './article-authors.ts';
import { anArticle, throughCategory } from './article-goal.ts';
import { type ArticleGround, startArticleGround } from './article-ground.ts';
import { leftovers, nothingLeft } from './leftovers.ts';
import { createModelJournal } from './model-journal.ts';
import { type Random, seeded } from './seeded.ts';
import { arrange, lost, type Moment, unseen } from './site-moments.ts';
import { createTextWalker, type Ending, type Habits, type TextWalker } from './text-walker.ts';
import { watchOperations } from './watch-operations.ts';

const SEED = Number(process.env.CRASH_SEED ?? 20_260_730);
const PEOPLE = Number(process.env.ARTICLE_STORM_PEOPLE ?? 16);
const FIRST_ID = 60_001;
/** No model writes for every twelfth. */
const NO_TEXT_FOR_EVERY = 12;
/** Of the others, so many have a site that takes the post and drops the answer; so many of these sites also refuse a look. */
const ANSWERS_LOST = Math.round(PEOPLE * 0.3);
const UNSEEN = Math.round(PEOPLE * 0.2);
const KILLS = Number(process.env.ARTICLE_STORM_KILLS ?? 3);
const LAST_COMES_MS = PEOPLE * 240;
const REDIS_DATABASE = 10;
const MODEL_THINKS_MS = 400;
// A lease of 30 s is waited for behind every death; more than four of them come to no one person.
const PATIENCE_MS = patience(180_000);
const GRACE_MS = patience(60_000);

describe.skipIf(!inject('redisUrl') || !inject('postgresUrl'))(
  `${PEOPLE} people write and publish articles while processes are killed (needs PostgreSQL and redis-server)`,
  () => {
    const ids = Array.from({ length: PEOPLE }, (_, index) => FIRST_ID + index);
    const journal = createModelJournal(MODEL_THINKS_MS);
    /** With how many operations under way. */
    const kills: number[] = [];
    const endings = new Map<number, Ending>();
    const fates = siteFates(seeded(SEED + 2));
    const inDoubt = new Set<number>();
    let ground: ArticleGround;
    let operations: Awaited<ReturnType<typeof watchOperations>>;

    beforeAll(async () => {
      ground = await startArticleGround({
        ids,
        processes: 2,
        redisDatabase: REDIS_DATABASE,
        author: journal.author,
      });
      operations = await watchOperations(ground.sql);
      for (const id of every(NO_TEXT_FOR_EVERY))
        ground.models.moods.add({ kind: 'fails', task: 'article', prompt: projectOf(id), times: null });
      for (const [id, moment] of fates) arrange(ground.wordpress, id, moment);
    });

    afterAll(() => ground?.close());

    it('everybody comes to an end, and hears of it', { timeout: PATIENCE_MS + 60_000 }, async () => {
      const random = seeded(SEED);
      const curious = seeded(SEED + 3);
      const walkers = ids.map((id) =>
        createTextWalker(ground.telegram, id, {
          random: seeded(SEED + id),
          habits: habitsOf(random),
          goal: anArticle({
            way: throughCategory(id),
            isOnSite: () => ground.postsOf(id) > 0,
            looksAtSite: curious.chance(0.5),
          }),
        }),
      );
      const began = Date.now();
      const killing = killRepeatedly(seeded(SEED + 1));
      const outcomes = await Promise.allSettled(walkers.map((walker) => comeAndWalk(walker, random)));
      const seconds = Math.round((Date.now() - began) / 1000);
      await killing;
      for (const walker of walkers) walker.stop();
      await report(seconds);
      const failures = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [String(outcome.reason)] : [],
      );
      expect(failures, `with seed ${SEED}`).toEqual([]);
    });

    it('the kills came in the middle of the work, and others went on with it', async () => {
      expect(kills.every((running) => running > 0)).toBe(true);
      expect((await operations.takenOver()).all).toBeGreaterThanOrEqual(kills.length);
    });

    it('each has one charge and one article, or the tokens back', async () => {
      const expected = { published: [1, 0, 1], refunded: [0, 0, 0], unknown: [0, 1, 1] } as const;
      const accounts = await accountsOf(ground.sql, ids);
      for (const { userId, charges, publications, doubts, spent, told } of accounts) {
        const ending = endings.get(userId)!;
        const what = `${userId}, ${ending}, with seed ${SEED}`;
        expect([publications, doubts, ground.postsOf(userId)], what).toEqual(expected[ending]);
        expect(charges, what).toEqual(['image_generation', 'text_generation']);
        expect(spent > 0, what).toBe(ending !== 'refunded');
        if (ending === 'published') expect(spent, what).toBe(told);
      }
      expect(await unbalanced(ground.sql)).toEqual([]);
    });

    it('as many articles arrived as the bot and the people know of', () => {
      const known = [...endings.values()].filter((ending) => ending !== 'refunded');
      expect(ids.reduce((sum, id) => sum + ground.postsOf(id), 0)).toBe(known.length);
    });

    it('the sites dropped their answers, and some could not be read: those people were told', () => {
      const unused = ground.wordpress.faults.list().filter(({ match }) => match.startsWith('POST'));
      expect(unused, `with seed ${SEED}`).toEqual([]);
      expect(inDoubt.size, `with seed ${SEED}`).toBeGreaterThan(0);
      const unexpected = [...inDoubt].filter((id) => fates.get(id) === undefined);
      expect(unexpected, `with seed ${SEED}`).toEqual([]);
    });

    it('only those for whom no model wrote got their tokens back', () => {
      const refunded = ids.filter((id) => endings.get(id) === 'refunded');
      expect(refunded).toEqual(every(NO_TEXT_FOR_EVERY));
    });

    it('no model was asked again for what was kept, and for the rest once more per death at most', async () => {
      expect(journal.askedAfter(await operations.keptStages()), `with seed ${SEED}`).toEqual([]);
      const { writing } = await operations.takenOver();
      const tooOften = journal
        .timesAsked()
        .filter(({ userId, times }) => times > 1 + (writing.get(userId) ?? 0));
      expect(tooOften, `with seed ${SEED}`).toEqual([]);
    });

    it('no session is left in the middle of something', { timeout: GRACE_MS + 5_000 }, async () => {
      await expect
        .poll(() => leftovers(ground.redis), { timeout: GRACE_MS, interval: 250 })
        .toEqual(nothingLeft);
      expect(ground.telegram.pendingUpdates()).toEqual([]);
    });

    it('no process met an error it did not expect', () => {
      expect(ground.errors()).toEqual([]);
    });

    function every(nth: number): number[] {
      return ids.filter((_, index) => index % nth === nth - 1);
    }

    async function comeAndWalk(walker: TextWalker, random: Random): Promise<void> {
      await delay(random.between(0, LAST_COMES_MS));
      endings.set(walker.id, await walker.walk(PATIENCE_MS));
      if (walker.wasInDoubt()) inDoubt.add(walker.id);
    }

    function siteFates(random: Random): Map<number, Moment> {
      const writers = ids.filter((id) => !every(NO_TEXT_FOR_EVERY).includes(id));
      const drawn = writers.map((id) => ({ id, lot: random.between(0, 1) })).sort((a, b) => a.lot - b.lot);
      return new Map(drawn.slice(0, ANSWERS_LOST).map(({ id }, n) => [id, n < UNSEEN ? unseen : lost]));
    }

    /** One of the two, every 2 to 4 s, in the middle of somebody's article; seldom the last one that stands. */
    async function killRepeatedly(random: Random): Promise<void> {
      const { bots } = ground;
      while (kills.length < KILLS && endings.size < PEOPLE) {
        await Promise.any(bots.map(({ started }) => started)); // throws when none can be started
        await delay(random.between(2_000, 4_000));
        const ready = bots.filter((bot) => bot.isReady());
        if (ready.length === 0 || (ready.length === 1 && !random.chance(0.2))) continue;
        const running = await operations.running();
        if (running === 0) continue;
        await ground.kill(random.of(ready));
        kills.push(running);
      }
      await Promise.all(bots.map(({ started }) => started));
    }

    async function report(seconds: number): Promise<void> {
      const asked = journal.timesAsked().length;
      const ended = (how: Ending) => [...endings.values()].filter((ending) => ending === how).length;
      console.log(
        `seed ${SEED}: ${kills.length} kills with ${kills.join(', ')} operations ` +
          `running, ${(await operations.takenOver()).all} taken over; ${asked} stages asked for, ` +
          `${journal.questions.length - asked} of them again; ${ANSWERS_LOST} answers of sites lost, ${UNSEEN} of ` +
          `them unseen, ${inDoubt.size} people in doubt; ${ended('published')} published, ` +
          `${ended('unknown')} unknown, ${ended('refunded')} refunded; ` +
          `everybody through after ${seconds} s`,
      );
    }
  },
);

const habitsOf = (random: Random): Habits => ({
  isNervous: random.chance(0.3),
  leavesWhile: random.chance(0.3) ? random.of(['writing', 'publishing'] as const) : null,
});
