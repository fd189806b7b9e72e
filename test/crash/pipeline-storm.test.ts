import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { postPlatforms } from '../../src/platforms/platforms.ts';
import { writeAnswer } from '../../src/sandbox/openrouter/author/write-answer.ts';
import type { Author } from '../../src/sandbox/openrouter/router.ts';
import { tinyPng } from '../sandbox/tiny-png.ts';
import { patience } from '../support/patience.ts';
import { unbalanced } from '../support/rows.ts';
import { accountsOf } from './article-accounts.ts';
import { sitePath } from './article-authors.ts';
import { anArticle } from './article-goal.ts';
import { type ArticleGround, startArticleGround } from './article-ground.ts';
import { leftovers, nothingLeft } from './leftovers.ts';
import { castOf, type Role } from './pipeline-cast.ts';
import { toArticle, toPost } from './pipeline-ways.ts';
import { aPost } from './post-goal.ts';
import { type Random, seeded } from './seeded.ts';
import { arrange, lost, unseen } from './site-moments.ts';
import { createTextWalker, type Ending, type Goal, type TextWalker } from './text-walker.ts';

const SEED = Number(process.env.CRASH_SEED ?? 20_261_118);
const PEOPLE = Number(process.env.PIPELINE_STORM_PEOPLE ?? 12);
const FIRST_ID = 62_001;
const KILL_EVERY_MS = [3_000, 6_000] as const;
/** Kills end when only so many still walk: otherwise a person who hangs looks like one who was hit again and again. */
const LAST_ONES = Math.ceil(PEOPLE * 0.1);
const LAST_COMES_MS = PEOPLE * 150;
const REDIS_DATABASE = 13;
const MODEL_THINKS_MS = 300;
const PATIENCE_MS = patience(120_000 + PEOPLE * 4_000);
const GRACE_MS = patience(60_000);

