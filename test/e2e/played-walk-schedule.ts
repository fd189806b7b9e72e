import { expect } from 'vitest';
import type { Customer, PlayedBot } from '../support/played-bot.ts';
import { refusing } from '../support/refusing-database.ts';

/** People who plan what is published, on the embedded scheduler. */
export async function playScheduleSetup(played: PlayedBot): Promise<void> {
  const { sql } = played.bot.app;
  await Promise.all([plansAndPlansAnew(), changesTheirMind(), meetsASchedulerThatIsAway()]);

  async function plansAndPlansAnew(): Promise<void> {
    const anna = await atTheDays();
    await anna.presses('Готово');
    await anna.sees(/^Выберите хотя бы один день/);
    await anna.presses('Вт');
    await anna.presses('Пн');
    await anna.presses('✓ Вт');
    await atTheCount(anna);
    await anna.presses('Назад');
    await anna.sees('По каким дням публиковать?');
    await atTheCount(anna);
    await anna.presses('2');
    await anna.presses('09:00');
    await anna.presses('Готово (1/2)'); // drawn anew: it says how many are chosen
    await anna.sees(/^Выберите ровно 2 временных слота/);
    await anna.presses('18:00');
    await anna.presses('20:00');
    await anna.sees(/^Выберите ровно 2 временных слота/);
    await anna.presses('Назад');
    await anna.sees('Сколько публикаций в день?');
    await anna.presses('2');
    await anna.presses('Готово (2/2)');
    await anna.sees(/Расписание включено.*Пн в 09:00, 18:00.*Первая публикация/s);
    expect(await triggersOf(anna)).toEqual(['0 18 * * 1', '0 9 * * 1']);

    // Another time for one of the two: the old trigger goes, the other one stays.
    await anna.presses('Изменить');
    await anna.presses('Выбрать дни и часы');
    await atTheCount(anna);
    await anna.presses('2');
    await anna.presses('✓ 18:00');
    await anna.presses('21:00');
    await anna.presses('Готово (2/2)');
    await anna.sees(/Расписание включено.*Пн в 09:00, 21:00/s);
    expect(await triggersOf(anna)).toEqual(['0 21 * * 1', '0 9 * * 1']);
  }

  async function changesTheirMind(): Promise<void> {
    const anna = await atTheDays();
    await anna.presses('Отмена');
    await again(anna, 'Расписание осталось прежним.');
    await anna.presses('Пн');
    await atTheCount(anna);
    await anna.presses('Отмена');
    await again(anna, 'Расписание осталось прежним.');
    await anna.presses('Пн');
    await atTheCount(anna);
    await anna.presses('1');
    await anna.sees('Во сколько?');
    await anna.presses('Отмена');
    await anna.sees('Расписание осталось прежним.');
    expect(await triggersOf(anna)).toEqual([]);
  }

  async function meetsASchedulerThatIsAway(): Promise<void> {
    const anna = await atTheDays();
    const [{ id }] = await sql<[{ id: number }]>`
      insert into platform_schedules (category_id, platform_type, connection_id)
      values (${anna.categoryId}, 'wordpress', ${anna.connectionId}) returning id`;
    const isBack = await refusing(sql, 'scheduled_calls', `new.id like 'schedule-${id}-%'`);
    await anna.presses('Ср');
    await atTheCount(anna);
    await anna.presses('1');
    await anna.presses('10:00');
    await anna.presses('Готово (1/1)');
    await anna.sees(/^Планировщик сейчас не отвечает.*Расписание осталось прежним/s);
    await anna.presses('Отмена');
    await again(anna, 'Расписание осталось прежним.');
    await anna.presses('Ср');
    await atTheCount(anna);
    await anna.presses('1');
    await anna.presses('10:00');
    await anna.presses('Готово (1/1)');
    await anna.sees(/^Планировщик сейчас не отвечает/);
    expect(await triggersOf(anna)).toEqual([]);
    await isBack();
    await anna.presses('Повторить');
    await anna.sees('Расписание включено');
    expect(await triggersOf(anna)).toEqual(['0 10 * * 3']);
  }

  async function atTheDays(): Promise<Customer> {
    const anna = await played.customer();
    await anna.presses('Проекты');
    await anna.presses('Кухни');
    await anna.presses('Расписание');
    await anna.sees('Пока ничего не запланировано.');
    await anna.presses('Кухни на заказ');
    await anna.presses(/WordPress/);
    await anna.sees('Расписания пока нет.');
    await anna.presses('Выбрать дни и часы');
    await anna.sees('По каким дням публиковать?');
    return anna;
  }

  async function atTheCount(anna: Customer): Promise<void> {
    await anna.presses('Готово');
    await anna.sees('Сколько публикаций в день?');
  }

  async function again(anna: Customer, words: string): Promise<void> {
    await anna.sees(words);
    await anna.presses('Выбрать дни и часы');
    await anna.sees('По каким дням публиковать?');
  }

  async function triggersOf(anna: Customer): Promise<string[]> {
    const rows = await sql<{ cron: string }[]>`
      select cron from scheduled_calls
      where (body::jsonb ->> 'connection_id')::integer = ${anna.connectionId} order by cron`;
    return rows.map(({ cron }) => cron);
  }
}
