import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { openSandboxPage, type SandboxPage } from '../support/sandbox-page.ts';

let sandbox: SandboxPage;
const chat = () => sandbox.page.getByRole('log', { name: 'Чат с магазином' });
const operators = () => sandbox.page.getByRole('log', { name: 'Чат операторов' });
const seen = (text: string) => chat().locator('.bubble', { hasText: text }).last().waitFor();
const press = (label: string) => chat().locator('.key', { hasText: label }).last().click();
const section = (title: string) => sandbox.page.getByRole('button', { name: title, exact: true }).click();

async function say(text: string): Promise<void> {
  await sandbox.page.getByRole('textbox', { name: 'Сообщение магазину' }).fill(text);
  await sandbox.page.keyboard.press('Enter');
}

async function picture(name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await sandbox.page.screenshot({ path: `${folder}/${name}.png` });
}

describe.skipIf(noBrowser)('the shop in MAX on the page of the sandbox', () => {
  beforeAll(async () => {
    sandbox = await openSandboxPage();
    await sandbox.page.getByRole('tab', { name: 'Магазин в MAX' }).click();
  }, 120_000);

  afterAll(() => sandbox?.close());

  it('plays the return of damaged goods from the first word to the line for the operator', async () => {
    await say('Хочу вернуть лампу');
    await seen('Напишите номер заказа');
    await sandbox.page.getByText('ответило правило returns, версия 1').waitFor();
    await sandbox.page.getByText('default → returns_order').waitFor();
    await say('не помню');
    await seen('Не похоже на ответ');
    await say('ТС-10452');
    await seen('Почему возвращаете?');
    await picture('shop-chat');
    await press('Брак или повреждение');
    await seen('Пришлите фото');
    await sandbox.page.getByRole('button', { name: 'Послать фото' }).click();
    await seen('Возврат по заказу ТС-10452 принят');
    await sandbox.page.getByText('returns_photo → default').waitFor();
    await section('Операторы');
    await operators().getByText('заказ ТС-10452, причина «Брак или повреждение». Покупатель: Анна').waitFor();
  });

  it('answers once although MAX brings every message three times, and says when the outcome is unknown', async () => {
    await section('Сбои');
    await sandbox.page.getByLabel('приносить каждое сообщение трижды').check();
    await picture('shop-faults');
    await section('Чат');
    const before = await chat().locator('.theirs').count();
    await say('Сколько стоит доставка?');
    await seen('Везём по Ижевску');
    await sandbox.page.getByText('доставлен', { exact: true }).waitFor();
    expect(await chat().locator('.theirs').count()).toBe(before + 1);
    await section('Сбои');
    await sandbox.page
      .getByLabel('Как ведёт себя MAX в этом чате')
      .selectOption('Принимает, но ответ теряется');
    await section('Чат');
    await say('можно картой?');
    await sandbox.page.getByText('неизвестно, дошёл ли').waitFor();
  });

  it('shows the rules of the shop with their versions', async () => {
    await section('Правила');
    await sandbox.page.getByText('возврат, вернуть, верните, обмен, сдать обратно').waitFor();
    await picture('shop-rules');
    expect(sandbox.complaints).toEqual([]);
  });
});
