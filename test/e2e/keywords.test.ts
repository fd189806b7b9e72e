import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { startSupplierStandIns } from '../../src/sandbox/supplier-stand-ins.ts';
import { addCategory, personWithProjects } from '../support/accounts.ts';
import { grounds, startBot, type TestBot } from '../support/bot.ts';
import type { ScriptedPerson } from '../support/person.ts';
import { balanceOf, unbalanced } from '../support/rows.ts';

// Real work on stand-ins: suppliers that fail are asked again after a second or two.
const LONG = { timeoutMs: 60_000 };
const always = Number.POSITIVE_INFINITY;

type Suppliers = Awaited<ReturnType<typeof startSupplierStandIns>>;

let played: Suppliers;
beforeAll(async () => {
  played = await startSupplierStandIns(loadConfig({}).suppliers, { modelThinksMs: 0 });
});
afterEach(() => {
  for (const { faults } of played.standIns) faults.clear();
});
afterAll(() => played.close());

describe.each(grounds)('phrases for a category, %s', (ground) => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot(ground, supplierSettings());
  });
  afterAll(() => bot.stop());

  it('come from three answers, are paid for by the piece, and are looked through', async () => {
    const anna = await inCategory();
    await anna.sees('Фраз пока нет');
    await anna.presses('Подобрать');
    await anna.sees('Подбор фраз (1/3)');
    anna.says('ок');
    await anna.sees(/^Опишите товары\/услуги подробнее/);
    await anna.presses('Взять «Римские шторы»');
    await anna.sees('Подбор фраз (2/3)');
    anna.says('К');
    await anna.sees(/^Укажите географию работы/);
    await anna.presses('СПб');
    await anna.sees('Подбор фраз (3/3)');
    anna.says('сто');
    await anna.sees(/^Пожалуйста, выберите вариант кнопкой/);
    await anna.presses('50');
    await anna.sees(
      /Товары и услуги: Римские шторы\nГеография: Санкт-Петербург\nКоличество: 50 фраз.*не больше 50 токенов/s,
    );
    await anna.presses('Подобрать');
    const { text } = await anna.sees(/^Готово: \d+ кластер/, LONG);
    expect(text).toMatch(/Объёмы поиска: Google, (Украина|Казахстан) \(русский язык\)\.\n\nКлючевые фразы/);
    expect(anna.labels()).toEqual(['Написать статью', 'Кластеры', 'К категории']);

    const spent = Number(/Списано (\d+)/.exec(text ?? '')?.[1]);
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(1_500 - spent);
    expect(await cityOf(anna)).toBe('Санкт-Петербург');

    await anna.presses('Кластеры');
    await anna.sees('Кластер — это фразы с одним смыслом');
    await anna.presses(/· \d+ фраз/);
    await anna.sees(/Главная фраза: «.+»\n\n• /s);
    await anna.presses('Удалить фразы');
    const [doomed] = anna.labels();
    await anna.presses(doomed!);
    await anna.sees('Удаление фраз');
    expect(anna.labels()).not.toContain(doomed);
  });

  it('come as a file that a spreadsheet opens', async () => {
    const anna = await withPhrases();
    await anna.presses('CSV');
    await expect.poll(() => anna.messages().some(({ document }) => document !== undefined)).toBe(true);
    expect(anna.messages().find(({ document }) => document)?.document?.file_name).toMatch(
      /^keywords-\d+\.csv$/,
    );
  });

  it('are changed before anything is paid, answer by answer', async () => {
    const anna = await atConfirmation();
    await anna.presses('Изменить');
    await anna.sees(/\(1\/3\).*Сейчас: Римские шторы/s);
    await anna.presses('Оставить как есть');
    await anna.sees(/\(2\/3\).*Сейчас: Москва/s);
    anna.says('Казань и Татарстан');
    await anna.sees('(3/3)');
    await anna.presses('200');
    await anna.sees(/Римские шторы\nГеография: Казань и Татарстан\nКоличество: 200 фраз/);
  });

  it('are invented, and marked so, while the statistics are out of reach (E03a)', async () => {
    played.byName.dataForSeo!.faults.add({
      match: 'live',
      times: always,
      fault: { kind: 'status', status: 401 },
    });
    const anna = await atConfirmation();
    await anna.presses('Подобрать');
    await anna.sees(/^Готово: \d+ фраз.*Данные без реальных объёмов поиска/s, LONG);
    expect(anna.labels()).toEqual(['Написать статью', 'Фразы', 'К категории']);
    await anna.presses('Фразы');
    await anna.sees(/— нет данных/);
  });

  it('cost nothing when no model answers either, and are sought again at one press', async () => {
    played.byName.dataForSeo!.faults.add({
      match: 'live',
      times: always,
      fault: { kind: 'status', status: 401 },
    });
    played.byName.openRouter!.faults.add({
      match: 'completions',
      times: always,
      fault: { kind: 'status', status: 401 },
    });
    const anna = await atConfirmation();
    await anna.presses('Подобрать');
    await anna.sees(/^Подобрать фразы не получилось\..*Вернулось 50 токенов\./s, LONG);
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(1_500);
    expect(anna.labels()).toEqual(['Повторить', 'К категории']);

    for (const { faults } of played.standIns) faults.clear();
    await anna.presses('Повторить');
    await anna.sees(/^Готово: \d+ кластер/, LONG);
  });

  it('are not sought for less than they cost (E01)', async () => {
    const anna = await atConfirmation();
    await bot.app.sql`select charge_balance(${anna.id}, 1490, ${`spent:${anna.id}`}, 'review')`;
    await anna.presses('Подобрать');
    await anna.sees(/^⚠ Недостаточно токенов\. Нужно 50, у вас 10\..*Подбор фраз · Римские шторы/s);
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(10);
  });

  it('reach a person who has gone to the menu meanwhile', async () => {
    played.byName.openRouter!.faults.add({
      match: 'completions',
      times: 2,
      fault: { kind: 'slow', ms: 700 },
    });
    const anna = await atConfirmation();
    await anna.presses('Подобрать');
    await anna.sees('Подбираю фразы');
    anna.says('/cancel');
    await anna.sees(/^Подбор фраз для категории .* продолжается: списано не больше/);
    await anna.sees(/^Готово: \d+ кластер/, LONG);
  });

  async function inCategory() {
    const anna = await personWithProjects(bot, ['Шторы']);
    const categoryId = await addCategory(bot, anna.projectIds[0]!, 'Римские шторы');
    await anna.presses('Проекты');
    await anna.presses('Шторы');
    await anna.presses('Категории');
    await anna.presses('Римские шторы');
    await anna.presses('Фразы');
    return Object.assign(anna, { categoryId });
  }

  async function atConfirmation() {
    const anna = await inCategory();
    await answering(anna);
    return anna;
  }

  async function withPhrases() {
    const anna = await inCategory();
    await bot.app.sql`
      update categories set keywords = '[{"phrase":"римские шторы","volume":900,"difficulty":10,"cpc":null}]'
      where id = ${anna.categoryId}`;
    await anna.presses('К категории');
    await anna.presses('Фразы');
    await anna.sees('1 фраза');
    return anna;
  }

  async function cityOf(anna: ScriptedPerson) {
    const [row] = await bot.app.sql`select company_city from projects where user_id = ${anna.id}`;
    return row?.company_city;
  }
});

