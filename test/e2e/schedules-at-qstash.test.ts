import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { scheduleCallHandlers } from '../../src/http/schedule-calls.ts';
import { closeServer, createHttpServer, type HttpHandler, listen } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { type QStashStandIn, standInKeys, startQStashStandIn } from '../../src/sandbox/qstash/start.ts';
import { makeAdminStore } from '../../src/store/admin.ts';
import { patience } from '../support/patience.ts';
import { scriptedPerson } from '../support/person.ts';
import { always, type Customer, type PlayedBot, startPlayedBot } from '../support/played-bot.ts';

const LONG_POLL = { timeout: patience(30_000) };
const TOKEN = 'qstash-token-of-no-value';
const OWNER_ID = 4_242;
/** One run at a time, and hardly any patience with those that wait: in production ten, and 300 s. */
const runs = { most: 1, patienceMs: 200 };

describe('schedules at QStash', () => {
  let qstash: QStashStandIn;
  let played: PlayedBot;
  let server: ReturnType<typeof createHttpServer>;
  let time = Date.now();
  const answers: { status: number; retryAfter: unknown }[] = [];
  beforeAll(async () => {
    let handlers: HttpHandler[] = [];
    const endpoint: HttpHandler = async (request, response, url) => {
      for (const handler of handlers) if (await handler(request, response, url)) break;
      answers.push({ status: response.statusCode, retryAfter: response.getHeader('retry-after') });
      return true;
    };
    server = createHttpServer([endpoint], (error) => {
      throw error;
    });
    const publicUrl = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
    qstash = await startQStashStandIn({ token: TOKEN, clock: () => time });
    const env = {
      ...{ QSTASH_TOKEN: TOKEN, QSTASH_URL: qstash.url, PUBLIC_URL: publicUrl, ADMIN_ID: String(OWNER_ID) },
      ...{ QSTASH_CURRENT_SIGNING_KEY: standInKeys.current, QSTASH_NEXT_SIGNING_KEY: standInKeys.next },
    };
    played = await startPlayedBot('embedded', env, { runs });
    handlers = scheduleCallHandlers({ ...played.bot.app.scheduleCalls, log: createLog('silent', false) });
  });
  afterEach(() => qstash.faults.clear());
  afterAll(async () => {
    await played.stop();
    await qstash.close();
    await closeServer(server);
  });
  const { sql } = { sql: () => played.bot.app.sql };

  const setThere = async () => {
    const answer = await fetch(`${qstash.url}/v2/schedules`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const list = (await answer.json()) as {
      scheduleId: string;
      flowControlKey: string;
      parallelism: number;
    }[];
    return list.filter(({ scheduleId }) => scheduleId.startsWith('schedule-'));
  };
  const setIds = async () => (await setThere()).map(({ scheduleId }) => scheduleId);
  const rowOf = async ({ categoryId }: { categoryId: number }) => {
    const [row] = await sql()<{ isOn: boolean; triggers: string[] }[]>`
      select enabled as "isOn", qstash_schedule_ids as triggers from platform_schedules where category_id = ${categoryId}`;
    return row;
  };
  /** Planned by a press for 10:00, in a zone where it is now that hour of the day. */
  async function plannedAt(hourNow: number, person: Customer): Promise<string> {
    const offset = ((hourNow - new Date().getUTCHours() + 36) % 24) - 12;
    const zone = `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`; // their signs are the other way round
    await sql()`update projects set timezone = ${zone} where id = ${person.projectId}`;
    await person.forges(`sched:${person.categoryId}:${person.connectionId}:preset:7w`);
    await person.sees('Расписание включено');
    return (await rowOf(person))!.triggers[0]!;
  }

  const isAway = () =>
    qstash.faults.add({ match: '/v2/schedules', times: always, fault: { kind: 'status', status: 503 } });

  it('are not half saved when it is away: nothing is switched on, and the person is told to try again', async () => {
    const anna = await played.customer();
    isAway();
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:preset:7w`);
    await anna.sees('Планировщик сейчас не отвечает, расписание не изменилось');
    expect((await rowOf(anna))?.isOn ?? false).toBe(false);
    qstash.faults.clear();
    expect(await setIds()).toEqual([]);
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:preset:7w`);
    await anna.sees('Расписание включено');
    expect(await setIds()).toEqual((await rowOf(anna))?.triggers);
    expect(await setThere(), 'a thousand at one hour wait there').toMatchObject([
      { flowControlKey: 'api-publish', parallelism: 20 },
    ]);
    await anna.forges(`project:${anna.projectId}:delete`);
    await anna.presses('Да, удалить');
    expect(await setIds()).toEqual([]);
  });

  it('run on when it is away while they are planned anew, and also when what it did not take is cleared up later', async () => {
    const anna = await played.customer();
    const preset = `sched:${anna.categoryId}:${anna.connectionId}:preset:7w`;
    await anna.forges(preset);
    await anna.sees('Расписание включено');
    const { triggers } = (await rowOf(anna))!;
    isAway();
    await anna.forges(preset);
    await anna.sees('Планировщик сейчас не отвечает, расписание не изменилось');
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:open`);
    await anna.presses('Выключить');
    await anna.sees('Расписание выключено');
    qstash.faults.clear();
    await anna.forges(preset);
    await anna.sees('Расписание включено');
    await sql()`update operations set run_after = now() where kind = 'remove-trigger'`;
    await played.bot.app.runJobs();
    expect(await setIds()).toEqual(triggers);
    await anna.forges(`project:${anna.projectId}:delete`);
    await anna.presses('Да, удалить');
  });

  it('keep their way and their hour when it is away while these are changed', async () => {
    const anna = await played.customer();
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:preset:7w`);
    await anna.sees('Расписание включено');
    const before = await rowOf(anna);
    isAway();
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:open`);
    await anna.presses('Сначала показывать мне');
    await anna.sees(/^Планировщик сейчас не отвечает.*выходят сразу/s);
    await anna.forges(`project:${anna.projectId}:tz`);
    await anna.presses(/Владивосток/);
    await anna.sees('Планировщик сейчас не отвечает, расписание не изменилось');
    const [project] = await sql()`select timezone from projects where id = ${anna.projectId}`;
    expect(project?.timezone ?? 'Europe/Moscow').toBe('Europe/Moscow');
    await sql()`update platform_schedules set enabled = false, paused_for = 'tokens', qstash_schedule_ids = '{}'
      where category_id = ${anna.categoryId}`;
    await anna.forges('schedules:resume');
    await anna.sees('Снова включены: 0 из 1');
    qstash.faults.clear();
    await anna.forges('schedules:resume');
    await anna.sees('1 расписание снова включено');
    expect(await setIds()).toEqual(before!.triggers);
    await anna.forges('schedules:resume');
    await anna.sees('Приостановленных расписаний нет');
    await anna.forges(`project:${anna.projectId}:delete`);
    await anna.presses('Да, удалить');
  });

  it('are removed there in the end, also when it was away while their category was deleted (E11)', async () => {
    const anna = await played.customer();
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:preset:7w`);
    await anna.sees('Расписание включено');
    expect(await setIds()).toHaveLength(1);
    isAway();
    await anna.forges(`category:${anna.categoryId}:delete`);
    await anna.presses('Да, удалить');
    expect(await rowOf(anna)).toBeUndefined();
    qstash.faults.clear();
    expect(await setIds(), 'still there').toHaveLength(1);
    await expect
      .poll(
        async () => {
          await sql()`update operations set run_after = now() where kind = 'remove-trigger'`;
          await played.bot.app.runJobs();
          return setIds();
        },
        { timeout: patience(20_000) },
      )
      .toEqual([]);
  });

  it('are removed there when their owner deletes their data (E11)', async () => {
    const anna = await played.customer();
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:preset:7w`);
    await anna.sees('Расписание включено');
    expect(await setIds()).toHaveLength(1);
    const people = async () => (await sql()`select from users where id > 0`).length;
    const before = await people();
    await anna.forges('data:delete');
    await anna.presses('Да, удалить навсегда');
    await anna.sees('Всё удалено');
    expect(await setIds()).toEqual([]);
    const { people: told } = await makeAdminStore(sql()).figures();
    expect([told, await people()], 'who has left is no person any more').toEqual([before - 1, before - 1]);
  });

  it('without room for another run are answered 503 with Retry-After, and come again then: no charge, no word (S06)', async () => {
    const [anna, boris] = [await played.customer(), await played.customer()];
    const [first, second] = [await plannedAt(10, anna), await plannedAt(10, boris)];
    const release = played.models.hold('article', anna.company);
    const running = qstash.fireNow(first);
    await expect
      .poll(() => played.models.asked.some(({ text }) => text.includes(anna.company)), LONG_POLL)
      .toBe(true);

    const before = boris.messages().length;
    await qstash.fireNow(second);
    expect(answers).toEqual([{ status: 503, retryAfter: '120' }]);
    expect([...qstash.calls.waiting.values()]).toMatchObject([{ retried: 1, notBefore: time + 120_000 }]);
    expect([await boris.balance(), (await rowOf(boris))?.isOn]).toEqual([1_500, true]);
    expect(boris.messages()).toHaveLength(before);

    release();
    await running;
    time += 120_000;
    await qstash.tick();
    await boris.sees('Опубликовано по расписанию');
    expect([anna, boris].map(({ site }) => site.posts.values().length)).toEqual([1, 1]);
    expect(answers.map(({ status }) => status)).toEqual([503, 200, 200]);
  });

  it('whose call never came are told to the owner; not those just switched on, paused or called late', async () => {
    const owner = scriptedPerson(played.bot.telegram, { id: OWNER_ID, first_name: 'Олег' });
    owner.says('/start');
    await owner.sees('ИИ пишет');
    const told = (words: string) => owner.messages().filter(({ text }) => text?.includes(words)).length;
    const look = () => played.bot.app.owner.jobs.watchWork();
    const isOld = ({ categoryId }: Customer) =>
      sql()`update platform_schedules set planned_at = now() - interval '2 days' where category_id = ${categoryId}`;
    // For both the slot was an hour ago or a little more.
    const [anna, boris] = [await played.customer(), await played.customer()];
    const trigger = await plannedAt(11, anna);
    await plannedAt(11, boris);
    await look();
    expect(told('Планировщик не вызвал'), 'just switched on').toBe(0);

    await isOld(anna);
    await isOld(boris);
    await boris.forges(`sched:${boris.categoryId}:${boris.connectionId}:open`);
    await boris.presses('Выключить');
    await look();
    await owner.sees('Планировщик не вызвал вовремя 1 расписание:');
    expect((await played.bot.app.metrics()).text).toMatch(/^seo_schedule_lag_seconds [3-7]\d{3}/mu);
    await owner.forges('admin:monitor');
    await owner.sees('Не вызваны вовремя: 1 расписание');

    await qstash.fireNow(trigger);
    await anna.sees('Бот был недоступен');
    await look();
    await owner.sees('Невызванных расписаний больше нет');
  });
});
