import { expect } from 'vitest';
import { addCategory } from '../support/accounts.ts';
import { buysAndGoesOn } from '../support/buys.ts';
import type { ScriptedPerson } from '../support/person.ts';
import { always, LONG, type PlayedBot } from '../support/played-bot.ts';

const choices = [
  ['Взять «Шторы»', '(2/3)'],
  ['Москва', '(3/3)'],
  ['50', 'Подбор фраз · Шторы'],
] as const;

/** People who look for phrases: what they see, what it costs them, what is in the category afterwards. */
export async function playKeywordGeneration(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers } = played;
  await Promise.all([
    answersBadlyFirst(),
    waitsForTheGroups(),
    losesTheCategoryWhileEnriching(),
    changesTheirMind(),
    isNotLet(),
  ]);
  // Their suppliers fail for everybody, so they come one by one.
  await missesTheLastStage();
  await losesTheCategoryWhileGrouping();
  await getsInventedPhrases();
  await getsNothingAtFirst();
  await outlivesTheProcess();

  async function answersBadlyFirst(): Promise<void> {
    const anna = await asked();
    anna.says('?');
    await anna.sees(/^Опишите товары\/услуги подробнее/);
    anna.says('шторы, карнизы');
    await anna.sees('(2/3)');
    anna.says('К');
    await anna.sees(/^Укажите географию работы/);
    anna.says('Казань');
    await anna.sees('(3/3)');
    await anna.presses('100');
    await anna.sees('Количество: 100 фраз');
    await anna.presses('Изменить');
    await anna.sees('Сейчас: шторы, карнизы');
    await anna.presses('Оставить как есть');
    await anna.sees('Сейчас: Казань');
    await anna.presses('Оставить как есть');
    await anna.sees('(3/3)');
    await anna.presses('50');
    await anna.sees(/шторы, карнизы\nГеография: Казань\nКоличество: 50 фраз.*не больше 50 токенов/s);
    const release = models.hold('seed_normalize', anna.company);
    await anna.presses('Подобрать');
    await anna.sees('▸ Получаю реальные поисковые фразы');
    await anna.sees('Дольше обычного', LONG);
    release();
    await isPaid(anna, await anna.sees(/^Готово: \d+ кластер/, LONG));

    // The answer about the place was kept as the company's city.
    await anna.forges(`kw:${anna.categoryId}:gen`);
    await anna.sees('(1/3)');
    await chooses(anna, 1);
    await anna.presses('Казань');
    await anna.sees('(3/3)');
  }

  async function waitsForTheGroups(): Promise<void> {
    const anna = await atThePrice();
    const release = models.hold('keyword_clusters', anna.company);
    await anna.presses('Подобрать');
    await anna.sees(/▸ Группирую фразы.*Можно уйти/s, LONG);
    await anna.sees(/▸ Группирую фразы.*Дольше обычного/s, LONG);
    release();
    await isPaid(anna, await anna.sees(/^Готово: \d+ кластер/, LONG));
  }

  async function changesTheirMind(): Promise<void> {
    const anna = await asked();
    for (const steps of [0, 1, 2, 3]) {
      await chooses(anna, steps);
      await anna.presses('Отмена');
      await anna.sees('Подбор фраз отменён.');
      await anna.presses('Подобрать');
      await anna.sees('(1/3)');
    }
    expect(await anna.balance()).toBe(1_500);
  }

  /** E01 and E25. */
  async function isNotLet(): Promise<void> {
    const anna = await atThePrice();
    const limit = `rate:${anna.id}:keyword_generation`;
    await bot.app.sql`
      insert into key_values (key, value, expires_at) values (${limit}, '50', now() + interval '1 hour')`;
    await anna.presses('Подобрать');
    await anna.sees(/^⚠ Слишком часто: не больше 50 подборов фраз в час.*Подбор фраз · Шторы/s);
    await bot.app.sql`delete from key_values where key = ${limit}`;
    await bot.app.sql`select charge_balance(${anna.id}, 1490, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Подобрать');
    await anna.sees(/^⚠ Недостаточно токенов\. Нужно 50, у вас 10\./);
    expect(await anna.balance()).toBe(10);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/Подбор фраз · Шторы.*На балансе: 1 010 токенов/s);
  }

  async function missesTheLastStage(): Promise<void> {
    const anna = await whoseGroupsAreNotShown();
    models.releaseAll();
    await isPaid(anna, await anna.sees(/^Готово: \d+ кластер/, LONG));
  }

  async function losesTheCategoryWhileGrouping(): Promise<void> {
    const anna = await whoseGroupsAreNotShown();
    await bot.app.sql`delete from categories where id = ${anna.categoryId}`;
    models.releaseAll();
    await anna.sees(/^Подобрать фразы не получилось\..*Этой категории больше нет\. Вернулось 50/s, LONG);
    expect(await anna.balance()).toBe(1_500);
  }

  async function losesTheCategoryWhileEnriching(): Promise<void> {
    const anna = await atThePrice();
    const release = models.hold('keyword_clusters', anna.company);
    suppliers.dataForSeo.faults.add({ match: 'search_volume', fault: { kind: 'hang' } });
    await anna.presses('Подобрать');
    await anna.sees('▸ Группирую фразы', LONG);
    release();
    await anna.sees(/▸ Обогащаю данные.*Можно уйти/s, LONG);
    await anna.sees(/▸ Обогащаю данные.*Дольше обычного/s, LONG);
    await bot.app.sql`delete from categories where id = ${anna.categoryId}`;
    suppliers.dataForSeo.faults.clear();
    await anna.sees(/^Подобрать фразы не получилось\..*Вернулось 50/s, LONG);
    expect(anna.labels(), 'there is nothing to try again').toEqual(['К категории']);
    await anna.presses('К категории');
    await anna.sees('Проекты');
    expect(await anna.balance()).toBe(1_500);
  }

  /** E03a. */
  async function getsInventedPhrases(): Promise<void> {
    const anna = await atThePrice();
    suppliers.dataForSeo.faults.add({ match: 'live', times: always, fault: { kind: 'status', status: 401 } });
    await anna.presses('Подобрать');
    await isPaid(anna, await anna.sees(/^Готово: \d+ фраз.*Данные без реальных объёмов поиска/s, LONG));
    played.mend();
  }

  async function getsNothingAtFirst(): Promise<void> {
    const anna = await atThePrice();
    suppliers.dataForSeo.faults.add({ match: 'live', times: always, fault: { kind: 'status', status: 401 } });
    suppliers.openRouter.moods.add({ kind: 'fails', prompt: anna.company, times: null });
    await anna.presses('Подобрать');
    await anna.sees(/^Подобрать фразы не получилось\..*Вернулось 50 токенов\./s, LONG);
    expect(await anna.balance()).toBe(1_500);
    played.mend();
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/^Продолжаем.*Подобрать фразы не получилось/s);
    suppliers.dataForSeo.faults.add({ match: 'search_volume', fault: { kind: 'hang' } });
    await anna.presses('Повторить');
    await anna.sees('▸ Обогащаю данные', LONG);
    played.mend();
    await isPaid(anna, await anna.sees(/^Готово: \d+ кластер/, LONG), 2_500);
  }

  /** Nothing could be shown to them before; the next process has all but the last stage behind it at once. */
  async function outlivesTheProcess(): Promise<void> {
    const anna = await atThePrice();
    bot.telegram.faults.add(editsRefused);
    suppliers.dataForSeo.faults.add({ match: 'search_volume', fault: { kind: 'hang' } });
    await anna.presses('Подобрать');
    await expect
      .poll(() => [...suppliers.dataForSeo.faults.list(), ...bot.telegram.faults.list()])
      .toEqual([]);
    suppliers.dataForSeo.faults.add({ match: 'search_volume', fault: { kind: 'hang' } });
    await bot.restart(0);
    await bot.app.sql`update operations set lease_until = clock_timestamp() where status = 'running'`;
    await anna.sees('▸ Обогащаю данные', LONG);
    played.mend();
    await isPaid(anna, await anna.sees(/^Готово: \d+ кластер/, LONG));
  }

  /** Telegram refuses to show the second stage, so nothing is said of the third. */
  async function whoseGroupsAreNotShown() {
    const anna = await atThePrice();
    const release = models.hold('seed_normalize', anna.company);
    models.hold('keyword_clusters', anna.company);
    await anna.presses('Подобрать');
    await anna.sees('▸ Получаю реальные поисковые фразы');
    bot.telegram.faults.add(editsRefused);
    release();
    await expect.poll(() => bot.telegram.faults.list()).toEqual([]);
    return anna;
  }

  async function atThePrice() {
    const anna = await asked();
    await chooses(anna, choices.length);
    return anna;
  }

  async function chooses(anna: ScriptedPerson, steps: number): Promise<void> {
    for (const [label, next] of choices.slice(0, steps)) {
      await anna.presses(label);
      await anna.sees(next);
    }
  }

  async function asked() {
    const anna = await played.newcomer();
    const categoryId = await addCategory(bot, anna.projectId, 'Шторы');
    await anna.forges(`kw:${categoryId}:gen`);
    await anna.sees('Подбор фраз (1/3)');
    return Object.assign(anna, { categoryId });
  }

  type Seeker = Awaited<ReturnType<typeof asked>>;

  /** Exactly what was said to be charged is gone, and there are as many phrases. */
  async function isPaid(anna: Seeker, { text = '' }: { text?: string }, had = 1_500): Promise<void> {
    const spent = Number(/Списано (\d+)/.exec(text)?.[1]);
    expect(await anna.balance()).toBe(had - spent);
    const [row] = await bot.app.sql`
      select (keyword_counts(keywords)).phrases from categories where id = ${anna.categoryId}`;
    expect(row?.phrases).toBeGreaterThanOrEqual(spent);
  }
}

const editsRefused = {
  match: 'editMessageText',
  fault: { kind: 'status', status: 429, retryAfter: 60 },
} as const;
