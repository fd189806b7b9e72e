import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { writeAnswer } from '../../src/sandbox/openrouter/author/write-answer.ts';
import type { Author } from '../../src/sandbox/openrouter/router.ts';
import { cronOf } from '../../src/services/schedules/cron.ts';
import { makeScheduledCalls } from '../../src/store/scheduled-calls.ts';
import { tinyPng } from '../sandbox/tiny-png.ts';
import { patience } from '../support/patience.ts';
import { unbalanced } from '../support/rows.ts';
import { accountsOf } from './article-accounts.ts';
import { sitePath } from './article-authors.ts';
import { type ArticleGround, startArticleGround } from './article-ground.ts';
import { type Random, seeded } from './seeded.ts';
import { arrange, lost, unseen } from './site-moments.ts';

const SEED = Number(process.env.CRASH_SEED ?? 20_261_118);
/** At its full size: `npm run soak -- schedules`. */
const SCHEDULES = Number(process.env.SCHEDULE_STORM_SIZE ?? 12);
const MOST_KILLS = Number(process.env.SCHEDULE_STORM_KILLS ?? 2);
const KILL_EVERY_MS = [3_000, 6_000] as const;
const FIRST_ID = 63_001;
/** Sites that lose an answer, sites that also let nobody look, sites that refuse, owners without tokens. */
const ANSWERS_LOST = 5;
const ANSWERS_UNSEEN = 10;
const REFUSED = 6;
const POOR = 4;
const ZONE = 'Europe/Moscow';
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const REDIS_DATABASE = 14;
const MODEL_THINKS_MS = 300;
const PATIENCE_MS = patience(150_000 + SCHEDULES * 3_000);

