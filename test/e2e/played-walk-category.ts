import { expect } from 'vitest';
import { addCategory } from '../support/accounts.ts';
import { LONG, type PlayedBot } from '../support/played-bot.ts';

/** People who have a category described: what they see, what it costs them, what is saved. */
export async function playDescriptionGenerate(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers } = played;
  await Promise.all([
    takesTheFourthVersion(),
    changesTheirMind(),
    isNotLet(),
    losesTheCategory(),
    goesElsewhere(),
  ]);
  // Models fail for everybody, so this comes alone.
  await getsNothingAtFirst();

  /** Two versions are free, the next is paid, and while it cannot be paid the text stays (E10). */
  async function takesTheFourthVersion(): Promise<void> {
    const anna = await atThePrice();
    const release = models.hold('description', anna.company);
    await anna.presses('Сгенерировать');
    await anna.sees('Пишу описание категории «Шторы»');
    await anna.sees(/Пишу описание.*Дольше обычного/s, LONG);
    release();
    const first = await text(anna, /Списано: 20 токенов\. На балансе: 1.480 токенов/);
    expect(anna.labels()).toEqual(['Сохранить', 'Ещё вариант (2/2)', 'Отмена']);

    const hold = models.hold('description', anna.company);
    await anna.presses('Ещё вариант');
    await anna.sees(/Пишу другой вариант.*Дольше обычного/s, LONG);
    hold();
    const second = await text(anna, /Списано: 20 токенов/);
    expect(second).not.toBe(first);
    await anna.presses('Ещё вариант (1/2)');
    await anna.sees(/Ещё вариант стоит 20 токенов: бесплатные закончились/, LONG);

    const rest = (await anna.balance())! - 10;
    await bot.app.sql`select charge_balance(${anna.id}, ${rest}, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Ещё вариант (20)');
    await anna.sees(/^⚠ Недостаточно токенов\. Нужно 20, у вас 10\./, LONG);
    expect(anna.labels()).toEqual(expect.arrayContaining(['Сохранить', 'Ещё вариант (20)', 'Отмена']));
    expect(await anna.balance()).toBe(10);
    await bot.app.sql`select credit_balance(${anna.id}, 30, ${`bought:${anna.id}`}, 'purchase')`;
    await anna.presses('Ещё вариант (20)');
    const fourth = await text(anna, /Списано: 40 токенов\. На балансе: 20 токенов/);
    await anna.presses('Сохранить');
    await anna.sees(/^Описание сохранено/);
    expect(await saved(anna.categoryId)).toBe(fourth);
  }

  async function changesTheirMind(): Promise<void> {
    const anna = await atThePrice();
    await anna.presses('Отмена');
    await anna.sees('Генерация описания отменена.');
    expect(await anna.balance()).toBe(1_500);
    await anna.presses('Сгенерировать (20)');
    await anna.sees('Стоимость: 20 токенов');
    await anna.presses('Сгенерировать');
    await anna.sees('токены не вернутся', LONG);
    await anna.presses('Отмена');
    await anna.sees(/Текст не сохранён\. Списано 20 токенов\./);
    expect(await saved(anna.categoryId)).toBeNull();
    expect(await anna.balance()).toBe(1_480);
  }

  /** E01 and E25: nothing is charged, no model is asked. */
  async function isNotLet(): Promise<void> {
    const anna = await atThePrice();
    const limit = `rate:${anna.id}:text_generation`;
    await bot.app.sql`
      insert into key_values (key, value, expires_at) values (${limit}, '100', now() + interval '1 hour')`;
    await anna.presses('Сгенерировать');
    await anna.sees(/^⚠ Слишком часто: не больше 100 текстов в час.*Стоимость: 20 токенов/s);
    await bot.app.sql`delete from key_values where key = ${limit}`;
    await bot.app.sql`select charge_balance(${anna.id}, 1490, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Сгенерировать');
    await anna.sees(/^⚠ Недостаточно токенов\. Нужно 20, у вас 10\./);
    expect(await anna.balance()).toBe(10);
  }

  async function losesTheCategory(): Promise<void> {
    const anna = await atThePrice();
    await anna.presses('Сгенерировать');
    await anna.sees('Списано: 20 токенов', LONG);
    await bot.app.sql`delete from categories where id = ${anna.categoryId}`;
    await anna.presses('Сохранить');
    await anna.sees(/^⚠ Этой категории больше нет/);
  }

  /** What was paid for is not lost with the dialogue. */
  async function goesElsewhere(): Promise<void> {
    const anna = await atThePrice();
    const release = models.hold('description', anna.company);
    await anna.presses('Сгенерировать');
    await anna.sees('Пишу описание');
    anna.says('/start');
    await anna.sees('готовый текст придёт сюда');
    release();
    await anna.sees(/^Описание готово · Шторы/, LONG);
    await anna.presses('Сохранить');
    await anna.sees(/^Описание сохранено/);
    expect(await saved(anna.categoryId)).toMatch(/Штор/);
    expect(await anna.balance()).toBe(1_480);
  }

  async function getsNothingAtFirst(): Promise<void> {
    const anna = await atThePrice();
    suppliers.openRouter.moods.add({ kind: 'fails', prompt: anna.company, times: null });
    await anna.presses('Сгенерировать');
    await anna.sees(/^⚠ .*Вернулось 20 токенов\..*Стоимость: 20 токенов/s, LONG);
    expect(await anna.balance()).toBe(1_500);
    played.mend();
    await anna.presses('Сгенерировать');
    await anna.sees('Списано: 20 токенов', LONG);
    // X18: the old text stays, the free version is not used up.
    suppliers.openRouter.moods.add({ kind: 'fails', prompt: anna.company, times: null });
    await anna.presses('Ещё вариант (2/2)');
    await anna.sees(/^⚠ .*Списано: 20 токенов/s, LONG);
    expect(anna.labels()).toContain('Ещё вариант (2/2)');
    played.mend();
  }

  async function atThePrice() {
    const anna = await played.newcomer();
    const categoryId = await addCategory(bot, anna.projectId, 'Шторы');
    await anna.forges(`category:${categoryId}:card`);
    await anna.presses('Описание');
    await anna.sees('Пока пусто');
    await anna.presses('Сгенерировать (20)');
    await anna.sees(/Описание категории · Шторы.*Стоимость: 20 токенов\nНа балансе: 1.500 токенов/s);
    return Object.assign(anna, { categoryId });
  }

  type Customer = Awaited<ReturnType<typeof atThePrice>>;

  /** What was written, as the person sees it. */
  async function text(anna: Customer, words: RegExp): Promise<string> {
    const { text: shown = '' } = await anna.sees(words, LONG);
    return /· Шторы\n\n(.*?)\n\n(?:⚠|Списано)/su.exec(shown)?.[1] ?? '';
  }

  async function saved(categoryId: number): Promise<string | null> {
    const [row] = await bot.app.sql`select description from categories where id = ${categoryId}`;
    return row?.description;
  }
}
