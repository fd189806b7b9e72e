import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpServer, type HttpHandler, listen, readBody, sendJson } from '../../src/http/server.ts';
import { createTelegramChannels } from '../../src/platforms/telegram/client.ts';
import { autopostHttp } from '../../src/sandbox/autopost-http.ts';
import type { AutopostOverview } from '../../src/sandbox/autopost-overview.ts';
import { demoBots, demoChannels } from '../../src/sandbox/demo-channels.ts';
import { type MaxStandIn, startMaxStandIn } from '../../src/sandbox/max/start.ts';
import { sandboxPage } from '../../src/sandbox/page-server.ts';
import { openSandboxChannels, type SandboxChannels } from '../../src/sandbox/sandbox-channels.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { noBrowser, openBrowser } from '../support/browser.ts';
import { tinyPng } from './tiny-png.ts';

let browser: Awaited<ReturnType<typeof openBrowser>>;
let folder: string;
let telegram: TelegramStandIn;
let max: MaxStandIn;
let channels: SandboxChannels;
let server: Server;
let page: Page;
let overview: AutopostOverview;
let posted: { authorization: string | undefined; body: unknown }[];
let resumed: string[];
let answered: object;

describe.skipIf(noBrowser)('autoposting on the page of the sandbox', () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });

  afterAll(() => browser.close());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seo-master-autopost-page-'));
    telegram = await startTelegramStandIn({ token: '123456:own' });
    max = await startMaxStandIn();
    channels = openSandboxChannels({ telegram, max });
    posted = [];
    answered = { message_id: 'm1', queued: 31, suppressed: 2, rejected: 0 };
    resumed = [];
    overview = {
      counts: [{ id: 'sent', title: 'доставлены', tone: 'good', amount: 7 }],
      events: [{ at: Date.now(), what: 'Ижевск сегодня', words: 'отправлено', tone: 'good' }],
      held: [{ channelId: 'telegram-02', words: 'на паузе: бот не администратор' }],
    };
    await startPage();
    await page.getByRole('tab', { name: 'Автопостинг' }).click();
  });

  afterEach(async () => {
    await page.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await Promise.all([telegram.close(), max.close()]);
    await rm(folder, { recursive: true });
  });

  it('sends the post of the form as any site would, and shows the answer and what came of it', async () => {
    await page.getByRole('textbox', { name: 'Текст поста' }).fill('<b>Скидки</b> & подарки');
    await page.getByRole('textbox', { name: 'Адрес картинки' }).fill('https://example.com/a.png');
    await page.getByRole('textbox', { name: /^Метки/u }).fill('акции,  подарки');
    await page.getByRole('button', { name: 'Отправить пост' }).click();
    await page.getByText('Принят, каналов в очереди: 31, уже был в 2').waitFor();
    expect(posted).toEqual([
      {
        authorization: 'Bearer demo-secret',
        body: {
          text: '<b>Скидки</b> & подарки',
          tags: ['акции', 'подарки'],
          parse_mode: 'HTML',
          media: [{ type: 'image', url: 'https://example.com/a.png' }],
        },
      },
    ]);
    await page.locator('.event', { hasText: 'Ижевск сегодня отправлено' }).waitFor();
    await page.getByRole('button', { name: '7 доставлены' }).click();
    await page.locator('.delivery-chart #state-sent.current').waitFor();
  });

  it('shows a post that suits no channel in the colour of a failure, with the reason of each platform', async () => {
    answered = {
      ...{ message_id: 'm2', queued: 0, suppressed: 0, rejected: 40 },
      rejections: [{ platform: 'telegram', reason: 'Текст слишком длинный: можно до 4 096.' }],
    };
    await page.getByRole('textbox', { name: 'Текст поста' }).fill('Т'.repeat(50));
    await page.getByRole('button', { name: 'Отправить пост' }).click();
    const answer = page.locator('.answer.bad', {
      hasText: 'Пост никуда не уйдёт: он не подошёл ни одному каналу',
    });
    await answer.getByText('Telegram: Текст слишком длинный: можно до 4 096.').waitFor();
    const colour = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('.answer.bad')).backgroundColor",
    );
    const [red = 0, green = 0] = colour.match(/[\d.]+/gu)!.map(Number);
    expect(red).toBeGreaterThan(green);
  });

  it('shows a post in its channel while one looks, and does not close what was opened', async () => {
    await page.getByRole('button', { name: 'Каналы Telegram' }).click();
    const first = page.locator('.channel', { hasText: 'Ижевск сегодня' });
    await first.locator('summary').click();
    await first.getByText('Постов ещё нет').waitFor();
    await post('<b>Открыли</b> набережную');
    await first.locator('.bubble strong', { hasText: 'Открыли' }).waitFor();
    const picture = first.locator('.album img');
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(8);
  });

  it('lets one break a channel, and take a paused one back to work', async () => {
    await page.getByRole('button', { name: 'Каналы Telegram' }).click();
    const paused = page.locator('.channel', { hasText: 'на паузе: бот не администратор' });
    await paused.locator('summary').click();
    await paused.getByRole('combobox').selectOption('Бот больше не администратор');
    await expect.poll(() => channels.list('telegram')[1]?.mood).toBe('forbidden');
    await paused.getByRole('button', { name: 'Вернуть в работу' }).click();
    await expect.poll(() => resumed).toEqual(['telegram-02']);
  });
});

async function startPage(): Promise<void> {
  const handler = sandboxPage({
    telegram,
    flows: [],
    liveState: async () => null,
    chartSvg: async () => null,
    autopost: autopostHttp({
      channels,
      overview: async () => overview,
      resume: async (id) => void resumed.push(id),
      chartSvg: async () =>
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><g id="state-sent"><rect width="90" height="30"/></g></svg>',
      samplePicture: async () => tinyPng(8, 6),
      ingestSecret: 'demo-secret',
    }),
  });
  server = createHttpServer([takesPosts, handler], (error) => console.error(error));
  const port = await listen(server, 0, '127.0.0.1');
  page = await browser.newPage();
  page.setDefaultTimeout(8000);
  await page.goto(`http://127.0.0.1:${port}/`);
}

const takesPosts: HttpHandler = async (request, response, url) => {
  if (url.pathname !== '/api/ingest') return false;
  const body: unknown = JSON.parse((await readBody(request, 10_000)).toString());
  posted.push({ authorization: request.headers.authorization, body });
  sendJson(response, 202, answered);
  return true;
};

async function post(caption: string): Promise<void> {
  await createTelegramChannels({ apiRoot: telegram.url }).create(demoBots.telegram.token, {
    method: 'sendPhoto',
    fields: { chat_id: demoChannels[0]!.targetId, caption, parse_mode: 'HTML', photo: 'attach://a' },
    files: new Map([['a', { bytes: tinyPng(8, 6), fileName: 'a.png', contentType: 'image/png' }]]),
  });
}