describe.skipIf(!inject('redisUrl') || !inject('postgresUrl'))(
  `${SCHEDULES} schedules fire in one minute on two processes, one of which is killed every few seconds (needs PostgreSQL and redis-server)`,
  () => {
    const ids = Array.from({ length: SCHEDULES }, (_, index) => FIRST_ID + index);
    const poor = every(POOR, 0);
    const refused = every(REFUSED, 1).filter((id) => !poor.includes(id));
    const fine = ids.filter((id) => !poor.includes(id) && !refused.includes(id));
    let kills = 0;
    let ground: ArticleGround;

    beforeAll(async () => {
      ground = await startArticleGround({ ids, processes: 2, redisDatabase: REDIS_DATABASE, author });
      const { people } = ground.telegram;
      for (const id of ids) people.say(people.add({ id, first_name: `Анна ${id}` }).id, '/start');
      for (const id of every(ANSWERS_LOST, 2).filter((each) => fine.includes(each)))
        arrange(ground.wordpress, id, every(ANSWERS_UNSEEN, 2).includes(id) ? unseen : lost);
      for (const id of refused)
        ground.wordpress.faults.add({
          match: `POST /${sitePath(id)}/`,
          times: null,
          fault: { kind: 'status', status: 401 },
        });
      for (const id of poor)
        await ground.sql`select charge_balance(${id}, 1490, ${`spent:${id}`}, 'text_generation')`;
    }, patience(60_000));

    afterAll(() => ground?.close());

    it('every slot comes to its end', { timeout: PATIENCE_MS + patience(60_000) }, async () => {
      const { people } = ground.telegram;
      const silent = () =>
        ids.filter(
          (id) => !people.messages(id).some(({ text }) => /Главное меню|ИИ пишет/u.test(text ?? '')),
        );
      await expect.poll(silent, { timeout: patience(30_000) }).toEqual([]);
      await planAll();
      const began = Date.now();
      const killing = killRepeatedly(seeded(SEED));
      await expect.poll(open, { timeout: PATIENCE_MS, interval: 500 }).toBe(0);
      await killing;
      const seconds = Math.round((Date.now() - began) / 1000);
      const accounts = await accountsOf(ground.sql, ids);
      const sum = (of: 'publications' | 'doubts') => accounts.reduce((all, each) => all + each[of], 0);
      console.log(
        `seed ${SEED}: ${SCHEDULES} slots, ${kills} kills, ${sum('publications')} published, ${sum('doubts')} unknown, ${refused.length} refunded, ${poor.length} without tokens, all ended after ${seconds} s`,
      );
    });

    it('with one publication and one charge, as many arrived as succeeded or are unknown', async () => {
      const accounts = (await accountsOf(ground.sql, ids)).filter(({ userId }) => fine.includes(userId));
      expect(accounts.map(({ publications, doubts }) => publications + doubts)).toEqual(fine.map(() => 1));
      for (const { userId, charges, spent, told: cost, publications } of accounts) {
        expect(charges, `${userId}`).toEqual(['image_generation', 'text_generation']);
        if (publications === 1) expect(spent, `${userId}`).toBe(cost);
      }
      const arrived = accounts.filter(({ publications }) => publications === 1);
      expect(arrived.length).toBeGreaterThan(fine.length * 0.7);
      expect(ids.map((id) => ground.postsOf(id))).toEqual(ids.map((id) => (fine.includes(id) ? 1 : 0)));
    });

    it('or with a refund and a word, or a pause and a word', async () => {
      const accounts = await accountsOf(ground.sql, ids);
      const spentBy = (id: number) => accounts.find(({ userId }) => userId === id)!.spent;
      expect(refused.map(spentBy)).toEqual(refused.map(() => 0));
      expect(poor.map(spentBy)).toEqual(poor.map(() => 1_490));
      expect(await unbalanced(ground.sql)).toEqual([]);
      const paused = await ground.sql<{ id: number }[]>`
        select c.user_id as id from platform_schedules s join platform_connections n on n.id = s.connection_id
        join projects c on c.id = n.project_id where s.paused_for = 'tokens' order by 1`;
      expect(paused.map(({ id }) => id)).toEqual(poor);
      for (const id of refused) expect(told(id, 'Не опубликовано'), `${id}`).toBeGreaterThanOrEqual(1);
      for (const id of poor) expect(told(id, 'Расписание на паузе'), `${id}`).toBeGreaterThanOrEqual(1);
      // A report whose sending was cut off is not repeated: the texts themselves are on the sites.
      for (const id of fine) expect(told(id, 'Опубликовано по расписанию'), `${id}`).toBeLessThanOrEqual(1);
    });

    it('and no process calls any of it an error', () => {
      expect(ground.errors()).toEqual([]);
    });

    function every(nth: number, from: number): number[] {
      return ids.filter((_, index) => index % nth === from);
    }

    /** As a person would have planned them, all for this very minute. */
    async function planAll(): Promise<void> {
      const time = new Intl.DateTimeFormat('en-GB', {
        timeZone: ZONE,
        hour: '2-digit',
        minute: '2-digit',
      }).format();
      const rows = await ground.sql<{ id: number; userId: number }[]>`
        insert into platform_schedules (category_id, platform_type, connection_id, schedule_days, schedule_times, enabled)
        select c.id, 'wordpress', n.id, ${[...days]}, ${[time]}, true
        from projects p join categories c on c.project_id = p.id join platform_connections n on n.project_id = p.id
        returning id, (select p.user_id from categories c join projects p on p.id = c.project_id
          where c.id = category_id) as "userId"`;
      expect(rows).toHaveLength(SCHEDULES);
      const { set } = makeScheduledCalls(ground.sql);
      for (const { id, userId } of rows)
        await set(
          {
            ...{ id: `schedule-${id}`, path: '/api/publish', failurePath: '/api/publish/failure' },
            ...{ cron: cronOf(days, time), timeZone: ZONE },
            body: JSON.stringify({ schedule_id: id, user_id: userId, time }),
          },
          Date.now(),
        );
    }

    /** Slots that have not ended. A process that died holds its run for a minute: nobody has to wait for that here. */
    async function open(): Promise<number> {
      await ground.sql`update operations set run_after = now() where kind = 'scheduled-run' and status = 'running'`;
      const [row] = await ground.sql<[{ ended: number }]>`
        select count(*)::int as ended from operations where kind = 'scheduled-run' and status = 'done'`;
      return SCHEDULES - row.ended;
    }

    function told(id: number, words: string): number {
      return ground.telegram.people.messages(id).filter(({ text }) => text?.includes(words)).length;
    }

    async function killRepeatedly(random: Random): Promise<void> {
      const { bots } = ground;
      while (kills < MOST_KILLS && (await open()) > 0) {
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
