import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePersonPages } from '../../src/store/person-pages.ts';
import { personWithProjects } from '../support/accounts.ts';
import { startBot, type TestBot } from '../support/bot.ts';
import { buys } from '../support/buys.ts';
import type { ScriptedPerson } from '../support/person.ts';
import { balanceOf, unbalanced } from '../support/rows.ts';

const terms = { POLICY_URL: 'https://example.ru/policy', OFFER_URL: 'https://example.ru/offer' };

describe('a person', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot('embedded', { ...terms, SUPPORT_CONTACT: '@seo_master_help' });
  });
  afterAll(async () => {
    expect(await unbalanced(bot.app.sql)).toEqual([]);
    await bot.stop();
  });

  it('is told the terms at the first start, and their consent is on record', async () => {
    const anna = bot.person();
    anna.says('/start');
    const { text } = await anna.sees('ИИ пишет');
    expect(text).toContain('вы принимаете оферту и политику обработки данных');
    const [row] = await bot.app.sql`select consented_to, consented_at from users where id = ${anna.id}`;
    expect(row).toEqual({ consented_to: terms.POLICY_URL, consented_at: expect.any(Date) });
  });

  it('sees where their tokens went, drawn and as a list', async () => {
    const anna = await newcomer();
    await bot.app
      .sql`select charge_balance(${anna.id}, 400, ${`a:${anna.id}`}, 'text_generation', 'розы с доставкой')`;
    await bot.app.sql`select charge_balance(${anna.id}, 120, ${`b:${anna.id}`}, 'image_generation')`;
    await buys(bot, anna, 'mini');
    await anna.presses('Меню');
    await anna.presses('Профиль');
    const profile = await anna.sees(
      /Баланс: 1\u2009980 токенов.*Хватит примерно на 26 дней при расходе 520 токенов в неделю/s,
    );
    expect(profile.photo).toBeDefined();
    await bot.app.sql`update users set created_at = now() - interval '90 days' where id = ${anna.id}`;
    await anna.presses('Меню');
    await anna.presses('Профиль');
    await anna.sees(/Хватит примерно на 106 дней при расходе 130 токенов в неделю, это около 557 в месяц/);
    await anna.presses('История');
    const { text } = await anna.sees(/История токенов · Все/);
    expect(text).toMatch(
      /Покупка токенов: \+1\u2009000 · Mini.*Картинки: −120.*Тексты: −400 · розы с доставкой.*Приветственный бонус: \+1\u2009500$/s,
    );
    await anna.presses('Покупки');
    expect((await anna.sees('История токенов · Покупки')).text).not.toContain('Тексты');
  });

  it('sees in the plot what was really spent: what came back is taken off', async () => {
    const anna = await newcomer();
    const { sql } = bot.app;
    await sql`select charge_balance(${anna.id}, 200, ${`t:${anna.id}`}, 'text_generation')`;
    await sql`select charge_balance(${anna.id}, 121, ${`p:${anna.id}`}, 'image_generation')`;
    await sql`select refund_balance(${anna.id}, 60, ${`r:${anna.id}`})`;
    const { texts, pictures } = (await makePersonPages(sql).spending(anna.id)).at(-1)!;
    expect({ texts, pictures, sum: texts + pictures }).toEqual({ texts: 163, pictures: 98, sum: 261 });
  });

  it('invites others and gets a tenth of what they pay', async () => {
    const [anna, boris] = [await newcomer(), bot.person('Борис')];
    await anna.presses('Профиль');
    await anna.presses('Пригласить');
    await anna.sees(new RegExp(`\\?start=ref_${anna.id}`));
    boris.says(`/start ref_${anna.id}`);
    await boris.sees('ИИ пишет');
    await buys(bot, boris, 'starter');
    await anna.sees(/^\+300 токенов.*10 %/s);
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(1_800);
    await anna.presses('Пригласить ещё');
    await anna.sees(/Пришли по ней: 1\nЗаработано: 300 токенов/);
  });

  it('is not invited by the person they have invited themselves, nor by anybody later than an hour', async () => {
    const [anna, boris, vera] = [await newcomer(), bot.person('Борис'), await newcomer()];
    boris.says(`/start ref_${anna.id}`);
    await boris.sees('ИИ пишет');
    anna.says(`/start ref_${boris.id}`);
    await anna.sees('Главное меню');
    await bot.app.sql`update users set created_at = now() - interval '2 hours' where id = ${vera.id}`;
    vera.says(`/start ref_${anna.id}`);
    await vera.sees('Главное меню');
    const rows = await bot.app.sql`
      select id, referrer_id as "by" from users where id in (${anna.id}, ${boris.id}, ${vera.id}) and referrer_id is not null`;
    expect(rows).toEqual([{ id: boris.id, by: anna.id }]);
  });

  it('switches off what they do not want to hear of', async () => {
    const anna = await newcomer();
    await anna.presses('Настройки');
    await anna.presses('Уведомления');
    await anna.presses('✓ Новости');
    await anna.sees('О платежах, возвратах и подписке пишу всегда');
    await expect.poll(() => anna.labels()).toContain('✗ Новости');
    await anna.presses('✗ Новости');
    await expect.poll(() => anna.labels()).toContain('✓ Новости');
  });

  it('finds support and terms by command, in the middle of anything', async () => {
    const anna = await newcomer();
    await buys(bot, anna, 'mini');
    await anna.presses('Меню');
    await anna.presses('Проекты');
    await anna.presses('Создать проект');
    await anna.sees('(1/4)');
    anna.says('/paysupport');
    await anna.sees(/@seo_master_help.*Ваш номер: .*Mini, 260 звёзд/s);
    anna.says('/terms');
    await anna.sees('вы принимаете оферту');
    anna.says('Ромашка');
    await anna.sees('(2/4)');
  });

  it('takes their data along as a file', async () => {
    const anna = await newcomer();
    await anna.presses('Настройки');
    await anna.presses('Мои данные');
    await anna.presses('Выгрузить');
    await anna.sees('Файл ниже');
    await expect.poll(() => anna.messages().some(({ document }) => document)).toBe(true);
    const { document } = anna.messages().findLast((message) => message.document)!;
    expect(document?.file_name).toBe('my-data.json');
  });

  it('is forgotten when they ask for it: the ledger stays, the bonus is not given again', async () => {
    const anna = await newcomer();
    await buys(bot, anna, 'mini');
    await anna.presses('Меню');
    await anna.presses('Настройки');
    await anna.presses('Мои данные');
    await anna.presses('Удалить всё');
    await anna.sees(/2\u2009500 токенов: они сгорят/);
    const tooLate = anna.dataOf('Да, удалить навсегда');
    await buys(bot, anna, 'mini');
    await anna.forges(tooLate);
    await anna.sees(/3\u2009500 токенов: они сгорят/);
    await anna.presses('Да, удалить навсегда');
    await anna.sees('Всё удалено');
    const { sql } = bot.app;
    expect(await sql`select from users where id = ${anna.id}`).toHaveLength(0);
    expect(await sql`select from projects where user_id = ${anna.id}`).toHaveLength(0);
    const [{ paid }] = await sql<[{ paid: number }]>`
      select count(*) as paid from payments where user_id < 0 and status = 'completed'`;
    expect(paid).toBe(2);

    anna.says('/start');
    await anna.sees('Баланс: 0 токенов');
    expect(await balanceOf(sql, anna.id)).toBe(0);
    await buys(bot, anna, 'mini');
    expect(await balanceOf(sql, anna.id)).toBe(1_000);
  });

  it('who pays an old bill after they were forgotten gets what they paid for, and no second bonus', async () => {
    const anna = await newcomer();
    await isForgotten(anna);
    await bot.app.money.happenings.paid({
      userId: anna.id,
      currency: 'XTR',
      amount: 260,
      payload: `purchase:mini:user_${anna.id}`,
      chargeId: `late:${anna.id}`,
      renewal: null,
    });
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(1_000);
    anna.says('/start');
    await anna.sees(/Баланс: 1\u2009000 токенов/);
  });

  it('does not get rid of a debt by being forgotten', async () => {
    const anna = await newcomer();
    await bot.app.sql`select force_debit_balance(${anna.id}, 2100, ${`debt:${anna.id}`}, 'refund')`;
    await isForgotten(anna, 'Долг (600 токенов) останется за вами');
    anna.says('/start');
    await anna.sees(/−600 токенов/);
    await isForgotten(anna);
    anna.says('/start');
    await anna.sees(/−600 токенов/);
    expect(await balanceOf(bot.app.sql, anna.id), 'owed once').toBe(-600);
    await buys(bot, anna, 'mini');
    await anna.sees('Долг 600 закрыт');
  });

  async function isForgotten(anna: ScriptedPerson, warning = 'Удалить всё?'): Promise<void> {
    await anna.forges('data:delete');
    await anna.sees(warning);
    await anna.presses('Да, удалить навсегда');
    await anna.sees('Всё удалено');
  }

  async function newcomer(): Promise<ScriptedPerson> {
    return personWithProjects(bot, ['Шторы']);
  }
});
