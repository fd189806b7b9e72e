import { expect } from 'vitest';
import { addCategory } from '../support/accounts.ts';
import { buysAndGoesOn } from '../support/buys.ts';
import { always, LONG, type PlayedBot } from '../support/played-bot.ts';
import { workbookOf } from '../support/workbook-of.ts';

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
    expect(anna.labels()).toEqual(['Сохранить', 'Ещё вариант (0/2)', 'Отмена']);

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
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/Списано: 20 токенов\. На балансе: 1.010 токенов/);
    expect(anna.labels()).not.toContain('Пополнить');
    await anna.presses('Ещё вариант (20)');
    const fourth = await text(anna, /Списано: 40 токенов\. На балансе: 990 токенов/);
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
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/Описание категории.*На балансе: 1.010 токенов/s);
    expect(anna.labels()).not.toContain('Пополнить');
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
    await anna.presses('Ещё вариант (0/2)');
    await anna.sees(/^⚠ .*Списано: 20 токенов/s, LONG);
    expect(anna.labels()).toContain('Ещё вариант (0/2)');
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

/** People who send their prices: what is refused, what is saved. */
export async function playPriceInput(played: PlayedBot): Promise<void> {
  const { bot } = played;
  await Promise.all([
    types(),
    sendsAWorkbook(),
    sendsTheWrongThings(),
    changesTheirMind(),
    losesTheCategory(),
  ]);

  async function types(): Promise<void> {
    const anna = await asked('Текстом');
    await anna.sees('каждый товар с новой строки');
    anna.says('Стол — 12 000 ₽\nСтул дорогой');
    await anna.sees(/^Формат: Товар — Цена \(каждый с новой строки\)\nНе понимаю строку 2: «Стул дорогой»/);
    expect(await saved(anna.categoryId)).toBeNull();
    anna.says('Стол — 12 000 ₽ — дуб\n\nСтул - 3000');
    await anna.sees(/^Цены сохранены: 2 позиции\..*• Стол — 12 000 ₽ — дуб\n• Стул — 3.000 ₽/s);
    expect(await saved(anna.categoryId)).toBe('Стол — 12 000 ₽ — дуб\nСтул — 3000');
  }

  async function sendsAWorkbook(): Promise<void> {
    const anna = await asked('Excel');
    await anna.sees('колонка A — название');
    anna.uploads('прайс.xlsx', await workbookOf(['Название', 'Цена'], ['Мягкая мебель'], ['Диван', 45_000]));
    await anna.sees(/^Цены сохранены: 1 позиция\./, LONG);
    await anna.presses('Скачать .xlsx');
    const file = await anna.sees('Диван — 45\u00a0000 ₽');
    expect(file).toBeDefined();
    await anna.presses('Текстом');
    await anna.sees('Новый список заменит прежний (1 позиция)');
    anna.uploads('прайс.xlsx', await workbookOf(['Диван', 46_000], ['Мягкая мебель'], ['Кресло', 9_000]));
    await anna.sees(/^Цены сохранены: 2 позиции\.\nБез цены и потому пропущено: 1 строка\./, LONG);
    await anna.presses('Удалить');
    await anna.presses('Да, удалить');
    await anna.sees(/^Цены удалены\./);
    expect(await saved(anna.categoryId)).toBeNull();
  }

  /** E09, and everything else that a person may take for a price list: one sentence each, and nothing is saved. */
  async function sendsTheWrongThings(): Promise<void> {
    const anna = await asked('Excel');
    const goods = Array.from({ length: 1_001 }, (_, i) => [`Товар ${i}`, i + 1]);
    const wrong: [Buffer, RegExp][] = [
      [await workbookOf(...goods), /макс\. 1000 строк, 5 МБ\nВ прайсе больше 1 000 товаров/],
      [Buffer.alloc(5 * 1024 * 1024 + 1, 1), /Файл слишком большой: можно до 5 МБ/],
      [Buffer.from('%PDF-1.4'), /Это PDF/],
      [await workbookOf(['Стол', new Date('2026-05-01')], ['Стул', 1]), /Вместо цены стоит дата/],
    ];
    for (const [bytes, reason] of wrong) {
      anna.uploads('прайс.xlsx', bytes);
      await anna.sees(reason, LONG);
    }
    anna.says('Стол — 1000');
    await anna.sees('отправьте файл');
    expect(await saved(anna.categoryId)).toBeNull();
  }

  async function changesTheirMind(): Promise<void> {
    const anna = await asked('Текстом');
    await anna.presses('Другим способом');
    await anna.sees('Как пришлёте прайс?');
    await anna.presses('Excel');
    await anna.sees('колонка A — название');
    await anna.presses('Другим способом');
    await anna.presses('Текстом');
    await anna.sees('каждый товар с новой строки');
    await anna.presses('Отмена');
    await anna.sees('Ввод цен отменён.');
    await anna.presses('Excel');
    await anna.sees('колонка A — название');
    await anna.presses('Отмена');
    await anna.presses('Excel');
    await anna.presses('Другим способом');
    await anna.sees('Как пришлёте прайс?');
    await anna.presses('Отмена');
    await anna.sees('Ввод цен отменён.');
  }

  async function losesTheCategory(): Promise<void> {
    const anna = await asked('Текстом');
    await bot.app.sql`delete from categories where id = ${anna.categoryId}`;
    anna.says('Стол — 1000');
    await anna.sees(/^Этой категории больше нет/);
  }

  async function asked(method: string) {
    const anna = await played.newcomer();
    const categoryId = await addCategory(bot, anna.projectId, 'Шторы');
    await anna.forges(`category:${categoryId}:card`);
    await anna.presses('Цены');
    await anna.sees('Цен пока нет');
    await anna.presses(method);
    return Object.assign(anna, { categoryId });
  }

  async function saved(categoryId: number): Promise<string | null> {
    const [row] = await bot.app.sql`select prices from categories where id = ${categoryId}`;
    return row?.prices;
  }
}

