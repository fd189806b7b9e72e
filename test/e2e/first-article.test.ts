import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { openSandboxPage, type SandboxPage } from '../support/sandbox-page.ts';

const shot = (name: string) => ({ path: join(tmpdir(), `seo-master-first-article-${name}.png`) });

describe.skipIf(noBrowser)('the first article, counted in presses and typed answers', () => {
  let sandbox: SandboxPage;
  let effort = { presses: 0, answers: 0 };
  beforeAll(async () => {
    sandbox = await openSandboxPage();
  });
  afterAll(() => sandbox.close());
  beforeEach(() => {
    effort = { presses: 0, answers: 0 };
    onTestFailed(() => console.error(sandbox.log.slice(-40).join('\n')));
  });

  it('takes at most 7 presses and 4 answers to the published article, where there is a site', async () => {
    const { page, seen } = sandbox;
    const site = await siteOfThePage();
    await starts();
    await press('Написать статью');
    await seen('Есть сайт? Пришлите его адрес');
    await answer(site.address);
    await seen('Вот что я прочитал');
    await page.screenshot(shot('card'));
    await press('Сохранить');
    await seen('Статья (2/5) — сайт');
    await press('Подключить WordPress');
    await seen('Подключение WordPress (2/3)');
    await answer(site.login);
    await seen('Подключение WordPress (3/3)');
    await answer(site.password);
    await seen('О чём пишем?');
    await press('.+: выбор');
    await seen('Стоимость: не больше');
    await press('Создать статью');
    await seen('Черновик хранится 24 часа, потом');
    await press('Опубликовать');
    await seen('Статья опубликована');
    console.log('with a site, to the published article:', effort);
    expect(effort.presses).toBeLessThanOrEqual(7);
    expect(effort.answers).toBeLessThanOrEqual(4);
  }, 300_000);

  it('takes at most 3 presses to the generation, when one comes back', async () => {
    const { seen } = sandbox;
    await press('Меню');
    effort.presses = 0;
    await press('Написать статью');
    await seen('Стоимость: не больше');
    await press('Создать статью');
    await sandbox.liveStateIs('generating');
    console.log('of a returning person, to the generation:', effort);
    expect(effort.presses).toBeLessThanOrEqual(3);
    expect(effort.answers).toBe(0);
  }, 120_000);

  it('takes at most 8 presses and 4 answers to a preview, where there is no site', async () => {
    const { page, seen } = sandbox;
    await page.getByRole('button', { name: /Борис/u }).click();
    await starts();
    await press('Написать статью');
    await seen('Новый проект (1/4)');
    await answer('Шторы');
    await seen('Новый проект (2/4)');
    await answer('ИП Штора');
    await seen('Новый проект (3/4)');
    await answer('Пошив штор на заказ');
    await seen('Новый проект (4/4)');
    await press('Пропустить');
    await seen('Статья (2/5) — сайт');
    await press('Только предпросмотр');
    await seen('О чём будем писать');
    await answer('Римские шторы');
    await seen('Без них не начать');
    await press('Подобрать фразы .+');
    await seen('(2/3)');
    await press('Россия');
    await seen('Готово:');
    await press('Дальше');
    await seen('Стоимость: не больше');
    await press('Создать статью');
    await seen('Черновик хранится 24 часа, потом');
    await page.screenshot(shot('preview'));
    const preview = await sandbox.browser.newPage();
    await preview.goto((await sandbox.key('Открыть предпросмотр').getAttribute('href'))!);
    expect(await preview.locator('h1').textContent()).toMatch(/штор/iu);
    console.log('without a site, to the preview:', effort);
    expect(effort.presses).toBeLessThanOrEqual(8);
    expect(effort.answers).toBeLessThanOrEqual(4);
    expect(sandbox.complaints).toEqual([]);
  }, 300_000);

  async function starts(): Promise<void> {
    await sandbox.page.getByRole('button', { name: 'Начать' }).click();
    await sandbox.seen('ИИ пишет, вы проверяете, бот публикует.');
  }

  async function press(label: string): Promise<void> {
    effort.presses += 1;
    await sandbox.press(label);
  }

  async function answer(text: string): Promise<void> {
    effort.answers += 1;
    await sandbox.say(text);
  }

  /** What the page tells of the site that one may publish to. */
  async function siteOfThePage() {
    const { page } = sandbox;
    await page.locator('.tab', { hasText: 'Сайт' }).click();
    const [address, login, password] = await page.locator('.facts dd').allTextContents();
    await page.locator('.tab', { hasText: 'Схема' }).click();
    return { address: address!, login: login!, password: password! };
  }
});
