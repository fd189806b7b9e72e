import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { openSandboxPage, type SandboxPage } from '../support/sandbox-page.ts';

type Picture = { decode(): Promise<void>; naturalWidth: number; naturalHeight: number };

describe.skipIf(noBrowser)('the sandbox, as somebody sees it who connects every platform', () => {
  let sandbox: SandboxPage;
  beforeAll(async () => {
    sandbox = await openSandboxPage();
    const { page, press, say, seen } = sandbox;
    await page.getByRole('button', { name: 'Начать' }).click();
    await press('Проекты');
    await press('Создать проект');
    for (const [asked, answer] of answers) {
      await seen(asked);
      await say(answer);
    }
    await press('Подключить площадку');
    await seen('Пока ничего не подключено');
  }, 120_000);
  afterAll(() => sandbox.close());
  beforeEach(() => onTestFailed(() => console.error(sandbox.log.slice(-40).join('\n'))));

  it('a Telegram channel by Telegram’s own chooser, without any token', async () => {
    const { page, press, seen } = sandbox;
    await press('\\+ Telegram');
    await seen('Подключение Telegram (1/2)');
    await page.locator('.reply-key', { hasText: 'Выбрать канал' }).click();
    await shot('chooser');
    await page.locator('#channel-dialog .menu-item', { hasText: 'Мой канал' }).click();
    await seen('подключено к проекту «Цветы на Ленина»');
    await page.locator('.reply-key', { hasText: 'Выбрать канал' }).waitFor({ state: 'detached' });
    await page.locator('.reply-key', { hasText: 'Меню' }).waitFor();
    await openTab('Канал');
    await shot('telegram');
    await press('К подключениям');
  }, 120_000);

  it('a chat of MAX with an unknown number', async () => {
    const { page, press, say, seen } = sandbox;
    await openTab('MAX');
    const token = await fact('Токен бота');
    await press('\\+ MAX');
    await seen('Подключение MAX (1/2)');
    await press('Найти чат');
    await seen('чат найду сам');
    await say(token);
    await seen('Жду, когда бот появится в чате MAX');
    await page.locator('.deed', { hasText: 'Добавить бота в чат' }).click();
    await seen('MAX · Мой канал в MAX — подключено');
    expect(await page.locator('.bubble', { hasText: token }).count()).toBe(0);
    await shot('max');
    await press('К подключениям');
  }, 120_000);

  it('a community of VK by a key that opens several', async () => {
    const { page, press, say, seen } = sandbox;
    await openTab('VK');
    const key = await fact('Ключ пользователя (с фото)');
    await press('\\+ VK');
    await seen('Подключение VK (1/2)');
    await say(key);
    await seen('В каком сообществе публиковать?');
    await shot('vk-groups');
    await press('Моё сообщество · 128 участников');
    await seen('VK · Моё сообщество — подключено');
    expect(await page.locator('.bubble', { hasText: key }).count()).toBe(0);
    await press('К подключениям');
  }, 120_000);

  it('a board of Pinterest by its consent page, and back', async () => {
    const { page, press, key, seen } = sandbox;
    await press('\\+ Pinterest');
    await seen('Подключение Pinterest (1/2)');
    const consent = await sandbox.browser.newPage();
    await consent.goto((await key('Войти в Pinterest').getAttribute('href'))!);
    await consent.getByText('SEO Master просит доступ').waitFor();
    await consent.screenshot({ path: join(tmpdir(), 'seo-master-channels-consent.png') });
    await consent.getByRole('button', { name: 'Разрешить' }).click();
    await seen('На какую доску публиковать?');
    await consent.close();
    await press('Наши работы');
    await seen('Pinterest · Наши работы — подключено');
    await openTab('Pinterest');
    await press('К подключениям');
    await page.locator('.bubble', { hasText: 'Telegram · @my_channel_1001 — работает' }).last().waitFor();
    await shot('connections');
    expect(sandbox.complaints).toEqual([]);
  }, 120_000);

  it('and publishes a post to each: what arrives is what was shown', async () => {
    const { page, press, key, say, seen } = sandbox;
    await press('К проекту');
    await press('Категории');
    await press('Создать категорию');
    await seen('Новая категория');
    await say('Свадебные букеты');
    await seen('Категория Свадебные букеты создана.');
    await press('Подобрать фразы');
    await key('Взять «Свадебные букеты»').click();
    await press('Москва');
    await press('50');
    await seen('Количество: 50 фраз');
    await press('Подобрать');
    await seen('Готово:');
    for (const [channel, tab, mark] of channels) {
      await press('К категории');
      await press('Опубликовать пост');
      await seen('Куда?');
      await key(channel).click();
      await seen('Сначала увидите пост таким, каким он выйдет');
      await press('Создать пост');
      await key('Вписать свой текст').waitFor();
      const shown = await page.locator('#wall .bubble', { hasText: '#' }).last().innerText();
      const picture = page.locator('#wall .bubble img').last();
      await picture.scrollIntoViewIfNeeded();
      await shot(`post-${tab}-shown`);
      const shape = await shapeOf(picture);
      await press('Опубликовать');
      await seen('Пост опубликован');
      await openTab(tab);
      const arrived = page.locator('.pane.arrivals', { hasText: firstWords(shown) }).first();
      await arrived.waitFor();
      const arrivedText = onOneLine(await arrived.innerText());
      for (const paragraph of paragraphsOf(shown)) expect(arrivedText, tab).toContain(paragraph);
      expect(await shapeOf(arrived.locator('img').first()), `the picture in ${tab}`).toBeCloseTo(shape, 1);
      expect(await arrived.innerHTML(), `${tab} leads to the site`).toContain(`utm_source=${mark}`);
      await shot(`post-${tab}-arrived`);
    }
    expect(sandbox.complaints).toEqual([]);
  }, 240_000);

  const channels = [
    ['Telegram: @my_channel_1001', 'Канал', 'telegram'],
    ['MAX: Мой канал в MAX', 'MAX', 'max'],
    ['VK: Моё сообщество', 'VK', 'vk'],
    ['Pinterest: Наши работы', 'Pinterest', 'pinterest'],
  ] as const;

  const onOneLine = (text: string): string => text.replace(/\s+/gu, ' ');
  /** Of the post; what the bot says of it stands below the line. */
  const paragraphsOf = (shown: string): string[] =>
    shown
      .split('———')[0]!
      .split(/\n{2,}/u)
      .map((paragraph) => onOneLine(paragraph).replace('🔗', '').trim())
      .filter(Boolean);

  /** Width by height, of the picture itself. */
  const shapeOf = async (picture: Locator): Promise<number> => {
    await picture.scrollIntoViewIfNeeded();
    return picture.evaluate(async (element) => {
      const image = element as unknown as Picture;
      await image.decode();
      return image.naturalWidth / image.naturalHeight;
    });
  };

  /** Of the second line: the first is a pin's title, or the hook in bold. */
  const firstWords = (post: string): string => post.split('\n').filter(Boolean)[1]!.slice(0, 40).trim();

  const answers = [
    ['Новый проект (1/4)', 'Цветы на Ленина'],
    ['Новый проект (2/4)', 'ООО «Ромашка»'],
    ['Новый проект (3/4)', 'Доставка букетов и оформление свадеб'],
    ['Новый проект (4/4)', 'https://romashka.example.com'],
  ] as const;

  async function openTab(title: string): Promise<void> {
    await sandbox.page
      .getByRole('tab', { name: new RegExp(`^${title}`, 'u') })
      .first()
      .click();
  }

  async function fact(name: string): Promise<string> {
    return (
      (await sandbox.page.locator('.facts div', { hasText: name }).locator('dd').first().textContent()) ?? ''
    );
  }

  async function shot(name: string): Promise<void> {
    await sandbox.page.screenshot({ path: join(tmpdir(), `seo-master-channels-${name}.png`) });
  }
});