describe.skipIf(!inject('redisUrl') || !inject('postgresUrl'))(
  `${PEOPLE} people walk both pipelines on two processes, one of which is killed every few seconds (needs PostgreSQL and redis-server)`,
  () => {
    const cast = castOf(PEOPLE, FIRST_ID);
    const ids = cast.map(({ id }) => id);
    const endings = new Map<number, Ending>();
    let kills = 0;
    let walking = PEOPLE;
    let ground: ArticleGround;

    beforeAll(async () => {
      ground = await startArticleGround({
        ids,
        newcomers: cast.filter(({ isNew }) => isNew).map(({ id }) => id),
        posters: new Map(cast.flatMap(({ id, posts }) => (posts.length > 0 ? [[id, posts]] : []))),
        processes: 2,
        redisDatabase: REDIS_DATABASE,
        author,
      });
      for (const { id, answer } of cast.filter((role) => role.answer !== 'kept')) {
        const [place] = placesOf(id);
        if (place) ground.posting.loseAnswerOf(place);
        else arrange(ground.wordpress, id, answer === 'unseen' ? unseen : lost);
      }
    }, patience(60_000));

    afterAll(() => ground?.close());

    it('everybody gets their article or post', { timeout: PATIENCE_MS + patience(90_000) }, async () => {
      const random = seeded(SEED);
      const walkers = cast.map((role) => walkerOf(role, random));
      const began = Date.now();
      const killing = killRepeatedly(seeded(SEED + 1));
      const outcomes = await Promise.allSettled(walkers.map((walker) => comeAndWalk(walker, random)));
      const seconds = Math.round((Date.now() - began) / 1000);
      await killing;
      for (const walker of walkers) walker.stop();
      console.log(figures(seconds));
      const failures = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [String(outcome.reason)] : [],
      );
      expect(failures, `with seed ${SEED}`).toEqual([]);
      expect(count('refunded')).toBe(0);
    });

    it('each is charged once', async () => {
      for (const { userId, charges, spent, told, publications, doubts } of await accountsOf(
        ground.sql,
        ids,
      )) {
        const role = roleOf(userId);
        const what = `${userId}, ${role.posts.join(', ') || 'article'}, with seed ${SEED}`;
        expect(charges, what).toEqual(chargesOf(role, publications + doubts));
        if (doubts === 0 && !role.isNew) expect(spent, what).toBe(told);
      }
      expect(await unbalanced(ground.sql)).toEqual([]);
    });

    it('as many texts arrived as succeeded or are unknown, in each place one', async () => {
      for (const { userId, publications, doubts } of await accountsOf(ground.sql, ids)) {
        const arrived = arrivalsOf(userId);
        const what = `${userId}, ${endings.get(userId)}, with seed ${SEED}`;
        expect({ what, known: publications + doubts }).toEqual({ what, known: sum(arrived) });
        // A person who left the first one open has not gone on to the other places.
        expect(arrived, what).toEqual(arrived.map((_, at) => (at < publications + doubts ? 1 : 0)));
        if (endings.get(userId) === 'published') expect(sum(arrived), what).toBe(arrived.length);
      }
    });

    it('no session is left in the middle of something', { timeout: GRACE_MS + 5_000 }, async () => {
      await expect
        .poll(() => leftovers(ground.redis), { timeout: GRACE_MS, interval: 250 })
        .toEqual(nothingLeft);
      expect(ground.telegram.pendingUpdates()).toEqual([]);
      expect(ground.errors()).toEqual([]);
    });

    function roleOf(id: number): Role {
      return cast[id - FIRST_ID]!;
    }

    function placesOf(id: number) {
      return ground.places.get(id) ?? [];
    }

    /** In the order in which the person publishes there. */
    function arrivalsOf(id: number): number[] {
      return roleOf(id).posts.length === 0
        ? [ground.postsOf(id)]
        : placesOf(id).map(({ arrivals }) => arrivals());
    }

    function count(how: Ending): number {
      return [...endings.values()].filter((ending) => ending === how).length;
    }

    function figures(seconds: number): string {
      const places = [...ground.places.values()].flat();
      const posts = postPlatforms.map((platform) => {
        const there = places.filter((place) => place.platform === platform);
        return `${platform} ${sum(there.map(({ arrivals }) => arrivals()))}`;
      });
      return (
        `seed ${SEED}: ${PEOPLE} people (${PEOPLE - ground.places.size} articles, ${ground.places.size} posts), ` +
        `${kills} kills, ${count('published')} published, ${count('unknown')} unknown, ` +
        `posts arrived: ${posts.join(', ')}; everybody through after ${seconds} s`
      );
    }

    function walkerOf(role: Role, random: Random): TextWalker {
      return createTextWalker(ground.telegram, role.id, {
        random: seeded(SEED + role.id),
        habits: {
          isNervous: random.chance(0.3),
          leavesWhile: random.chance(0.3) ? random.of(leavingOf(role)) : null,
        },
        goal: goalOf(role, random.chance(0.5)),
      });
    }

    function goalOf({ id, isNew }: Role, isCurious: boolean): Goal {
      const places = placesOf(id);
      const [first] = places;
      if (first) return aPost({ way: toPost(id, first, isNew), places, decidesLater: isCurious });
      const site = ground.wordpress.addressOf(sitePath(id));
      return anArticle({
        way: toArticle(id, isNew ? site : null),
        isOnSite: () => ground.postsOf(id) > 0,
        looksAtSite: isCurious,
      });
    }

    async function comeAndWalk(walker: TextWalker, random: Random): Promise<void> {
      await delay(random.between(0, LAST_COMES_MS));
      try {
        endings.set(walker.id, await walker.walk(PATIENCE_MS));
      } finally {
        walking -= 1;
      }
    }

    /**
     * Any of those that stand; the other one serves meanwhile, if it stands. Not sooner than a start takes: with 200
     * people on two cores, or beside other work, that is ten seconds and more. Killed as soon as they stand, processes
     * do nothing but start, and nobody gets on.
     */
    async function killRepeatedly(random: Random): Promise<void> {
      const { bots } = ground;
      while (walking > LAST_ONES) {
        await Promise.any(bots.map(({ started }) => started)); // throws when none can be started
        const starts = bots.flatMap((bot) => bot.startMs() ?? []);
        await delay(Math.max(random.between(...KILL_EVERY_MS), Math.min(...starts)));
        const ready = bots.filter((bot) => bot.isReady());
        if (ready.length === 0) continue;
        await ground.kill(random.of(ready));
        kills += 1;
      }
      await Promise.all(bots.map(({ started }) => started));
    }
  },
);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The button that leads to further places stands on the result: who wants it stays there. */
const leavingOf = ({ posts }: Role) =>
  posts.length > 1 ? (['writing'] as const) : (['writing', 'publishing'] as const);

/** By kind: the text and its picture, the phrases of those who had none, each further place. */
function chargesOf({ posts: [first], isNew }: Role, places: number): string[] {
  return [
    ...Array.from({ length: places - 1 }, () => 'cross_post'),
    ...(first === 'telegram' ? [] : ['image_generation']),
    ...(isNew ? ['keyword_generation'] : []),
    'text_generation',
  ];
}

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
