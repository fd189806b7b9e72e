import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ArticleAnswer } from '../../src/services/ai/answers.ts';
import { awful } from '../services/article/poor-texts.ts';
import { aCluster } from '../support/article-customer.ts';
import { buys } from '../support/buys.ts';
import type { ScriptedPerson } from '../support/person.ts';
import { always, LONG, PHRASE, type PlayedBot, startPlayedBot } from '../support/played-bot.ts';
import { unbalanced } from '../support/rows.ts';
import { aPoster } from './played-walk-post.ts';

const topics = ['кухни на заказ', 'кухни угловые', 'кухни белые', 'кухни из дерева'].map((phrase) =>
  aCluster(phrase),
);

type Place = { categoryId: number; connectionId: number };

describe('a schedule', () => {
  let played: PlayedBot;
  beforeAll(async () => {
    played = await startPlayedBot();
  });
  afterEach(() => played.mend());
  afterAll(() => played.stop());
  const sql = () => played.bot.app.sql;

  const scheduled = async (keywords: unknown[] = topics) =>
    plan(await played.customer({ keywords, images: 1 }));
  const scheduledPosts = async () => plan(await aPoster(played));

  /** Planned by a press, then moved to the hour that has just begun, so that its slot is now. */
  async function plan<Person extends ScriptedPerson & Place>(anna: Person) {
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:preset:7w`);
    await anna.sees('Расписание включено');
    const time = hourOf(Date.now());
    const [schedule] = await sql()<[{ id: number }]>`
      update platform_schedules set schedule_times = ${[time]} where category_id = ${anna.categoryId} returning id`;
    const call = { schedule_id: schedule.id, user_id: anna.id, time };
    return Object.assign(anna, { call, fires: () => fires(call) });
  }

  const fires = (call: object) => played.bot.app.scheduleCalls.takeSlotCall(call);

  async function stateOf({ categoryId }: Place) {
    const [row] = await sql()<
      [{ isOn: boolean; status: string; pausedFor: string | null; triggers: string[] }]
    >`
      select enabled as "isOn", status, paused_for as "pausedFor", qstash_schedule_ids as triggers
      from platform_schedules where category_id = ${categoryId}`;
    return row;
  }

  const triggersOf = async (anna: Place) => {
    const rows = await sql()`
      select from scheduled_calls where (body::jsonb ->> 'connection_id')::integer = ${anna.connectionId}`;
    return rows.length;
  };

  it('publishes once and charges once, however often its trigger comes (E06)', async () => {
    const anna = await scheduled();
    const [first, twin] = await Promise.all([anna.fires(), anna.fires()]);
    expect(first).toMatchObject({ status: 'ok', kind: 'published', phrase: expect.any(String) });
    expect(twin).toEqual(first);
    expect(await anna.fires()).toEqual(first);
    expect(anna.site.posts.values()).toHaveLength(1);
    await anna.sees(/Опубликовано по расписанию.*Списано/s);
    const { spent } = first as { spent: number };
    expect(await anna.balance()).toBe(1_500 - spent);
    expect(anna.messages().filter(({ text }) => text?.includes('Опубликовано по расписанию'))).toHaveLength(
      1,
    );
  });

  it('publishes a post to a channel, and tells where it is', async () => {
    const anna = await scheduledPosts();
    const report = await anna.fires();
    expect(report).toMatchObject({ status: 'ok', kind: 'published' });
    await anna.sees(/Опубликовано по расписанию.*t\.me/s);
    const arrived = anna.posts(); // a picture, and the text below it where it is too long for a caption
    expect(arrived.length).toBeGreaterThan(0);
    expect(await anna.fires()).toEqual(report);
    expect(anna.posts()).toEqual(arrived);
  });

  it('asks about a post whose answer was lost, and gives the tokens back when it is not there', async () => {
    const anna = await scheduledPosts();
    played.bot.telegram.faults.add({
      match: 'sendPhoto',
      chat: String(anna.channelId),
      fault: { kind: 'reset-after' },
    });
    expect(await anna.fires()).toMatchObject({ status: 'ok', kind: 'unknown' });
    await anna.sees('Ответ потерялся: пост мог выйти');
    expect(await anna.balance()).toBeLessThan(1_500);
    await anna.presses('Его нет — вернуть токены');
    await expect.poll(anna.balance).toBe(1_500);
  });

  it('shows a post first where its owner wants that, and gives its tokens back when it is skipped', async () => {
    const anna = await scheduledPosts();
    await sql()`update platform_schedules set asks_first = true where category_id = ${anna.categoryId}`;
    expect(await anna.fires()).toMatchObject({ status: 'ok', kind: 'waiting' });
    await anna.sees('Черновик готов');
    expect(anna.posts()).toEqual([]);
    await anna.presses('Пропустить');
    await expect.poll(anna.balance).toBe(1_500);
  });

  it('is skipped without phrases and stays on (E17, S05)', async () => {
    const anna = await scheduled([]);
    expect(await anna.fires()).toEqual({ status: 'skipped', reason: 'no_keywords' });
    await anna.sees(/Публикация пропущена.*нет ключевых фраз/s);
    expect(await stateOf(anna)).toMatchObject({ isOn: true });
    expect(await anna.balance()).toBe(1_500);
  });

  it('is skipped when no phrase suits an article (E40, S05)', async () => {
    const anna = await scheduled([{ ...aCluster(PHRASE), cluster_type: 'product_page' }]);
    expect(await anna.fires()).toEqual({ status: 'skipped', reason: 'no_available_keyword' });
    await anna.sees(/Публикация пропущена.*информационные/s);
  });

  it('pauses when tokens run out, and all paused ones can be resumed with one press (S01)', async () => {
    const anna = await scheduled();
    await sql()`select charge_balance(${anna.id}, 1490, ${`spent:${anna.id}`}, 'text_generation')`;
    expect(await anna.fires()).toMatchObject({ reason: 'insufficient_balance', balance: 10 });
    await anna.sees(/Расписание на паузе.*на балансе 10 токенов/s);
    expect(await stateOf(anna)).toMatchObject({ isOn: false, pausedFor: 'tokens', triggers: [] });
    expect(await triggersOf(anna)).toBe(0);
    await sql()`select refund_balance(${anna.id}, 1490, ${`back:${anna.id}`})`;
    await anna.forges(`project:${anna.projectId}:scheduler`);
    await anna.presses('Возобновить приостановленные');
    await anna.sees('1 расписание снова включено');
    expect(await stateOf(anna)).toMatchObject({ isOn: true, pausedFor: null });
    expect(await triggersOf(anna)).toBe(1);
  });

  it('is resumed from the receipt of a purchase', async () => {
    const anna = await scheduled();
    await sql()`select charge_balance(${anna.id}, 1490, ${`spent:${anna.id}`}, 'text_generation')`;
    await anna.fires();
    await anna.sees('Расписание на паузе');
    await buys(played.bot, anna, 'mini');
    await anna.presses('Возобновить расписания (1)');
    await anna.sees('1 расписание снова включено');
    expect(await stateOf(anna)).toMatchObject({ isOn: true, pausedFor: null });
  });

  it('beside another of the same person, with tokens for one: one publishes, the other pauses', async () => {
    const anna = await scheduled();
    const [second] = await sql()<[{ id: number }]>`
      insert into categories (project_id, name, keywords, image_settings)
      select project_id, 'Шкафы', keywords, image_settings from categories where id = ${anna.categoryId} returning id`;
    await anna.forges(`sched:${second.id}:${anna.connectionId}:preset:7w`);
    await anna.sees('Расписание включено');
    const [other] = await sql()<[{ id: number }]>`
      update platform_schedules set schedule_times = ${[anna.call.time]} where category_id = ${second.id} returning id`;
    await sql()`select charge_balance(${anna.id}, 1100, ${`spent:${anna.id}`}, 'text_generation')`;
    const runs = await Promise.all([anna.fires(), fires({ ...anna.call, schedule_id: other.id })]);
    const ends = runs.map(
      (run) => (run as { kind?: string; reason?: string }).kind ?? (run as { reason: string }).reason,
    );
    expect(ends.sort()).toEqual(['insufficient_balance', 'published']);
    expect(await anna.balance()).toBeGreaterThanOrEqual(0);
    expect(anna.site.posts.values()).toHaveLength(1);
  });

  it('goes on with the phrase that rested longest when all were used lately, and says so (E22)', async () => {
    const anna = await scheduled([aCluster(PHRASE)]);
    expect(await anna.fires()).toMatchObject({ kind: 'published', phrase: PHRASE });
    const report = await fires({ ...anna.call, attempt: 1 });
    expect(report).toMatchObject({ kind: 'published', phrase: PHRASE, reused: true });
    await anna.sees(new RegExp(`Фраза «${PHRASE}» использована повторно`, 'u'));
    expect(anna.labels()).toContain('Подобрать фразы');
  });

  it('publishes with fewer than three topics left, and asks for more (E23)', async () => {
    const anna = await scheduled([aCluster(PHRASE), aCluster('кухни угловые')]);
    expect(await anna.fires()).toMatchObject({ kind: 'published', few: true, reused: false });
    await anna.sees('Фраз осталось мало');
    expect(anna.labels()).toContain('Подобрать фразы');
  });

  it('gives the tokens back for a text that must not go out, and stays on (S03)', async () => {
    const anna = await scheduled();
    for (const task of ['article', 'article_critique'])
      played.models.spoil(task, anna.company, (answer) => awful(answer as ArticleAnswer));
    expect(await anna.fires()).toMatchObject({
      status: 'error',
      reason: 'content_validation_failed',
      isStopped: false,
    });
    await anna.sees(/не прошёл проверку качества.*Вернулось \d+ токенов/s);
    expect(await anna.balance()).toBe(1_500);
    expect(await stateOf(anna)).toMatchObject({ isOn: true, status: 'active' });
    expect(anna.site.posts.values()).toEqual([]);
  });

  it('gives the tokens back when the site does not answer, and stops at the third time (E02, E55, S02)', async () => {
    const anna = await scheduled();
    played.wordpress.faults.add({
      match: `POST /${anna.path}/`,
      times: always,
      fault: { kind: 'status', status: 401 },
    });
    expect(await anna.fires()).toMatchObject({ status: 'error', reason: 'publish_failed', isStopped: false });
    await anna.sees(/Не опубликовано.*Вернулось \d+/s);
    expect(await anna.balance()).toBe(1_500);
    expect(await stateOf(anna)).toMatchObject({ isOn: true });

    await sql()`
      update platform_schedules set error_count = 2 where category_id = ${anna.categoryId}`;
    await sql()`update platform_connections set status = 'active' where id = ${anna.connectionId}`;
    expect(await fires({ ...anna.call, attempt: 1 })).toMatchObject({
      reason: 'publish_failed',
      isStopped: true,
    });
    await anna.sees(/Расписание остановлено.*третья неудача/s);
    expect(await stateOf(anna)).toMatchObject({ isOn: false, status: 'error', triggers: [] });
    expect(await anna.balance()).toBe(1_500);
  });

  it('waits an hour when no model answers, and tries once more, not twice (S04)', async () => {
    const anna = await scheduled();
    played.suppliers.openRouter.faults.add({
      match: '.*',
      times: always,
      fault: { kind: 'status', status: 503 },
    });
    expect(await anna.fires()).toMatchObject({ reason: 'ai_service_unavailable', isAgainInAnHour: true });
    await anna.sees(/отложена на час/);
    expect(await anna.balance()).toBe(1_500);
    const again = await sql()<{ body: string; wait: number }[]>`
      select body, extract(epoch from not_before - now())::integer as wait from queued_calls
      where id like ${`again-${anna.call.schedule_id}-%`}`;
    expect(again).toHaveLength(1);
    expect(again[0]!.wait).toBeGreaterThan(3_000);
    const second = await fires(JSON.parse(again[0]!.body));
    expect(second).toMatchObject({ reason: 'ai_service_unavailable', isAgainInAnHour: false });
    played.mend();
    expect(await fires(JSON.parse(again[0]!.body))).toEqual(second);
  }, 120_000);

  it('does not guess when the answer of the site was lost: the charge stays, the owner is asked', async () => {
    const anna = await scheduled();
    const { faults } = played.wordpress;
    faults.add({ match: `POST /${anna.path}/wp-json/wp/v2/posts`, fault: { kind: 'hang-after' } });
    const report = anna.fires();
    await expect.poll(() => anna.site.posts.values(), { timeout: 60_000 }).toHaveLength(1);
    faults.clear();
    faults.add({ match: `/${anna.path}/`, times: always, fault: { kind: 'reset' } });
    expect(await report).toMatchObject({ status: 'ok', kind: 'unknown' });
    await anna.sees(/Ответ потерялся: статья могла выйти/, LONG);
    expect(anna.labels()).toEqual(
      expect.arrayContaining(['Открыть сайт', 'Она там', 'Её нет — вернуть токены']),
    );
    expect(await anna.balance()).toBeLessThan(1_500);
  });

  it('shows the draft first where its owner wants that, and publishes nothing', async () => {
    const anna = await scheduled();
    await sql()`update platform_schedules set asks_first = true where category_id = ${anna.categoryId}`;
    expect(await anna.fires()).toMatchObject({ status: 'ok', kind: 'waiting' });
    await anna.sees(/Черновик готов/);
    expect(anna.site.posts.values()).toEqual([]);
    await anna.presses('Пропустить');
    expect(await anna.balance()).toBe(1_500);
  });

  it('is skipped while its connection does not work, and says so once a day', async () => {
    const anna = await scheduled();
    await sql()`update platform_connections set status = 'error' where id = ${anna.connectionId}`;
    expect(await anna.fires()).toMatchObject({ reason: 'connection_inactive', isStopped: false });
    await anna.sees(/Подключение не работает/);
    expect(await fires({ ...anna.call, attempt: 1 })).toMatchObject({ reason: 'connection_inactive' });
    expect(anna.messages().filter(({ text }) => text?.includes('Подключение не работает'))).toHaveLength(1);
    expect(await anna.balance()).toBe(1_500);
  });

  it('skips a slot that was missed for more than an hour, and tells of it once', async () => {
    const anna = await scheduled();
    const time = hourOf(Date.now() - 3 * 3_600_000);
    await sql()`update platform_schedules set schedule_times = ${[time]} where category_id = ${anna.categoryId}`;
    const late = { ...anna.call, time };
    expect(await fires(late)).toEqual({ status: 'skipped', reason: 'missed' });
    await anna.sees(/Бот был недоступен/);
    expect(await fires(late)).toEqual({ status: 'skipped', reason: 'missed' });
    expect(anna.messages().filter(({ text }) => text?.includes('Бот был недоступен'))).toHaveLength(1);
  });

  it('plans by the rotation itself, lets a topic be replaced or moved, and writes what the plan says', async () => {
    const anna = await scheduled();
    const open = () => anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:plan`);
    const topicsShown = () => anna.labels().filter((label) => label.includes(' · '));
    await open();
    await anna.sees('Нажмите на публикацию');
    const [first, second] = topicsShown();
    expect(topicsShown()).toHaveLength(10);
    expect(topicOf(first!)).not.toBe(topicOf(second!));

    await anna.presses(first!);
    await anna.sees(`О чём: «${topicOf(first!)}»`);
    await anna.presses('Перенести на следующий раз');
    await anna.sees('Фраза перенесена');
    expect(topicsShown().slice(0, 2).map(topicOf)).toEqual([topicOf(second!), topicOf(first!)]);

    // What waits for the second slot is not taken by the first one again.
    await anna.presses(topicsShown()[0]!);
    await anna.presses('Вернуть автоматический выбор');
    await anna.sees('Фразу снова выберет бот');
    const planned = topicsShown().map(topicOf);
    expect(planned[1]).toBe(topicOf(first!));
    expect(planned[0]).not.toBe(topicOf(first!));

    // The slot of this very hour, as if its owner had chosen it before.
    const at = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
    await sql()`
      insert into planned_topics (schedule_id, slot_at, phrase) values (${anna.call.schedule_id}, ${at}, 'кухни из дерева')`;
    expect(await anna.fires()).toMatchObject({ kind: 'published', phrase: 'кухни из дерева' });
  });

  it('leaves a phrase to the later slot that its owner has chosen it for', async () => {
    const anna = await scheduled();
    await anna.forges(`sched:${anna.categoryId}:${anna.connectionId}:plan`);
    await anna.sees('Нажмите на публикацию');
    const next = topicOf(anna.labels().find((label) => label.includes(' · '))!);
    await sql()`
      insert into planned_topics (schedule_id, slot_at, phrase)
      values (${anna.call.schedule_id}, now() + interval '3 days', ${next})`;
    const ran = await anna.fires();
    expect(ran).toMatchObject({ kind: 'published', reused: false });
    expect(ran).not.toMatchObject({ phrase: next });
  });

  it('takes its triggers along when its category, connection or project is deleted (E11, E24)', async () => {
    for (const what of ['category', 'connection', 'project'] as const) {
      const anna = await scheduled();
      expect(await triggersOf(anna)).toBe(1);
      const where = {
        category: `category:${anna.categoryId}`,
        connection: `conn:${anna.connectionId}`,
        project: `project:${anna.projectId}`,
      };
      await anna.forges(`${where[what]}:delete`);
      await anna.presses('Да, удалить');
      expect([what, await triggersOf(anna)]).toEqual([what, 0]);
      // A trigger that was on its way finds nothing to do.
      expect(await anna.fires()).toEqual({ status: 'skipped', reason: 'schedule_disabled' });
    }
  });

  it('moves with the time zone of its project', async () => {
    const anna = await scheduled();
    const zones = async () =>
      (
        await sql()<{ zone: string }[]>`
          select time_zone as zone from scheduled_calls
          where (body::jsonb ->> 'connection_id')::integer = ${anna.connectionId}`
      ).map(({ zone }) => zone);
    expect(await zones()).toEqual(['Europe/Moscow']);
    await anna.forges(`project:${anna.projectId}:tz:8`);
    await anna.sees(/Владивосток/);
    expect(await zones()).toEqual(['Asia/Vladivostok']);
  });

  it('leaves everyone with what the ledger says', async () => {
    const wrong = [...(await unbalanced(sql()))];
    expect(wrong).toEqual([]);
  });
});

/** HH:00 in Moscow. */
const hourOf = (moment: number): string =>
  `${new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Moscow', hour: '2-digit' }).format(moment)}:00`;

/** «✓ завтра в 10:00 · кухни белые» → the phrase. */
const topicOf = (label: string): string => label.split(' · ')[1]!;
