import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMaxTarget } from '../../../machines/channel-address.ts';
import { DeliveryFailed } from '../../../src/errors.ts';
import { createLog } from '../../../src/log.ts';
import { createMax } from '../../../src/platforms/max/client.ts';
import type { UploadPolicy } from '../../../src/platforms/max/materialise.ts';
import { type MaxAdapter, makeMaxAdapter } from '../../../src/platforms/max/publish.ts';
import type { MessengerChannel, SeriesProgress } from '../../../src/platforms/messenger/messenger.ts';
import { type MaxStandIn, startMaxStandIn } from '../../../src/sandbox/max/start.ts';
import type { Bot } from '../../../src/sandbox/max/wire.ts';
import { tinyPng } from '../../sandbox/tiny-png.ts';
import { failureOf, recorder } from '../failure-of.ts';

const chatId = -70_000_000_000_001;
const link = 'https://max.ru/cvety';
let max: MaxStandIn;
let bot: Bot;
let adapter: MaxAdapter;
let channel: MessengerChannel;
let waited: number[];
let downloads: string[];

beforeEach(async () => {
  max = await startMaxStandIn();
  bot = max.world.addBot({ token: 'token-of-max-bot', name: 'Цветы' });
  max.world.addChat({ id: chatId, title: 'Цветы', link, bots: { [bot.user_id]: {} } });
  channel = { platform: 'max', targetId: String(chatId), token: bot.token };
  waited = [];
  downloads = [];
  adapter = adapterWith({});
});
afterEach(() => max.close());

const adapterWith = (
  client: { timeoutMs?: number; uploadTimeoutMs?: number },
  more: Partial<Parameters<typeof makeMaxAdapter>[0]> = {},
) =>
  makeMaxAdapter({
    max: createMax({ baseUrl: max.url, retries: 1, waitMs: () => 1, ...client }),
    log: createLog('silent'),
    pause: async (ms) => void waited.push(ms),
    jitter: () => 0,
    download: async (url) => {
      downloads.push(url);
      return { bytes: tinyPng(11, 11), contentType: 'image/png' };
    },
    ...more,
  });

const meta = { parseMode: 'HTML', idempotencyKey: 'delivery-1' } as const;
const call = { idempotencyKey: 'publication-1' };
const posts = () => max.world.messages(chatId).map(({ body }) => body);
const picture = (side = 8) => ({ type: 'image', bytes: tinyPng(side, side), contentType: 'image/png' });
const file = (name: string) => ({ type: 'file', bytes: Buffer.from(name), fileName: `${name}.pdf` });
const uploaded = (body: { attachments: { payload?: { token?: unknown } | null }[] } | undefined) =>
  body?.attachments.flatMap(({ payload }) => max.uploads.file(String(payload?.token)) ?? []) ?? [];

describe('a text for MAX', () => {
  it('goes with its markup and buttons, and has an address in a public channel', async () => {
    const sent = await adapter.sendText(channel, '<b>Розы</b>', {
      ...meta,
      buttons: [[{ text: 'Сайт', url: 'https://flora.example' }], [{ text: 'Да', payload: 'yes' }]],
    });
    const [post] = posts();
    expect(post).toMatchObject({
      text: '<b>Розы</b>',
      attachments: [
        {
          type: 'inline_keyboard',
          payload: {
            buttons: [
              [{ type: 'link', text: 'Сайт', url: 'https://flora.example' }],
              [{ type: 'callback', text: 'Да', payload: 'yes' }],
            ],
          },
        },
      ],
    });
    expect(sent).toMatchObject({
      outcome: 'sent',
      providerMessageId: post?.mid,
      url: expect.stringContaining(link),
    });
  });

  it.each([
    ['HTML', '<i>x</i>', 'html'],
    ['Markdown', '*x*', 'markdown'],
    ['None', '*x*', null],
  ] as const)('in %s says so to MAX', (parseMode, text, format) => {
    const preflight = adapter.preflight({ text, parseMode });
    expect(preflight).toMatchObject({ ok: true, rendered: { text, meta: { format } } });
  });

  it('may go to a person who has started the bot', async () => {
    max.people.start(bot, { id: 42, name: 'Анна' });
    const person: MessengerChannel = { ...channel, targetId: '42', settings: { recipient: 'user' } };
    expect(await adapter.sendText(person, 'Здравствуйте', meta)).toMatchObject({
      outcome: 'sent',
      url: null,
    });
  });
});