describe('a search for phrases that loses its process', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot('embedded', supplierSettings());
  });
  afterAll(() => bot.stop());

  const slowly = { match: 'completions', fault: { kind: 'slow', ms: 600 } } as const;
  const hangs = (match: string) => ({ match, times: always, fault: { kind: 'hang' } }) as const;

  it.each([
    [
      'fetching',
      'Получаю реальные',
      () => played.byName.dataForSeo!.faults.add(hangs('keyword_suggestions')),
    ],
    [
      'clustering',
      'Группирую',
      () => {
        played.byName.openRouter!.faults.add(slowly);
        played.byName.openRouter!.faults.add(hangs('completions'));
      },
    ],
    [
      'enriching',
      'Обогащаю',
      () => {
        played.byName.openRouter!.faults.add(slowly);
        played.byName.dataForSeo!.faults.add(hangs('search_volume'));
      },
    ],
  ])('while %s goes on in the next one, and is paid once', async (_, stage, hang) => {
    const anna = await personWithProjects(bot, ['Шторы']);
    const categoryId = await addCategory(bot, anna.projectIds[0]!, 'Римские шторы');
    await anna.forges(`category:${categoryId}:keywords`);
    await answering(anna);
    hang();
    await anna.presses('Подобрать');
    await anna.sees(`▸ ${stage}`, LONG);
    await bot.restart(0);
    await bot.app.sql`update operations set lease_until = clock_timestamp() where status = 'running'`;
    for (const { faults } of played.standIns) faults.clear();

    const { text } = await anna.sees(/^Готово: \d+ кластер/, LONG);
    const spent = Number(/Списано (\d+)/.exec(text ?? '')?.[1]);
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(1_500 - spent);
    expect(await unbalanced(bot.app.sql)).toEqual([]);
  });
});

async function answering(anna: ScriptedPerson): Promise<void> {
  await anna.presses('Подобрать');
  await anna.presses('Взять «Римские шторы»');
  await anna.presses('Москва');
  await anna.presses('50');
  await anna.sees('Подбор фраз · Римские шторы');
}

function supplierSettings(): Record<string, string> {
  const { openRouter, dataForSeo } = played.suppliers;
  return {
    OPENROUTER_BASE_URL: openRouter!.baseUrl,
    OPENROUTER_API_KEY: openRouter!.apiKey,
    DATAFORSEO_BASE_URL: dataForSeo!.baseUrl,
    DATAFORSEO_LOGIN: dataForSeo!.login,
    DATAFORSEO_PASSWORD: dataForSeo!.password,
  };
}
