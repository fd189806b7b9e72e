import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grounds, startBot, startTwin, type TestBot } from '../support/bot.ts';
import { type ScriptedPerson, scriptedPerson } from '../support/person.ts';
import { aProject, aPublication } from '../support/rows.ts';

const OWNER_ID = 4_242;

describe.each(grounds)('the owner is told without asking, %s', (ground) => {
  let bot: TestBot;
  let owner: ScriptedPerson;
  beforeAll(async () => {
    bot = await startBot(ground, { ADMIN_ID: String(OWNER_ID) });
    owner = scriptedPerson(bot.telegram, { id: OWNER_ID, first_name: 'Олег' });
    owner.says('/start');
    await owner.sees('ИИ пишет');
  });
  afterAll(() => bot.stop());

  const told = (words: string) => owner.messages().filter(({ text }) => text?.includes(words)).length;

  it('of publications whose fate is unknown: once, when they have doubled, and when all are settled', async () => {
    const projectId = await aProject(bot.app.sql, OWNER_ID);
    const look = () => bot.app.owner.jobs.watchWork();
    const lost = () => aPublication(bot.app.sql, { userId: OWNER_ID, projectId, status: 'unknown' });
    await look();
    expect(told('потерялся')).toBe(0);
    await lost();
    await look();
    await look();
    await owner.sees(/неизвестен исход 1 публикации/u);
    expect(told('потерялся')).toBe(1);
    await lost();
    await look();
    await owner.sees(/неизвестен исход 2 публикаций/u);
    await bot.app.sql`update publication_logs set status = 'success' where status = 'unknown'`;
    await look();
    await owner.sees('Публикаций с неизвестным исходом больше нет');
  });

  it('of schedules whose calls are not made', async () => {
    await bot.app.sql`
      insert into queued_calls (id, path, body, not_before)
      values ('late', '/api/publish', '{}', now() - interval '12 minutes')`;
    await bot.app.owner.jobs.watchWork();
    await owner.sees(/Расписания опаздывают на 12 минут/u);
    await bot.app.sql`delete from queued_calls where id = 'late'`;
  });

  it.runIf(ground !== 'embedded')('by one of two processes, not by each', async () => {
    const twin = await startTwin(bot);
    await bot.app.sql`
      insert into queued_calls (id, path, body, not_before)
      values ('late', '/api/publish', '{}', now() - interval '12 minutes')`;
    await twin.app.owner.jobs.watchWork();
    await bot.app.owner.jobs.watchWork();
    expect(told('опаздывают')).toBe(1);
    await bot.app.sql`delete from queued_calls where id = 'late'`;
    await twin.stop();
  });
});

it('is left in the log, once, by an owner who has not started the bot: other alerts do not wait behind it', async () => {
  const lines: { msg: string; text?: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const bot = await startBot('embedded', { ADMIN_ID: '4343' }, log);
  try {
    await bot.app.sql`insert into users (id) values (4343)`;
    const projectId = await aProject(bot.app.sql, 4_343);
    await aPublication(bot.app.sql, { userId: 4_343, projectId, status: 'unknown' });
    await bot.app.sql`
      insert into queued_calls (id, path, body, not_before)
      values ('late', '/api/publish', '{}', now() - interval '12 minutes')`;
    await bot.app.owner.jobs.watchWork();
    await bot.app.owner.jobs.watchWork();
    const left = lines.filter(({ msg }) => msg.includes('has not started the bot')).map(({ text }) => text);
    expect(left).toEqual([
      expect.stringContaining('неизвестен исход 1 публикации'),
      expect.stringContaining('Расписания опаздывают'),
    ]);
  } finally {
    await bot.stop();
  }
});