/** People who bring phrases of their own: nothing is charged, nothing is lost. */
export async function playKeywordUpload(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers } = played;
  await Promise.all([sendsAFile(), pastesAList(), sendsTheWrongThings(), isNotLet(), losesTheCategory()]);
  // Their suppliers fail for everybody, so they come one by one.
  await getsNoVolumes();
  await getsOneCluster();
  await isShownNothingOfTheGroups();

  async function sendsAFile(): Promise<void> {
    const anna = await asked();
    const release = models.hold('keyword_clusters', anna.company);
    anna.uploads('фразы.txt', phrases(200).join('\r\n'), 'text/plain');
    await anna.sees(/▸ Группирую фразы.*Можно уйти/s, LONG);
    await anna.sees(/▸ Группирую фразы.*Дольше обычного/s, LONG);
    release();
    await anna.sees(/^Готово: \d+ кластер.* \(200 фраз\)\./, LONG);
    expect(await counts(anna.categoryId)).toMatchObject({ phrases: 200 });
    expect(await anna.balance()).toBe(1_500);
  }

  async function pastesAList(): Promise<void> {
    const anna = await asked();
    anna.says('шторы блэкаут\nшторы в детскую\nшторы для кухни');
    await anna.sees(/^Готово: .*\(3 фразы\)/, LONG);
    await anna.forges(`kw:${anna.categoryId}:upload`);
    await anna.sees('одна фраза на строке');
    // Without one of these letters in UTF-8: as Windows writes it.
    anna.uploads('фразы.txt', Buffer.from([0xf8, 0xf2, 0xee, 0xf0, 0xfb, 0x0a, ...KITCHEN]), 'text/plain');
    await anna.sees(/\(2 фразы\)\.\nНовых среди них: 1.*Windows-1251/s, LONG);
    expect(await counts(anna.categoryId)).toMatchObject({ phrases: 4 });
  }

  async function sendsTheWrongThings(): Promise<void> {
    const anna = await asked();
    const wrong: [Buffer | string, RegExp][] = [
      [phrases(501).join('\n'), /^Загрузите TXT-файл \(UTF-8\).*\nВ списке фраз: 501/],
      [`шторы\n${'ы'.repeat(101)}`, /Строка 2 длиннее 100 символов/],
      [Buffer.alloc(1024 * 1024 + 1, 'а'), /Файл слишком большой: можно до 1 МБ/],
      [await workbookOf(['шторы', 1]), /Это таблица Excel/],
      [' \n ', /нет ни одной фразы/],
    ];
    for (const [bytes, reason] of wrong) {
      anna.uploads('фразы.txt', bytes);
      await anna.sees(reason, LONG);
    }
    await anna.presses('Отмена');
    await anna.sees('Загрузка фраз отменена.');
    expect(await counts(anna.categoryId)).toMatchObject({ phrases: 0 });
  }

  /** E25. */
  async function isNotLet(): Promise<void> {
    const anna = await asked();
    const limit = `rate:${anna.id}:keyword_generation`;
    await bot.app.sql`
      insert into key_values (key, value, expires_at) values (${limit}, '50', now() + interval '1 hour')`;
    anna.says('шторы блэкаут');
    await anna.sees(/^Слишком часто: не больше 50 подборов фраз в час/);
    expect(await counts(anna.categoryId)).toMatchObject({ phrases: 0 });
  }

  async function losesTheCategory(): Promise<void> {
    const anna = await asked();
    const release = models.hold('keyword_clusters', anna.company);
    anna.says('шторы блэкаут\nшторы в детскую');
    await anna.sees('▸ Группирую фразы', LONG);
    await bot.app.sql`delete from categories where id = ${anna.categoryId}`;
    release();
    await anna.sees(/^Этой категории больше нет/, LONG);
  }

  /** E03b. */
  async function getsNoVolumes(): Promise<void> {
    const anna = await asked();
    suppliers.dataForSeo.faults.add({ match: 'live', times: always, fault: { kind: 'hang' } });
    anna.says('шторы блэкаут\nшторы в детскую');
    await anna.sees(/▸ Узнаю, как часто ищут/, LONG);
    await anna.sees(/▸ Узнаю, как часто ищут.*Дольше обычного/s, LONG);
    played.mend();
    suppliers.dataForSeo.faults.add({ match: 'live', times: always, fault: { kind: 'status', status: 401 } });
    await anna.sees(/^Готово: 2 фразы\.\n⚠ Данные без объёмов поиска/, LONG);
    expect(await counts(anna.categoryId)).toEqual({ clusters: 0, phrases: 2 });
    played.mend();
  }

  /** X17. */
  async function getsOneCluster(): Promise<void> {
    const anna = await asked();
    suppliers.openRouter.moods.add({ kind: 'fails', prompt: anna.company, times: null });
    anna.says('шторы блэкаут\nшторы в детскую');
    await anna.sees(/^Готово: 1 кластер \(2 фразы\)\.\n⚠ Нейросеть не ответила/, LONG);
    const [row] = await bot.app.sql`
      select keywords->0->>'cluster_name' as name from categories where id = ${anna.categoryId}`;
    expect(row?.name).toBe('Шторы');
    played.mend();
  }

  /** Telegram refuses to show the second stage, so the result follows the first. */
  async function isShownNothingOfTheGroups(): Promise<void> {
    const anna = await asked();
    const release = models.hold('keyword_clusters', anna.company);
    bot.telegram.faults.add({
      match: 'editMessageText',
      fault: { kind: 'status', status: 429, retryAfter: 60 },
    });
    anna.says('шторы блэкаут\nшторы в детскую');
    await expect.poll(() => bot.telegram.faults.list()).toEqual([]);
    release();
    await anna.sees(/^Готово: .*\(2 фразы\)/, LONG);
  }

  async function asked() {
    const anna = await played.newcomer();
    const categoryId = await addCategory(bot, anna.projectId, 'Шторы');
    await anna.forges(`category:${categoryId}:card`);
    await anna.presses('Фразы');
    await anna.presses('Загрузить файл');
    await anna.sees(/Свои фразы · Шторы.*Это бесплатно/s);
    return Object.assign(anna, { categoryId });
  }

  async function counts(categoryId: number) {
    const [row] = await bot.app.sql`
      select (keyword_counts(keywords)).* from categories where id = ${categoryId}`;
    return { clusters: row?.clusters, phrases: row?.phrases };
  }
}

