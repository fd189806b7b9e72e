import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { weekOf } from '../../src/services/notify/week-of.ts';
import { startBot, type TestBot } from '../support/bot.ts';
import { aCategory, aDraft, aProject, aPublication } from '../support/rows.ts';

describe('what the product does by itself', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot();
  });
  afterAll(() => bot.stop());
  const sql = () => bot.app.sql;

  async function person(name: string) {
    const someone = bot.person(name);
    someone.says('/start');
    await someone.sees('ИИ пишет, вы проверяете');
    return someone;
  }
  const told = ({ messages }: Awaited<ReturnType<typeof person>>, words: string) =>
    messages().filter(({ text }) => text?.includes(words)).length;

  it('tells of a low balance when it has fallen, once, and not those who switched that off', async () => {
    const anna = await person('Анна');
    const boris = await person('Борис');
    for (const { id } of [anna, boris])
      await sql()`select charge_balance(${id}, 1450, ${`spent:${id}`}, 'text_generation')`;
    await sql()`update users set notify_balance = false where id = ${boris.id}`;
    expect(await bot.app.houseWork.notify('low_balance')).toEqual({
      type: 'low_balance',
      sent: 1,
      failed: 0,
    });
    await anna.sees(/Баланс почти закончился.*На балансе 50 токенов/s);
    expect(await bot.app.houseWork.notify('low_balance')).toMatchObject({ sent: 0, failed: 0 });
    expect(told(boris, 'Баланс')).toBe(0);

    // Filled up and spent again: that is news.
    await sql()`select refund_balance(${anna.id}, 500, 'back')`;
    await bot.app.houseWork.notify('low_balance');
    await sql()`select charge_balance(${anna.id}, 500, 'again', 'text_generation')`;
    expect(await bot.app.houseWork.notify('low_balance')).toMatchObject({ sent: 1 });
  });

  it('sends a digest of the week to those who published, once', async () => {
    const anna = await person('Анна');
    const projectId = await aProject(sql(), anna.id);
    await aPublication(sql(), { userId: anna.id, projectId, tokens: 290 });
    await aPublication(sql(), { userId: anna.id, projectId, tokens: 10, daysAgo: 9 });
    await sql()`update publication_logs set keyword = 'букет невесты' where user_id = ${anna.id} and tokens_spent = 10`;
    for (const [week, place] of [
      [weekOf(new Date(Date.now() - 7 * 86_400_000)), 14],
      [weekOf(new Date()), 7],
    ] as const)
      await sql()`
        insert into rank_checks (publication_id, week, position)
        select id, ${week}, ${place} from publication_logs where keyword = 'букет невесты'`;
    expect(await bot.app.houseWork.notify('weekly_digest')).toMatchObject({ sent: 1 });
    await anna.sees(/Ваша неделя.*1 публикация.*290 токенов.*«букет невесты» вышла на 7-е место/s);
    expect(await bot.app.houseWork.notify('weekly_digest')).toMatchObject({ sent: 0 });
  });

  it('reminds at 14 and at 45 days, then never again', async () => {
    const anna = await person('Анна');
    const away = (days: number) =>
      sql()`update users set last_activity = now() - ${days} * interval '1 day' where id = ${anna.id}`;
    const sent = async () => (await bot.app.houseWork.notify('reactivation')).sent;
    const results: number[] = [];
    for (const days of [10, 15, 22, 46, 53, 90]) {
      await away(days);
      results.push(await sent());
    }
    expect(results).toEqual([0, 1, 0, 1, 0, 0]);
    expect(told(anna, 'Давно вас не было')).toBe(2);
  });

  it('counts a person who blocked the bot as not told, and goes on', async () => {
    const anna = await person('Анна');
    const boris = await person('Борис');
    await sql()`delete from notices`;
    for (const { id } of [anna, boris])
      await sql()`select charge_balance(${id}, 1450, ${`low:${id}`}, 'text_generation')`;
    bot.telegram.people.block(anna.id);
    // As if the word of it had been lost: sending is how the bot finds out.
    const blocked = async () =>
      (await sql()`select from users where id = ${anna.id} and blocked_at is not null`).length;
    await expect.poll(blocked).toBe(1);
    await sql()`update users set blocked_at = null where id = ${anna.id}`;
    expect(await bot.app.houseWork.notify('low_balance')).toMatchObject({ failed: 1 });
    await boris.sees('Баланс почти закончился');
  });

  it('cleans up: drafts whose day is over are paid back, old logs and orphaned pictures go, once', async () => {
    const anna = await person('Анна');
    const projectId = await aProject(sql(), anna.id);
    const categoryId = await aCategory(sql(), projectId);
    await aDraft(sql(), { userId: anna.id, projectId, categoryId, tokens: 200 });
    await sql()`update article_previews set expires_at = now() - interval '1 hour' where user_id = ${anna.id}`;
    await aPublication(sql(), { userId: anna.id, projectId, daysAgo: 400 });
    expect(await bot.app.houseWork.cleanUp()).toMatchObject({ expired: 1, refunds: 200, logs_deleted: 1 });
    expect(await bot.app.houseWork.cleanUp()).toEqual({
      ...{ expired: 0, refunds: 0, logs_deleted: 0, files_deleted: 0 },
    });
  });
});
