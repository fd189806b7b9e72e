import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { openSandboxPage, type SandboxPage } from '../support/sandbox-page.ts';

const shot = (name: string) => ({ path: join(tmpdir(), `seo-master-money-${name}.png`) });

/** The sandbox's own people: Anna buys, Boris owns the bot. */
const [ANNA, BORIS] = [1001, 1002];

describe.skipIf(noBrowser)('money, as a newcomer moves it', () => {
  let sandbox: SandboxPage;
  beforeAll(async () => {
    sandbox = await openSandboxPage({ ADMIN_ID: String(BORIS) });
  });
  afterAll(() => sandbox.close());
  beforeEach(() => onTestFailed(() => console.error(sandbox.log.slice(-40).join('\n'))));

  it('buys with Stars and by card, subscribes, is renewed and cancels', async () => {
    const { page, press, seen } = sandbox;
    await page.getByRole('button', { name: 'Начать' }).click();
    await seen('ИИ пишет, вы проверяете, бот публикует.');
    await press('Тарифы');
    await seen('Пакет покупается один раз');
    await page.screenshot(shot('tariffs'));
    await press('Купить токены');
    await sandbox.key('Starter').click();
    await sandbox.key('Звёздами Telegram').click();
    await sandbox.key('Заплатить').click();
    await seen('Пакет Starter оплачен');
    await page.screenshot(shot('stars'));

    await press('Меню');
    await press('Тарифы');
    await press('Купить токены');
    await sandbox.key('Mini').click();
    await sandbox.key('Картой').click();
    await seen('Чек придёт магазину');
    await sandbox.key('Оплатить').click();
    await seen('Счёт на');
    await paysAtTheProvider('card');
    await seen('Пакет Mini оплачен');
    await page.screenshot(shot('card-paid'));

    await press('Меню');
    await press('Тарифы');
    await sandbox.key('Подписка Pro').click();
    await sandbox.key('Звёздами Telegram').click();
    await seen('Оплата откроется по кнопке');
    await sandbox.key('Оплатить').click();
    await seen('Подписка Pro оплачена');
    await renewedByTelegram();
    await seen('Подписка Pro продлена');
    await page.screenshot(shot('renewed'));

    await press('Меню');
    await press('Тарифы');
    await press('Моя подписка');
    await seen('Следующее списание');
    await press('Отменить подписку');
    await press('Да, отменить');
    await seen('Подписка Pro отменена');
    await page.screenshot(shot('cancelled'));

    await press('Меню');
    await press('Профиль');
    await seen('Баланс:');
    await press('История');
    await seen('Покупка токенов: +7');
    await page.screenshot(shot('history'));
    expect(sandbox.complaints).toEqual([]);
  }, 300_000);

  it('subscribes by card, forgets it, is declined once, and is refunded by the owner', async () => {
    const { page, press, seen } = sandbox;
    await press('Меню');
    await press('Тарифы');
    await sandbox.key('Подписка Business').click();
    await sandbox.key('Картой').click();
    await seen('Карта сохранится для продления');
    await sandbox.key('Оплатить').click();
    await seen('Счёт на 15');
    await paysAtTheProvider('card-plan');
    await seen('Подписка Business оплачена');
    await press('Меню');
    await press('Тарифы');
    await press('Моя подписка');
    await seen('Карта: *4444');
    await page.screenshot(shot('card-subscription'));
    await press('Забыть карту');
    await press('Да, забыть');
    await seen('Карта забыта');
    await page.screenshot(shot('card-forgotten'));

    await press('Меню');
    await press('Тарифы');
    await press('Купить токены');
    await sandbox.key(/^Pro · /u).click();
    await sandbox.key('Картой').click();
    await seen('К оплате: 6');
    await sandbox.key('Оплатить').click();
    await seen('Счёт на 6');
    await paysAtTheProvider('declined', 'Отказать', 'Платёж отклонён');
    await seen('Оплата за Pro не прошла');
    await page.screenshot(shot('declined'));

    await becomes('Борис');
    await page.getByRole('button', { name: 'Начать' }).click();
    for (const [what, name] of [
      ['Mini, 1', 'card'],
      ['Starter, 780', 'stars'],
    ] as const) {
      await sandbox.say('/start');
      await press('Админка');
      await press('Пользователь');
      await seen('Пришлите id или @имя');
      await sandbox.say(String(ANNA));
      await seen(`id ${ANNA}`);
      await sandbox.key(`Вернуть ${what}`).click();
      await press('Да, вернуть');
      await seen('Платёж возвращён, токены списаны');
      await page.screenshot(shot(`refund-${name}`));
    }
    await becomes('Анна');
    await seen('Платёж за Mini возвращён');
    await seen('Платёж за Starter возвращён');
    await page.screenshot(shot('refunded'));
    expect(sandbox.complaints).toEqual([]);
  }, 300_000);

  async function becomes(name: string): Promise<void> {
    await sandbox.page.locator(`.person[title^="${name}"]`).click();
  }

  async function paysAtTheProvider(name: string, answer = 'Оплатить', told = 'Оплачено'): Promise<void> {
    const [checkout] = await Promise.all([
      sandbox.page.context().waitForEvent('page'),
      sandbox.key(/^Оплатить/u).click(),
    ]);
    await checkout.getByText('учебный магазин').waitFor();
    await checkout.screenshot(shot(name));
    await checkout.getByRole('button', { name: answer }).click();
    await checkout.getByText(told).waitFor();
    await checkout.close();
  }

  /** Telegram charges the next month by itself. */
  async function renewedByTelegram(): Promise<void> {
    await sandbox.page.evaluate(async () => {
      type Chat = { last: unknown; person: { id: number } };
      type Charge = { id: string; invoice: { period?: number } };
      const read = async (path: string) => (await fetch(`/sandbox/api/${path}`)).json();
      const id = ((await read('chats')) as Chat[]).find(({ last }) => last)!.person.id;
      const charges = (await read(`people/${id}/charges`)) as Charge[];
      const charge_id = charges.find(({ invoice }) => invoice.period)!.id;
      await fetch(`/sandbox/api/people/${id}/renew`, { method: 'POST', body: JSON.stringify({ charge_id }) });
    });
  }
});
