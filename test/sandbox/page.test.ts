import type { Server } from 'node:http';
import type { Bot } from 'grammy';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpServer, listen } from '../../src/http/server.ts';
import { sandboxPage } from '../../src/sandbox/page-server.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { startTinyBot, tinyChart } from './tiny-bot.ts';
import { tinyPng } from './tiny-png.ts';

const token = '123456:sandbox-token';

let browser: Awaited<ReturnType<typeof openBrowser>>;
let telegram: TelegramStandIn;
let tiny: { bot: Bot; states: Map<number, string> };
let server: Server;
let port: number;
let page: Page;
let complaints: string[];
const resets: (number | null)[] = [];

describe.skipIf(noBrowser)('the page of the sandbox', () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });

  afterAll(() => browser.close());

  beforeEach(async () => {
    telegram = await startTelegramStandIn({ token });
    tiny = startTinyBot(token, telegram.url);
    port = 0;
    await startPage();
    complaints = [];
    page = await browser.newPage();
    page.setDefaultTimeout(8000);
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await page.locator('.person').first().waitFor();
  });

  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.close();
    await tiny.bot.stop();
    await stopPage();
    await telegram.close();
  });

  it('begins with a big button, and then it is a chat', async () => {
    await page.getByRole('button', { name: 'Начать' }).click();
    await seen('Здравствуйте, Анна');
    expect(await page.locator('.bubble strong').first().textContent()).toBe('Анна');
    expect(await page.locator('.key.style-primary').textContent()).toBe('Написать статью');
    expect(await page.locator('a.key').getAttribute('href')).toBe('https://example.com/help');

    await page.getByRole('textbox', { name: 'Сообщение' }).fill('первая строка');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('вторая');
    await page.keyboard.press('Enter');
    await seen('Вы написали: первая строка\nвторая');
    await page.getByRole('button', { name: 'Мои проекты' }).click();
    await seen('Вы написали: Мои проекты');
  });

  it('shows a press: the button turns, the answer pops up, the message changes in place', async () => {
    await begin();
    await key('Подумать').click();
    await page.locator('.key.turning').waitFor();
    await page.locator('.toast', { hasText: 'Подумал' }).waitFor();
    expect(await page.locator('.key.turning').count()).toBe(0);

    await key('Опубликовать').click();
    await page.locator('#alert[open]', { hasText: 'Сначала напишите статью.' }).waitFor();
    await page.getByRole('button', { name: 'Понятно' }).click();

    const rows = await page.locator('.message').count();
    await key('Написать статью').click();
    await seen('Шаг 1 из 3.');
    expect(await page.locator('.message').count()).toBe(rows);
    await key('Назад').click();
    await page.locator('.bubble', { hasText: 'Шаг 1 из 3.' }).waitFor({ state: 'detached' });
  });

  it('shows the chart with its live state, and what the dialogue knows', async () => {
    await page.getByRole('tab', { name: 'Данные' }).click();
    await page.getByText('Данные появятся, когда начнётся диалог.').waitFor();
    await page.getByRole('tab', { name: 'Схема' }).click();
    await page.getByText('Сейчас ни один диалог не идёт').waitFor();
    await page.locator('.flow-card', { hasText: 'Статья' }).click();
    await page.locator('#state-preview').waitFor();
    await begin();
    await key('Написать статью').click();
    await page.locator('#state-choose_keyword.live').waitFor();
    await page.getByRole('textbox', { name: 'Сообщение' }).fill('букеты');
    await page.keyboard.press('Enter');
    await page.locator('#state-confirm_cost.live').waitFor();
    expect(await page.locator('.live').count()).toBe(1);
    await page.getByRole('tab', { name: 'Данные' }).click();
    await page.locator('.json-row', { hasText: 'купить цветы' }).waitFor();
    // Opened anew, the page tells of the dialogue at once, and not when its clock asks the next time.
    await page.addInitScript('window.setInterval = () => 0');
    await page.reload();
    await page.locator('#state-confirm_cost.live').waitFor();
  });

  it('sends files and shows pictures', async () => {
    await begin();
    await page.setInputFiles('#file', {
      name: 'слова.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('a,b'),
    });
    await seen('Получил файл слова.csv');
    const href = await page.locator('a.chip').getAttribute('href');
    const response = await page.request.get(`http://127.0.0.1:${port}${href}`);
    expect(await response.text()).toBe('a,b');
    expect(response.headers()['content-disposition']).toMatch(/^attachment/);

    await page.setInputFiles('#file', { name: 'a.png', mimeType: 'image/png', buffer: tinyPng(60, 40) });
    await seen('Красиво!');
    const loaded = page.locator('.photo img').last();
    await expect
      .poll(() => loaded.evaluate((image: { naturalWidth: number }) => image.naturalWidth))
      .toBe(60);
  });

  it('lets one be several people, and counts what they have not read', async () => {
    await begin();
    await page.locator('.person', { hasText: 'Борис' }).click();
    await page.getByRole('button', { name: 'Начать' }).waitFor();
    telegram.people.say(1001, 'пока вас не было');
    await page.locator('.person', { hasText: 'Анна' }).locator('.badge').waitFor();
    await page.locator('.person', { hasText: 'Анна' }).click();
    await seen('Вы написали: пока вас не было');
    expect(await page.locator('.person .badge').count()).toBe(0);

    await page.getByRole('button', { name: 'Новый человек' }).click();
    await page.getByLabel('Имя', { exact: true }).fill('Галина');
    await page.getByRole('button', { name: 'Добавить' }).click();
    await page.locator('.person[aria-current]', { hasText: 'Галина' }).waitFor();
  });

  it('shows hostile words as words', async () => {
    await begin();
    const hostile = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
    await page.getByRole('textbox', { name: 'Сообщение' }).fill(hostile);
    await page.keyboard.press('Enter');
    await seen(`Вы написали: ${hostile}`);
    const name = '<b onmouseover=window.hacked=1>Ева</b>';
    telegram.people.add({ first_name: name });
    await page.locator('.person', { hasText: name }).waitFor();
    telegram.people.document(1001, {
      name: '<svg onload=window.hacked=1>.svg',
      mime: 'image/svg+xml',
      bytes: Buffer.from('<svg/>'),
    });
    await seen('Получил файл <svg');
    expect(await page.locator('.messages img, .messages script, .person b b').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    const served = await page.request.get(
      `http://127.0.0.1:${port}${await page.locator('a.chip').getAttribute('href')}`,
    );
    expect(served.headers()['content-type']).toBe('application/octet-stream');
  });

  it('says when the process is gone, and comes back with it', async () => {
    await begin();
    await stopPage();
    await page.getByText('Нет связи с процессом').waitFor();
    expect(await page.locator('#bot-status').textContent()).toMatch(/^не запущен/u);
    telegram.people.say(1001, 'тем временем');
    await startPage();
    await page.getByText('Нет связи с процессом').waitFor({ state: 'hidden' });
    await seen('Вы написали: тем временем');
  });

  it('forgets a chat on the second press alone, and tells the bot', async () => {
    await begin();
    await page.getByRole('button', { name: 'Ещё', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Очистить этот чат' }).click();
    expect(telegram.people.messages(1001)).not.toEqual([]);
    await page.getByRole('menuitem', { name: 'Точно?' }).click();
    await page.getByRole('button', { name: 'Начать' }).waitFor();
    expect(resets).toEqual([1001]);
  });

  it('fits a phone, with the chart behind a button', async () => {
    await page.setViewportSize({ width: 360, height: 720 });
    await begin();
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBe(0);
    expect(await page.locator('.side').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Показать схему' }).click();
    await page.getByRole('tab', { name: 'Схема' }).waitFor();
    const cut = await page.evaluate<string[]>(
      "[...document.querySelectorAll('[role=tab]')].filter((tab) => tab.getBoundingClientRect().right > innerWidth).map((tab) => tab.textContent)",
    );
    expect(cut).toEqual([]);
    await page.getByRole('button', { name: 'Вернуться в чат' }).click();
    await page.getByRole('textbox', { name: 'Сообщение' }).waitFor();
    await page.setViewportSize({ width: 1300, height: 820 });
  });

  it('is closed to pages of other sites', async () => {
    const say = (origin: string) =>
      fetch(`http://127.0.0.1:${port}/sandbox/api/people/1001/say`, {
        method: 'POST',
        headers: { origin },
        body: JSON.stringify({ text: 'x' }),
      });
    expect((await say('https://evil.example')).status).toBe(403);
    expect((await say(`http://127.0.0.1:${port}`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/sandbox/../page-server.js`)).status).toBe(404);
  });
});

async function startPage(): Promise<void> {
  resets.length = 0;
  const handler = sandboxPage({
    telegram,
    flows: [{ id: 'article', title: 'Статья' }],
    chartSvg: async () => tinyChart(),
    async liveState(id) {
      const state = tiny.states.get(id);
      if (!state) return null;
      return {
        flow: 'article',
        title: 'Статья',
        state,
        version: 1,
        busy: false,
        context: { keyword: 'купить цветы' },
      };
    },
    async onReset(id) {
      resets.push(id);
    },
  });
  server = createHttpServer([handler], (error) => complaints.push(String(error)));
  port = await listen(server, port, '127.0.0.1');
}

async function stopPage(): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

async function begin(): Promise<void> {
  await page.getByRole('button', { name: 'Начать' }).click();
  await seen('Меню всегда под рукой.');
}

const key = (label: string) => page.locator('.key', { hasText: label });

async function seen(text: string): Promise<void> {
  await expect
    .poll(() => page.locator('.message.theirs .text').allTextContents(), { timeout: 8000 })
    .toContainEqual(expect.stringContaining(text));
}
