import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCategory, personWithProjects } from '../support/accounts.ts';
import { grounds, startBot, type TestBot } from '../support/bot.ts';
import { billed, billIn } from '../support/buys.ts';
import type { ScriptedPerson } from '../support/person.ts';
import { balanceOf, unbalanced } from '../support/rows.ts';

describe.each(grounds)('Telegram Stars, %s', (ground) => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await startBot(ground);
  });
  afterAll(() => bot.stop());

  it('buy a package: the bill is paid, the tokens are there, and it is said', async () => {
    const anna = await newcomer();
    await anna.presses('Тарифы');
    await anna.sees(/Тарифы.*Баланс: 1 500 токенов/s);
    await anna.presses('Купить токены');
    await anna.sees(/Starter: 3 500 токенов, из них 500 в подарок — 780 звёзд/);
    await anna.presses('Starter');
    await anna.presses('Звёздами Telegram');
    await anna.sees('Счёт ниже');
    expect(await pays(anna)).toEqual({});
    const bill = anna.messages().findLast(({ invoice }) => invoice);
    expect(bill?.invoice?.description).toBe('3\u2009500 токенов на баланс SEO Master.');
    await anna.sees(/^\+3 500 токенов.*Пакет Starter оплачен.*На балансе: 5 000 токенов/s);
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(5_000);
    expect(await unbalanced(bot.app.sql)).toEqual([]);
  });

  it('credit a payment that is announced ten times at once a single time (X04)', async () => {
    const anna = await newcomer();
    const bill = await billed(anna, 'mini');
    await bot.telegram.people.pay(anna.id, bill).answer();
    await anna.sees('+1 000 токенов');
    const [charge] = bot.telegram.people.charges(anna.id);
    const again = {
      userId: anna.id,
      currency: 'XTR',
      amount: 260,
      payload: `purchase:mini:user_${anna.id}`,
      chargeId: charge!.id,
      renewal: null,
    };
    await Promise.all(Array.from({ length: 10 }, () => bot.app.money.happenings.paid(again)));
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(2_500);
    expect(anna.messages().filter(({ text }) => text?.startsWith('+1'))).toHaveLength(1);
  });

  it('credit an old bill again when it is paid again', async () => {
    const anna = await newcomer();
    const bill = await billed(anna, 'mini');
    await bot.telegram.people.pay(anna.id, bill).answer();
    await anna.sees('На балансе: 2 500 токенов');
    await bot.telegram.people.pay(anna.id, bill).answer();
    await anna.sees('На балансе: 3 500 токенов');
  });

  it('are refused for a bill of somebody else, and for a price that is no longer true (X03)', async () => {
    const [anna, boris] = [await newcomer(), await newcomer()];
    const bill = await billed(anna, 'mini');
    expect(await bot.telegram.people.pay(boris.id, bill).answer()).toMatchObject({
      text: expect.stringContaining('другому человеку'),
    });
    const order = { userId: anna.id, currency: 'XTR', amount: 65, payload: `purchase:mini:user_${anna.id}` };
    // Agreed to and never paid: an agreement alone moves nothing.
    expect(await bot.app.money.happenings.mayPay({ ...order, amount: 260 })).toBeNull();
    expect(await bot.app.money.happenings.mayPay(order)).toContain('Цена изменилась');
    expect(await bot.app.money.happenings.mayPay({ ...order, payload: 'sub:mini:user_1' })).toContain(
      'больше не продаётся',
    );
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(1_500);
    expect(await balanceOf(bot.app.sql, boris.id)).toBe(1_500);
  });

  it('are agreed to within a second and credited while a long work holds the session of the same person', async () => {
    const anna = await newcomer();
    const bill = await billed(anna, 'mini');
    const { sessions } = bot.app;
    const lock = { userId: anna.id, leaseMs: 60_000, asksOnce: true } as const;
    let held = await sessions.acquire({ ...lock, ticket: 'a long work' });
    await expect
      .poll(async () => {
        if (held.outcome === 'wait') held = await sessions.acquire({ ...lock, ticket: 'a long work' });
        return held.outcome;
      })
      .toBe('held');
    expect(await bot.telegram.people.pay(anna.id, bill).answer(1_000)).toEqual({});
    await expect.poll(() => balanceOf(bot.app.sql, anna.id)).toBe(2_500);
    const another = await sessions.acquire({ ...lock, ticket: 'another' });
    expect(another.outcome, 'the session is held all the time').toBe('wait');
    if ('hold' in held) await sessions.release(held.hold, {});
  });

  it('bring a person back to the price they could not pay (E51)', async () => {
    const anna = await atAPriceTooHigh();
    await anna.presses('Пополнить');
    await anna.sees('Тарифы');
    expect(anna.labels(), 'the flow waits').toContain('Вернуться');
    await anna.presses('Купить токены');
    await anna.presses('Mini');
    await anna.presses('Звёздами Telegram');
    await anna.sees('Счёт ниже');
    await pays(anna);
    await anna.sees(/Токенов ждёт подбор фраз\. Продолжим\?/);
    await anna.presses('Продолжить');
    await anna.sees(/Продолжаем.*Подбор фраз · Шторы.*На балансе: 1 010 токенов/s);
    expect(anna.labels()).not.toContain('Пополнить');
  });

  it('come back once, though Telegram reports the refund that we have asked for (X05)', async () => {
    const anna = await newcomer();
    const purse = bot.telegram.people.purse(anna.id);
    await pays(anna, 'mini');
    await anna.sees('+1\u2009000 токенов');
    await bot.app.sql`select charge_balance(${anna.id}, 2500, ${`spent:${anna.id}`}, 'review')`;
    const [payment] = await bot.app.money.payments.latest(anna.id, 1);
    await bot.app.money.giveBack(payment!);
    await bot.app.money.giveBack(payment!);
    await anna.sees(/^Платёж за Mini возвращён.*−1\u2009000 токенов.*баланс ушёл в минус/s);
    expect(anna.labels()).toContain('Пополнить');
    expect(bot.telegram.people.purse(anna.id), 'the Stars are in the purse again').toBe(purse);
    await expect.poll(() => anna.messages().some((message) => 'refunded_payment' in message)).toBe(true);
    anna.says('/start');
    await anna.sees(/−1\u2009000 токенов/);
    expect(await balanceOf(bot.app.sql, anna.id)).toBe(-1_000);
    expect(anna.messages().filter(({ text }) => text?.startsWith('Платёж за Mini'))).toHaveLength(1);
    await pays(anna, 'starter');
    await anna.sees(/Долг 1\u2009000 закрыт\..*На балансе: 2\u2009500 токенов/s);
  });

  it('do not pay a plan that is above what Telegram takes', async () => {
    const anna = await newcomer();
    await anna.forges('sub:enterprise:select');
    await anna.sees('Подписка Enterprise');
    expect(anna.labels().some((label) => label.includes('Stars'))).toBe(false);
    for (const forged of ['sub:enterprise:stars', 'sub:enterprise:bill'])
      expect(await anna.forges(forged)).toMatchObject({ text: expect.stringContaining('Не найдено') });
  });

  it('are left alone, and it is said, while Telegram is away: no bill, and no subscription that is changed', async () => {
    const anna = await newcomer();
    const isAway = (match: string) =>
      bot.telegram.faults.add({ match, times: null, fault: { kind: 'status', status: 500 } });
    isAway('createInvoiceLink');
    await anna.forges('sub:pro:stars');
    await anna.sees(/^Telegram не выставил счёт, звёзды не списаны.*Подписка Pro/s);
    bot.telegram.faults.clear();
    await anna.presses('Звёздами Telegram');
    const { reply_markup } = await anna.sees('Оплата откроется по кнопке');
    await bot.telegram.people.pay(anna.id, reply_markup!.inline_keyboard![0]![0]!.url!).answer();
    await anna.sees('Подписка Pro оплачена');
    isAway('editUserStarSubscription');
    await anna.forges('sub:manage');
    await anna.presses('Отменить подписку');
    await anna.presses('Да, отменить');
    await anna.sees(/^Не получилось изменить подписку в Telegram: она осталась как была.*Статус: активна/s);
    bot.telegram.faults.clear();
  });

  it('can be looked at from a question, which is there afterwards (E01)', async () => {
    const anna = await atAPriceTooHigh();
    await anna.presses('Пополнить');
    await anna.presses('Вернуться');
    await anna.sees(/Продолжаем.*Подбор фраз · Шторы.*не хватает 40/s);
  });

  async function newcomer(): Promise<ScriptedPerson> {
    return personWithProjects(bot, ['Шторы']);
  }

  async function atAPriceTooHigh(): Promise<ScriptedPerson> {
    const anna = await personWithProjects(bot, ['Шторы']);
    const cid = await addCategory(bot, anna.projectIds[0]!, 'Шторы');
    await bot.app.sql`select charge_balance(${anna.id}, 1490, ${`spent:${anna.id}`}, 'review')`;
    await anna.forges(`kw:${cid}:gen`);
    await anna.presses('Взять «Шторы»');
    await anna.presses('Москва');
    await anna.presses('50');
    await anna.sees('не хватает 40');
    return anna;
  }

  async function pays(anna: ScriptedPerson, pkg?: string) {
    if (pkg !== undefined) await billed(anna, pkg);
    return bot.telegram.people.pay(anna.id, await billIn(anna)).answer();
  }
});