describe('media for MAX', () => {
  it('of pictures and videos stand together in one message', async () => {
    const video = { type: 'video', bytes: Buffer.from('video'), contentType: 'video/mp4' };
    await adapter.sendMedia(channel, [picture(8), video, picture(9)], 'Альбом', meta);
    expect(posts()).toHaveLength(1);
    expect(posts()[0]?.text).toBe('Альбом');
    expect(uploaded(posts()[0]).map(({ type }) => type)).toEqual(['image', 'video', 'image']);
  });

  it('of files make a series in their order, with the text in the first', async () => {
    const sent = await adapter.sendMedia(channel, [file('раз'), picture(), file('два')], 'Текст', meta);
    expect(posts().map(({ text }) => text)).toEqual(['Текст', null, null]);
    expect(
      posts()
        .flatMap(uploaded)
        .map(({ type }) => type),
    ).toEqual(['file', 'image', 'file']);
    expect(sent.progress).toEqual({
      sent_items: [0, 1, 2],
      provider_message_ids: posts().map(({ mid }) => mid),
    });
  });

  it('with captions of their own make a series too', async () => {
    const captioned = [
      { ...picture(), caption: 'первая' },
      { ...picture(), caption: 'вторая' },
    ];
    await adapter.sendMedia(channel, captioned, 'Текст', meta);
    expect(posts().map(({ text }) => text)).toEqual(['Текст', 'первая', 'вторая']);
  });

  it('are fetched from their address and brought to MAX', async () => {
    const url = 'https://store.example/roses.png';
    await adapter.sendMedia(channel, [{ type: 'image', url }], '', meta);
    expect(downloads).toEqual([url]);
    expect(uploaded(posts()[0])).toHaveLength(1);
  });

  it('are named by their address where the policy allows it', async () => {
    const uploadPolicy: UploadPolicy = {
      image: 'url_allowed',
      video: 'upload_required',
      audio: 'upload_required',
      file: 'upload_required',
    };
    const url = 'https://store.example/roses.png';
    await adapterWith({}, { uploadPolicy }).sendMedia(channel, [{ type: 'image', url }], '', meta);
    expect(posts()[0]?.attachments).toEqual([{ type: 'image', payload: { url } }]);
    expect(downloads).toEqual([]);
  });

  it('that cannot be fetched are tried later', async () => {
    const broken = adapterWith({}, { download: () => Promise.reject(new Error('no such host')) });
    const failure = await failureOf(
      broken.sendMedia(channel, [{ type: 'file', url: 'https://x.example/a' }], '', meta),
    );
    expect(failure.report).toMatchObject({
      category: 'TRANSIENT',
      scope: 'delivery',
      code: 'media_unavailable',
    });
  });

  it('that MAX does not read become what it reads', async () => {
    const bytes = await sharp(tinyPng(8, 8)).webp().toBuffer();
    await adapter.sendMedia(channel, [{ type: 'image', bytes }], '', meta);
    expect(uploaded(posts()[0])[0]?.bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });
});

describe('an attachment that is not ready', () => {
  it('is waited for, by the message alone: nothing is brought twice', async () => {
    max.uploads.beSlow(3);
    const kept: string[] = [];
    const onMaterial = async (_: number, reference: string) => void kept.push(reference);
    await adapter.sendMedia(channel, [picture()], 'Текст', { ...meta, onMaterial });
    expect(waited).toEqual([1_000, 2_000, 4_000]);
    expect(posts()).toHaveLength(1);
    expect(kept).toHaveLength(1);
  });

  it('is waited for a little longer than everybody else does', async () => {
    max.uploads.beSlow(1);
    await adapterWith({}, { jitter: () => 1 }).sendMedia(channel, [picture()], '', meta);
    expect(waited).toEqual([1_250]);
  });

  it('is left for later in the end, and can be sent by its token then', async () => {
    max.uploads.beSlow(4);
    const kept: string[] = [];
    const onMaterial = async (_: number, reference: string) => void kept.push(reference);
    const failure = await failureOf(adapter.sendMedia(channel, [picture()], '', { ...meta, onMaterial }));
    expect(failure.report).toMatchObject({
      category: 'TRANSIENT',
      scope: 'delivery',
      code: 'attachment.not.ready',
    });
    await adapter.sendMedia(channel, [{ type: 'image', reference: kept[0]! }], '', meta);
    expect(posts()).toHaveLength(1);
  });
});

describe('a series that broke off', () => {
  it('goes on where it stopped, and repeats nothing', async () => {
    const { saved, onProgress } = recorder();
    const media = [file('раз'), file('два'), file('три')];
    const failing = { ...meta, onProgress: failSecond(onProgress) };
    const failure = await failureOf(adapter.sendMedia(channel, media, 'Текст', failing));
    expect(failure.progress.sent_items).toEqual([0]);
    const progress = saved.at(-1) as SeriesProgress;
    const sent = await adapter.sendMedia(channel, media, 'Текст', { ...meta, onProgress, progress });
    expect(
      posts()
        .flatMap(uploaded)
        .map(({ bytes }) => bytes.toString()),
    ).toEqual(['раз', 'два', 'три']);
    expect(sent.progress.provider_message_ids).toEqual(posts().map(({ mid }) => mid));
  });

  /** After the first message MAX wants no more for now. */
  const failSecond = (onProgress: (progress: SeriesProgress) => Promise<void>) => {
    return async (progress: SeriesProgress) => {
      max.faults.add({ match: 'POST /messages', fault: { kind: 'status', status: 429, retryAfter: 2 } });
      await onProgress(progress);
    };
  };

  it('keeps what was acknowledged when the rest is unknown', async () => {
    const { onProgress } = recorder();
    const breaking = async (progress: SeriesProgress) => {
      if (progress.sent_items.length === 1)
        max.faults.add({ match: 'POST /messages', fault: { kind: 'reset-after' } });
      await onProgress(progress);
    };
    const media = [file('раз'), file('два'), file('три')];
    const sent = await adapter.sendMedia(channel, media, '', { ...meta, onProgress: breaking });
    expect(sent).toMatchObject({ outcome: 'unknown', progress: { sent_items: [0] } });
    expect(posts()).toHaveLength(2);
  });
});

describe("MAX's answer that was lost", () => {
  it.each(['reset-after', 'truncated', 'malformed'] as const)(
    'by %s leaves the outcome unknown, and nothing is sent twice',
    async (kind) => {
      max.faults.add({ match: 'POST /messages', fault: { kind } });
      expect(await adapter.sendText(channel, 'один раз', meta)).toMatchObject({ outcome: 'unknown' });
      expect(posts()).toHaveLength(1);
    },
  );

  it('by a silence leaves the outcome unknown, and nothing is sent twice', async () => {
    max.faults.add({ match: 'POST /messages', fault: { kind: 'hang-after' } });
    const sent = await adapterWith({ timeoutMs: 200 }).sendText(channel, 'один раз', meta);
    expect(sent.outcome).toBe('unknown');
    await expect.poll(posts).toHaveLength(1);
  });

  it('while a file is uploaded is a plain failure: nothing was posted', async () => {
    for (const match of ['POST /uploads', 'POST /upload/']) {
      max.faults.add({ match, fault: { kind: 'reset-after' } });
      const failure = await failureOf(adapter.sendMedia(channel, [picture()], '', meta));
      expect(failure.report).toMatchObject({ category: 'TRANSIENT', scope: 'platform', code: 'network' });
    }
    expect(posts()).toEqual([]);
  });

  it('and a refusal by the upload host concern the file, never the chat', async () => {
    max.faults.add({ match: 'POST /upload/', fault: { kind: 'status', status: 404 } });
    const failure = await failureOf(adapter.sendMedia(channel, [picture()], '', meta));
    expect(failure.report).toMatchObject({
      category: 'PERMANENT',
      scope: 'delivery',
      code: 'upload.refused',
    });
  });

  it('is another thing than a request that could not be sent', async () => {
    await max.close();
    const failure = await failureOf(adapter.sendText(channel, 'x', meta));
    expect(failure.report).toMatchObject({ category: 'TRANSIENT', scope: 'platform', code: 'network' });
  });
});

describe("MAX's refusal", () => {
  const report = async () => (await failureOf(adapter.sendText(channel, 'x', meta))).report;

  it.each([302, 403, 404])(
    'is not the %i of a proxy on the way: the platform never got the post',
    async (status) => {
      max.faults.add({ match: 'POST /messages', fault: { kind: 'status', status, body: '<html>' } });
      expect(await report()).toMatchObject({ category: 'TRANSIENT', scope: 'platform', code: 'network' });
    },
  );

  it.each([
    [401, { category: 'PERMANENT', scope: 'channel', code: 'verify.token' }],
    [403, { category: 'PERMANENT', scope: 'channel', code: 'chat.denied' }],
    [404, { category: 'PERMANENT', scope: 'channel', code: 'http.404' }],
    [400, { category: 'PERMANENT', scope: 'delivery', code: 'http.400' }],
    [503, { category: 'TRANSIENT', scope: 'platform' }],
  ])('with %i is understood', async (status, expected) => {
    max.faults.add({ match: 'POST /messages', fault: { kind: 'status', status } });
    expect(await report()).toMatchObject(expected);
  });

  it.each([
    [429, { category: 'TRANSIENT', scope: 'platform', retryAfterMs: 4_000 }, 4],
    [429, { category: 'TRANSIENT', scope: 'platform' }, undefined],
  ])('with %i asks to wait, for a named time or not', async (status, expected, retryAfter) => {
    const fault = { kind: 'status', status, ...(retryAfter !== undefined && { retryAfter }) } as const;
    max.faults.add({ match: 'POST /messages', fault });
    expect(await report()).toMatchObject(expected);
  });

  it.each([500, 502, 504])('with %i leaves the outcome unknown', async (status) => {
    max.faults.add({ match: 'POST /messages', fault: { kind: 'status', status } });
    expect(await adapter.sendText(channel, 'x', meta)).toMatchObject({ outcome: 'unknown' });
  });

  it('of a chat that stopped the bot concerns the channel', async () => {
    max.world.setStatus(chatId, 'suspended');
    expect(await report()).toMatchObject({ category: 'PERMANENT', scope: 'channel', code: 'chat.denied' });
  });
});

describe('a connection to MAX', () => {
  const refusal = async () => (await failureOf(adapter.validate(channel), DeliveryFailed)).report;

  it('is good when the bot may write there', async () => {
    expect(await adapter.validate(channel)).toEqual({
      identifier: String(chatId),
      title: 'Цветы',
      kind: 'channel',
      link,
      botName: 'Цветы',
    });
  });

  it('is refused without the right to write, after removal, to a foreign chat, with a wrong token', async () => {
    max.world.addChat({ id: chatId, bots: { [bot.user_id]: { permissions: ['read_all_messages'] } } });
    expect(await refusal()).toMatchObject({ code: 'may_not_write', scope: 'channel' });
    max.world.setStatus(chatId, 'removed');
    expect(await refusal()).toMatchObject({ code: 'chat_not_active' });
    channel = { ...channel, targetId: '-70000000000099' };
    expect(await refusal()).toMatchObject({ code: 'chat.not.found', scope: 'channel' });
    channel = { ...channel, token: 'wrong' };
    expect(await refusal()).toMatchObject({ code: 'verify.token' });
  });

  it.each([
    ['-70000000000001', '-70000000000001'],
    ['https://web.max.ru/-70000000000001', '-70000000000001'],
    ['https://max.ru/cvety', null],
    ['цветы', null],
  ])('to «%s» leads to %s', (given, target) => {
    expect(readMaxTarget(given)).toBe(target);
  });
});

describe('a post of the bot itself in MAX', () => {
  it('goes with its picture as one message, however long the text', async () => {
    const picture = await sharp(tinyPng(16, 16)).webp().toBuffer();
    const html = `<b>${'я'.repeat(3_000)}</b>`;
    const sent = await adapter.publish(channel, { html, picture }, call);
    expect(sent).toMatchObject({ outcome: 'sent', url: expect.stringContaining(link) });
    expect(posts()).toMatchObject([{ text: html, attachments: [{ type: 'image' }] }]);
  });

  it('brings its picture once, whatever MAX makes of it', async () => {
    const picture = tinyPng(16, 16);
    max.faults.add({ match: 'POST /messages', fault: { kind: 'status', status: 429, retryAfter: 2 } });
    max.uploads.beSlow(9);
    const failure = await failureOf(adapter.publish(channel, { html: 'Пионы', picture }, call));
    expect(failure.report.code).toBe('attachment.not.ready');
    expect(waited).toEqual([2_000, 1_000, 2_000, 4_000]);
    expect(max.uploads.count()).toBe(1);
  });

  it('waits once when MAX asks for it', async () => {
    max.faults.add({ match: 'POST /messages', fault: { kind: 'status', status: 429, retryAfter: 2 } });
    expect(await adapter.publish(channel, { html: 'Пионы' }, call)).toMatchObject({ outcome: 'sent' });
    expect(waited).toEqual([2_000]);
  });
});
