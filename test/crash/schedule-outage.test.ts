import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { patience } from '../support/patience.ts';
import { type PlayedBot, startPlayedBot } from '../support/played-bot.ts';
import { unbalanced } from '../support/rows.ts';
import { accountsOf } from './article-accounts.ts';
import { type Outage, startOwnPostgres } from './throwaway-servers.ts';

describe.skipIf(!inject('redisUrl') || !inject('postgresUrl'))('a scheduled run', () => {
  let postgres: Outage;
  let played: PlayedBot;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    played = await startPlayedBot('PostgreSQL and Redis', { DATABASE_URL: postgres.url });
  }, patience(60_000));
  afterAll(async () => {
    await played?.stop();
    await postgres?.close();
  });

  it('whose PostgreSQL was restarted in the middle ends with one publication and one charge', {
    timeout: patience(90_000),
  }, async () => {
    const anna = await played.customer();
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:preset:7w`);
    await anna.sees('Расписание включено');
    const time = `${new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Moscow', hour: '2-digit' }).format()}:00`;
    const [schedule] = await played.bot.app.sql<[{ id: number }]>`
        update platform_schedules set schedule_times = ${[time]} where category_id = ${anna.categoryId} returning id`;
    const fires = () => played.bot.app.scheduleCalls.takeSlotCall({ schedule_id: schedule.id, time });
    const release = played.models.hold('article', anna.company);
    const begun = fires().catch((error: Error) => error);
    const isWriting = () =>
      played.models.asked.some(({ task, text }) => task === 'article' && text.includes(anna.company));
    await expect.poll(isWriting, { timeout: patience(30_000) }).toBe(true);

    await postgres.end();
    release();
    await postgres.startAgain();
    await begun; // went on, or gave up: its caller is told to come again
    const again = async () => {
      const report = await fires().catch(() => null);
      return report !== null && report !== 'nonsense' && report.status;
    };
    await expect.poll(again, { timeout: patience(60_000), interval: 1_000 }).toBe('ok');

    expect(anna.site.posts.values()).toHaveLength(1);
    const [account] = await accountsOf(played.bot.app.sql, [anna.id]);
    expect(account).toMatchObject({
      charges: ['image_generation', 'text_generation'],
      publications: 1,
      doubts: 0,
    });
    expect(account!.spent).toBe(account!.told);
    expect(await unbalanced(played.bot.app.sql)).toEqual([]);
  });
});