/** «шторы для кухни» in Windows-1251. */
const KITCHEN = [
  ...[0xf8, 0xf2, 0xee, 0xf0, 0xfb, 0x20, 0xe4, 0xeb, 0xff, 0x20],
  ...[0xea, 0xf3, 0xf5, 0xed, 0xe8],
];

const phrases = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `шторы ${['купить', 'пошив', 'цена', 'ткань'][i % 4]} ${i}`);

/** People who have sample reviews written: what they see, what it costs them, what is saved. */
export async function playReviewGeneration(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers } = played;
  await Promise.all([
    takesTheFourthSet(),
    changesTheirMind(),
    isNotLet(),
    losesTheCategory(),
    goesElsewhere(),
  ]);
  // Models fail for everybody, so this comes alone.
  await getsNothingAtFirst();

  async function takesTheFourthSet(): Promise<void> {
    const anna = await asked();
    await anna.presses('10');
    await anna.sees(/10 образцов по 10 токенов.*не больше 100 токенов\nНа балансе: 1.500 токенов/s);
    await anna.presses('Другое количество');
    await anna.presses('3');
    await anna.sees('не больше 30 токенов');
    const release = models.hold('review', anna.company);
    await anna.presses('Сгенерировать');
    await anna.sees(/Пишу отзывы.*Дольше обычного/s, LONG);
    release();
    const first = await anna.sees(/★.*Списано: 30 токенов\. На балансе: 1.470 токенов/s, LONG);
    const hold = models.hold('review', anna.company);
    await anna.presses('Ещё вариант (0/2)');
    await anna.sees(/Пишу другие отзывы.*Дольше обычного/s, LONG);
    hold();
    const second = await anna.sees(/★.*Списано: 30 токенов/s, LONG);
    expect(second.text).not.toBe(first.text);
    await anna.presses('Ещё вариант (1/2)');
    await anna.sees('Ещё вариант стоит 30 токенов: бесплатные закончились', LONG);
    // E10.
    const rest = (await anna.balance())! - 10;
    await bot.app.sql`select charge_balance(${anna.id}, ${rest}, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Ещё вариант (30)');
    await anna.sees(/^⚠ Недостаточно токенов\. Нужно 30, у вас 10\..*★/s, LONG);
    expect(await anna.balance()).toBe(10);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/★.*На балансе: 1.010 токенов/s);
    await anna.presses('Сохранить');
    await anna.sees(/^Сохранено: 3 образца\..*Образцы: 3 — их написала нейросеть/s);
    expect(await stored(anna.categoryId)).toHaveLength(3);
    // What customers have really said is typed on a page of its own, and stands apart.
    await anna.presses('Добавить настоящие');
    await anna.sees('каждый отдельным абзацем');
    anna.says('да');
    await anna.sees(/^Отзыв 1 слишком короткий: «да»/);
    anna.says('Ольга П.\nШторы сшили за три дня, сели идеально.\n\nМастер приехал вовремя и всё повесил.');
    await anna.sees(/^Добавлено: 2 отзыва.*Настоящие: 2.*Ольга П\.: Шторы сшили/s);
    expect(await stored(anna.categoryId)).toHaveLength(5);
    await anna.presses('Удалить все');
    await anna.sees(/2 настоящих отзыва\n• 3 образца/);
    await anna.presses('Да, удалить');
    await anna.sees(/^Отзывы удалены/);
  }

  async function changesTheirMind(): Promise<void> {
    const anna = await asked();
    await anna.presses('Отмена');
    await anna.sees('Генерация отзывов отменена.');
    await atThePrice(anna);
    await anna.presses('Отмена');
    await anna.sees('Генерация отзывов отменена.');
    expect(await anna.balance()).toBe(1_500);
    await atThePrice(anna);
    await anna.presses('Сгенерировать');
    await anna.sees('токены не вернутся', LONG);
    await anna.presses('Отмена');
    await anna.sees(/Отзывы не сохранены\. Списано 30 токенов/);
    expect(await stored(anna.categoryId)).toEqual([]);
  }

  /** E38a and E25: nothing is charged, no model is asked; fewer can be chosen. */
  async function isNotLet(): Promise<void> {
    const anna = await asked();
    await bot.app.sql`select charge_balance(${anna.id}, 1465, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Отмена');
    await anna.presses('Сгенерировать образцы');
    await anna.presses('5');
    await anna.sees(/На балансе: 35 токенов, не хватает 15.*Нужно 50 токенов, у вас 35 токенов/s);
    await anna.presses('Сгенерировать');
    await anna.sees(/^⚠ Недостаточно токенов\. Нужно 50, у вас 35\./);
    await anna.presses('Меньше отзывов');
    await anna.presses('3');
    const limit = `rate:${anna.id}:text_generation`;
    await bot.app.sql`
      insert into key_values (key, value, expires_at) values (${limit}, '100', now() + interval '1 hour')
      on conflict (key) do update set value = excluded.value`;
    await anna.sees('не больше 30 токенов');
    await anna.presses('Сгенерировать');
    await anna.sees(/^⚠ Слишком часто: не больше 100 текстов в час/);
    expect(await anna.balance()).toBe(35);
    await buysAndGoesOn(bot, anna, 'mini');
    await anna.sees(/не больше 30 токенов\nНа балансе: 1.035 токенов/s);
    expect(anna.labels()).not.toContain('Пополнить');
  }

  async function losesTheCategory(): Promise<void> {
    const anna = await asked();
    await anna.presses('3');
    await anna.sees('не больше 30 токенов');
    await anna.presses('Сгенерировать');
    await anna.sees('Списано: 30 токенов', LONG);
    await bot.app.sql`delete from categories where id = ${anna.categoryId}`;
    await anna.presses('Сохранить');
    await anna.sees(/^⚠ Этой категории больше нет/);
  }

  async function goesElsewhere(): Promise<void> {
    const anna = await asked();
    await anna.presses('3');
    await anna.sees('не больше 30 токенов');
    const release = models.hold('review', anna.company);
    await anna.presses('Сгенерировать');
    await anna.sees('Пишу отзывы');
    anna.says('/start');
    await anna.sees('готовые придут сюда');
    release();
    await anna.sees(/^Отзывы готовы · Шторы/, LONG);
    await anna.presses('Сохранить');
    await anna.sees(/^Сохранено: 3 образца/);
    expect(await stored(anna.categoryId)).toHaveLength(3);
  }

  async function getsNothingAtFirst(): Promise<void> {
    const anna = await asked();
    await anna.presses('3');
    await anna.sees('не больше 30 токенов');
    suppliers.openRouter.moods.add({ kind: 'fails', prompt: anna.company, times: null });
    await anna.presses('Сгенерировать');
    await anna.sees(/^⚠ .*Вернулось 30 токенов/s, LONG);
    expect(await anna.balance()).toBe(1_500);
    played.mend();
  }

  async function asked() {
    const anna = await played.newcomer();
    const categoryId = await addCategory(bot, anna.projectId, 'Шторы');
    await anna.forges(`category:${categoryId}:card`);
    await anna.presses('Отзывы');
    await anna.sees('Пока пусто');
    await anna.presses('Сгенерировать образцы');
    await anna.sees('Сколько образцов написать?');
    return Object.assign(anna, { categoryId });
  }

  async function atThePrice(anna: Awaited<ReturnType<typeof asked>>): Promise<void> {
    await anna.presses('Сгенерировать образцы');
    await anna.sees('Сколько образцов написать?');
    await anna.presses('3');
    await anna.sees('не больше 30 токенов');
  }

  async function stored(categoryId: number): Promise<unknown[]> {
    const [row] = await bot.app.sql`select reviews from categories where id = ${categoryId}`;
    return row?.reviews ?? [];
  }
}
