import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { openSandboxPage, type SandboxPage } from '../support/sandbox-page.ts';

describe.skipIf(noBrowser)('the sandbox, as a newcomer sees it', () => {
  let sandbox: SandboxPage;
  beforeAll(async () => {
    sandbox = await openSandboxPage();
  });
  afterAll(() => sandbox.close());
  beforeEach(() => onTestFailed(() => console.error(sandbox.log.slice(-40).join('\n'))));

  it('leads from an empty account to an article on one’s own site, across two kills', async () => {
    const { page, press, key, say, seen, liveStateIs, killAndRestart } = sandbox;
    await page.getByRole('button', { name: 'Начать' }).click();
    await seen('ИИ пишет, вы проверяете, бот публикует.');

    await press('Проекты');
    await press('Создать проект');
    await seen('Новый проект (1/4)');
    await say('Окна на Ленина');
    await seen('Новый проект (2/4)');
    await liveStateIs('company_name');
    await killAndRestart();
    await say('ООО «Светлые окна» <script>alert(1)</script>');
    await seen('Новый проект (3/4)');
    await say('Пластиковые окна и остекление балконов');
    await seen('Новый проект (4/4)');
    await press('Пропустить');
    await seen('Проект Окна на Ленина создан.');

    const site = await siteOfThePage();
    await press('Подключить площадку');
    await press('\\+ WordPress');
    await seen('Подключение WordPress (1/3)');
    await say(site.address);
    await seen('Подключение WordPress (2/3)');
    await say(site.login);
    await seen('Подключение WordPress (3/3)');
    await say(site.password);
    await seen('подключён к проекту «Окна на Ленина»');
    expect(await page.locator('.bubble', { hasText: site.password }).count()).toBe(0);

    await press('К подключениям');
    await press('К проекту');
    await press('Категории');
    await press('Создать категорию');
    await seen('Новая категория');
    await say('Остекление балконов');
    await seen('Категория Остекление балконов создана.');
    await press('Подобрать фразы');
    await key('Взять «Остекление балконов»').click();
    await press('Москва');
    await press('50');
    await seen('Количество: 50 фраз');
    await press('Подобрать');
    await seen('Готово:');

    await press('К категории');
    await press('Написать статью');
    await seen('Стоимость: не больше 320 токенов');
    await press('Создать статью');
    await liveStateIs('generating');
    await killAndRestart();
    await liveStateIs('preview');
    const preview = await sandbox.browser.newPage();
    await preview.goto((await key('Открыть предпросмотр').getAttribute('href'))!);
    expect(await preview.locator('h1').textContent()).toMatch(/остекление балконов/iu);
    expect(await preview.locator('img').count()).toBe(4);

    await press('Опубликовать');
    await seen('Статья опубликована');
    await openTab('Сайт');
    await page.screenshot({ path: join(tmpdir(), 'seo-master-sandbox-page.png') });

    const article = await sandbox.browser.newPage();
    await article.goto((await page.locator('.arrival a').first().getAttribute('href'))!);
    expect(await article.locator('h1').allTextContents()).toEqual([
      expect.stringMatching(/остекление балконов/iu),
    ]);
    expect(await article.locator('article img, main img').count()).toBeGreaterThanOrEqual(4);
    expect(await article.locator('script[type="application/ld+json"]').count()).toBeGreaterThan(0);
    await article.screenshot({ path: join(tmpdir(), 'seo-master-sandbox-article.png'), fullPage: true });
    expect(sandbox.complaints).toEqual([]);
  }, 300_000);

  it('brings a post with a picture to forty channels, and shows it in each', async () => {
    const { page } = sandbox;
    await openTab('Автопостинг');
    await page.getByRole('button', { name: 'взять пример' }).click();
    await page.getByRole('button', { name: 'Отправить пост' }).click();
    await page.getByRole('button', { name: '40 доставлены' }).waitFor();
    for (const [section, channels] of [
      ['Каналы Telegram', 24],
      ['Чаты MAX', 16],
    ] as const) {
      await page.getByRole('button', { name: section }).click();
      const reached = page.locator('.channel', { hasText: 'Открыли набережную!' });
      await expect.poll(() => reached.count()).toBe(channels);
    }
    expect(sandbox.complaints).toEqual([]);
  }, 240_000);

  async function openTab(title: string): Promise<void> {
    await sandbox.page.locator('.tab', { hasText: title }).click();
  }

  /** What the page tells of the site that one may publish to. */
  async function siteOfThePage() {
    await openTab('Сайт');
    const facts = await sandbox.page.locator('.facts dd').allTextContents();
    await openTab('Схема');
    const [address, login, password] = facts;
    return { address: address!, login: login!, password: password! };
  }
});
