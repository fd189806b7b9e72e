import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { noBrowser, openBrowser } from '../support/browser.ts';

describe.skipIf(noBrowser)('the sandbox, as a newcomer sees it', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let dataDir: string;
  let port: number;
  let bot: ChildProcess;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser({ width: 1360, height: 860 });
    dataDir = await mkdtemp(join(tmpdir(), 'seo-master-sandbox-'));
    await cp(inject('pgliteTemplate'), dataDir, { recursive: true });
    port = await freePort();
    bot = await startSandbox();
    page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(`http://127.0.0.1:${port}/`);
  });
  afterAll(async () => {
    bot.kill('SIGKILL');
    await browser.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('makes a project and a category on the page, across a kill -9 in the middle', async () => {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));

    await page.getByRole('button', { name: 'Начать' }).click();
    await seen('ИИ пишет, вы проверяете, бот публикует.');
    await press('Проекты');
    await press('Создать проект');
    await seen('Новый проект (1/4)');
    await say('Цветы на Ленина');
    await seen('Новый проект (2/4)');
    await liveStateIs('company_name');

    bot.kill('SIGKILL');
    await once(bot, 'exit');
    bot = await startSandbox();

    await say('ООО «Ромашка» <script>alert(1)</script>');
    await seen('Новый проект (3/4)');
    await liveStateIs('specialization');
    await say('Доставка букетов и оформление свадеб');
    await seen('Новый проект (4/4)');
    await press('Пропустить');
    await seen('Проект Цветы на Ленина создан.');
    await press('Создать категорию');
    await seen('Новая категория');
    await say('Свадебные букеты');
    await seen('Категория Свадебные букеты создана.');
    await press('К категории');
    await seen('Фразы: пока нет');

    await page.screenshot({ path: join(tmpdir(), 'seo-master-sandbox-page.png') });
    expect(complaints).toEqual([]);
  });

  async function seen(text: string): Promise<void> {
    await page.locator('.bubble', { hasText: text }).last().waitFor();
  }

  async function press(label: string): Promise<void> {
    await page
      .locator('.key', { hasText: new RegExp(`^${label}$`, 'u') })
      .last()
      .click();
  }

  async function say(text: string): Promise<void> {
    await page.locator('textarea').fill(text);
    await page.keyboard.press('Enter');
  }

  async function liveStateIs(state: string): Promise<void> {
    await page.locator(`#state-${state}.current`).waitFor();
  }

  async function startSandbox(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir },
    });
    for await (const line of child.stdout) if (String(line).includes('"ready"')) break;
    return child;
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
