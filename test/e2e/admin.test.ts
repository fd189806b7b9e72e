import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminData, adminRoutes } from '../../src/menu/admin.ts';
import { allPatterns } from '../menu/played-menu.ts';
import { grounds, startBot, type TestBot } from '../support/bot.ts';
import { buys } from '../support/buys.ts';
import { type ScriptedPerson, scriptedPerson } from '../support/person.ts';
import { balanceOf, unbalanced } from '../support/rows.ts';

/** Of the very list that the menu is made of, so that a new page cannot be forgotten here. */
const adminPatterns = adminRoutes({} as AdminData).map(({ pattern, acts }) => ({ pattern, acts }));

const OWNER_ID = 4_242;

describe.each(grounds)('the owner, %s', (ground) => {
  let bot: TestBot;
  let owner: ScriptedPerson;
  let anna: ScriptedPerson;
  beforeAll(async () => {
    bot = await startBot(ground, { ADMIN_ID: String(OWNER_ID) });
    owner = scriptedPerson(bot.telegram, { id: OWNER_ID, first_name: 'Олег' });
    anna = scriptedPerson(bot.telegram, { first_name: 'Вера', username: 'Vera_Flowers' });
    for (const person of [owner, anna]) {
      person.says('/start');
      await person.sees('ИИ пишет');
    }
  });
  afterAll(() => bot.stop());

  /** What presses carry: things that are there, so that only the person can be the reason of a refusal. */
  async function adminLinks(): Promise<{ data: string; acts: boolean }[]> {
    const [[payment], [broadcast]] = await Promise.all([
      bot.app.sql<[{ id: number }]>`select id from payments where user_id = ${anna.id} order by id limit 1`,
      bot.app.sql<[{ id: number }]>`select id from broadcasts order by id limit 1`,
    ]);
    const numbers = [
      ['admin:refund', payment.id],
      ['admin:bc', broadcast.id],
      ['admin:', 7], // days of costs, plots and logs
    ] as const;
    return adminPatterns.map(({ pattern, acts }) => {
      const [, n] = numbers.find(([prefix]) => pattern.startsWith(prefix))!;
      const samples: Record<string, string | number> = {
        ...{ n, i: 0, k: 5, audience: 'all', who: anna.id },
        g: pattern.startsWith('admin:bc') ? 'important' : 'off',
      };
      const data = pattern.replace(/\{(\w+)\}/gu, (_, name: string) => {
        if (samples[name] === undefined) throw new Error(`${pattern}: no sample of ${name}`);
        return String(samples[name]);
      });
      return { data, acts: acts ?? false };
    });
  }

  it('sees services, people and money as plain counts of the database have them', async () => {
    await buys(bot, anna, 'mini');
    owner.says('АДМИНКА');
    const { text = '' } = await owner.sees('Админка');
    const [people] = await bot.app.sql`select count(*)::int as n from users`;
    expect(text).toMatch(new RegExp(`Люди: ${people!.n}, платили 1,`, 'u'));
    expect(text).toMatch(/✓ База данных: \d+ мс/u);
    expect(text).toMatch(/Вера: Mini/u);
    await owner.presses('Затраты API');
    await owner.sees(/Затраты API за 30 дней.*Маржа/s);
    await owner.presses('90 дней');
    await owner.sees(/Затраты API за 90 дней/);
    await owner.presses('К панели');
    await owner.presses('Графики');
    expect((await owner.sees('Графики за 30 дней')).photo, 'revenue, people and costs, drawn').toBeDefined();
    await owner.presses('7 дней');
    await owner.sees('Графики за 7 дней');
  });

  it('finds a person by name, gives tokens, and gives a payment back with two presses', async () => {
    await owner.forges('admin:user');
    owner.says('@nobody_here');
    await owner.sees('Не нашёл');
    owner.says('@vera_flowers');
    await owner.sees(/Вера.*Баланс: 2\s500 токенов.*Mini, 260 звёзд/s);
    await owner.presses('Подарить токены');
    owner.says('сто');
    await owner.sees('Нужно целое число');
    owner.says('100');
    await owner.presses('Подарить 100 токенов');
    await owner.sees(/Подарено: 100 токенов.*Баланс: 2\s600/s);
    await anna.sees('Вам подарок: 100 токенов');
    bot.telegram.faults.add({
      ...{ match: 'refundStarPayment', times: null },
      fault: { kind: 'status', status: 500 },
    });
    await owner.presses('Вернуть Mini');
    await owner.presses('Да, вернуть');
    await owner.sees(/^Платёжная система не ответила, возврат не подтверждён.*Баланс: 2\s600/s);
    bot.telegram.faults.clear();
    await owner.presses('Вернуть Mini');
    await owner.sees('Вернуть платёж?');
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(2_600);
    await owner.presses('Да, вернуть');
    await owner.sees(/Платёж возвращён.*потрачено 0 токенов.*возвращён/s);
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(1_600);
    expect(await unbalanced(bot.app.sql)).toEqual([]);
    const audit = await bot.app.sql`
      select distinct action from admin_audit where admin_id = ${OWNER_ID} and user_id = ${anna.id} order by action`;
    expect(audit.map(({ action }) => action)).toEqual(['gift', 'look', 'refund']);
    await owner.forges('admin:audit');
    await owner.sees(
      /Олег: возврат платежа · Вера.*Олег: подарок · Вера .* · 100 токенов.*просмотр карточки/s,
    );
  });

  it('opens every page of the panel, and there is none beside the list', async () => {
    const ofMenu = allPatterns().filter((pattern) => pattern.startsWith('admin:'));
    expect(ofMenu.sort()).toEqual(adminPatterns.map(({ pattern }) => pattern).sort());
    await owner.forges('admin:bc:to:all');
    owner.says('Новость');
    await owner.sees('как его увидят люди');
    for (const { data } of (await adminLinks()).filter(({ acts }) => !acts))
      expect((await owner.forges(data))?.text ?? '', data).not.toContain('Не найдено');
  });

  it('alone gets in: forged presses of another person find nothing and change nothing', async () => {
    const before = await bot.app.sql`select count(*)::int as n from admin_audit`;
    const links = await adminLinks();
    expect(links.length).toBeGreaterThan(20);
    for (const { data } of links)
      expect(await anna.forges(data), data).toMatchObject({ text: expect.stringContaining('Не найдено') });
    anna.says('АДМИНКА');
    await anna.sees('Не понял');
    expect(await bot.app.sql`select count(*)::int as n from admin_audit`).toEqual(before);
    expect(await bot.app.sql`select from broadcasts where status <> 'draft'`).toHaveLength(0);
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(1_600);
  });

  it('stays outside from the moment the role is taken away, though the session remembers it', async () => {
    // On a page that asks: what is typed there now is a gift, or it is nothing.
    await owner.forges(`admin:gift:${anna.id}`);
    await owner.sees('Сколько токенов подарить?');
    await bot.app.sql`update users set role = 'user' where id = ${OWNER_ID}`;
    owner.says('100');
    await owner.sees('Не найдено');
    for (const { data } of await adminLinks())
      expect(await owner.forges(data), data).toMatchObject({ text: expect.stringContaining('Не найдено') });
    owner.says('АДМИНКА');
    await owner.sees('Не найдено');
    expect(await bot.app.sql`select from broadcasts where status <> 'draft'`).toHaveLength(0);
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(1_600);
  });
});
