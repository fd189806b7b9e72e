import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTelegramTarget } from '../../../machines/channel-address.ts';
import { DeliveryFailed } from '../../../src/errors.ts';
import { createLog } from '../../../src/log.ts';
import type { MessengerChannel, SeriesProgress } from '../../../src/platforms/messenger/messenger.ts';
import { createTelegramChannels } from '../../../src/platforms/telegram/client.ts';
import { makeTelegramAdapter, type TelegramAdapter } from '../../../src/platforms/telegram/publish.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../../src/sandbox/telegram/start.ts';
import { tinyPng } from '../../sandbox/tiny-png.ts';
import { failureOf, recorder } from '../failure-of.ts';

const token = '777:token-of-the-customers-bot-abc';
let telegram: TelegramStandIn;
let adapter: TelegramAdapter;
let channel: MessengerChannel;
let chatId: number;
let waited: number[];

beforeEach(async () => {
  telegram = await startTelegramStandIn({ token: '123456:the-products-own-bot' });
  const bot = telegram.channels.addBot({ token, username: 'cvety_bot' });
  chatId = telegram.channels.add({
    title: 'Цветы',
    username: 'cvety_msk',
    botStatus: 'left',
    bots: { [bot.id]: { status: 'administrator' } },
  }).id;
  channel = { platform: 'telegram', targetId: String(chatId), token };
  waited = [];
  adapter = adapterWith({});
});
afterEach(() => telegram.close());

const adapterWith = (options: { timeoutMs?: number }) =>
  makeTelegramAdapter({
    telegram: createTelegramChannels({ apiRoot: telegram.url, retries: 1, waitMs: () => 1, ...options }),
    log: createLog('silent'),
    pause: async (ms) => void waited.push(ms),
  });
const meta = { parseMode: 'HTML', idempotencyKey: 'delivery-1' } as const;
const call = { idempotencyKey: 'publication-1' };
const posts = () => telegram.channels.posts(chatId);
const picture = (side = 8) => ({ type: 'image', bytes: tinyPng(side, side), contentType: 'image/png' });
const long = `<b>${'я'.repeat(1_025)}</b>`;

describe('a text', () => {
  it('is sent with its markup and buttons, and named by its id and address', async () => {
    const sent = await adapter.sendText(channel, '<b>Розы</b> по 100 ₽', {
      ...meta,
      disablePreview: true,
      buttons: [
        [
          { text: 'Сайт', url: 'https://flora.example' },
          { text: 'Да', payload: 'yes' },
        ],
      ],
    });
    const [post] = posts();
    expect(post).toMatchObject({ text: 'Розы по 100 ₽', sender_chat: { id: chatId } });
    expect(post?.reply_markup?.inline_keyboard[0]).toEqual([
      { text: 'Сайт', url: 'https://flora.example' },
      { text: 'Да', callback_data: 'yes' },
    ]);
    expect(sent).toMatchObject({
      outcome: 'sent',
      providerMessageId: String(post?.message_id),
      url: `https://t.me/cvety_msk/${post?.message_id}`,
    });
    expect(telegram.calls().at(-1)?.fields).toMatchObject({ link_preview_options: { is_disabled: true } });
  });

  it('goes as it stands when it has no markup', async () => {
    await adapter.sendText(channel, '5 < 6 & 7', { ...meta, parseMode: 'None' });
    expect(posts()[0]?.text).toBe('5 < 6 & 7');
  });

  it('in Markdown looks as it was meant', async () => {
    await adapter.sendText(channel, '**Розы** и [сайт](https://flora.example)', {
      ...meta,
      parseMode: 'Markdown',
    });
    expect(posts()[0]).toMatchObject({
      text: 'Розы и сайт',
      entities: [
        { type: 'bold', offset: 0 },
        { type: 'text_link', url: 'https://flora.example/' },
      ],
    });
  });

  it('with an address of its own in a channel without a name', async () => {
    const bot = telegram.channels.bots()[0]!;
    const hidden = telegram.channels.add({
      title: 'Закрытый',
      bots: { [bot.id]: { status: 'administrator' } },
    });
    const sent = await adapter.sendText({ ...channel, targetId: String(hidden.id) }, 'текст', meta);
    const id = telegram.channels.posts(hidden.id)[0]?.message_id;
    expect(sent).toMatchObject({ url: `https://t.me/c/${String(hidden.id).slice(4)}/${id}` });
  });
});

describe('media', () => {
  it('alone goes with its caption in one message', async () => {
    await adapter.sendMedia(channel, [picture()], 'Подпись', meta);
    expect(posts()).toMatchObject([{ caption: 'Подпись', photo: [{ width: 8 }] }]);
  });

  it.each([
    ['video', 'video', 'video/mp4'],
    ['audio', 'audio', 'audio/mpeg'],
    ['file', 'document', 'application/pdf'],
  ])('of type %s goes as %s', async (type, field, contentType) => {
    await adapter.sendMedia(channel, [{ type, bytes: Buffer.from('bytes'), contentType }], 'Подпись', meta);
    expect(posts()[0]).toMatchObject({ caption: 'Подпись', [field]: { file_size: 5 } });
  });

  it('goes before a text that is too long for a caption', async () => {
    const sent = await adapter.sendMedia(channel, [picture()], long, meta);
    expect(posts().map(({ photo, text }) => [photo !== undefined, text?.length])).toEqual([
      [true, undefined],
      [false, 1_025],
    ]);
    expect(sent.progress).toMatchObject({ sent_items: [0, 1] });
  });

  it('of two to ten is an album with the text under the first, in the order given', async () => {
    const sent = await adapter.sendMedia(channel, [picture(8), picture(9), picture(10)], 'Альбом', meta);
    expect(posts().map(({ caption, photo }) => [caption, photo?.[0]?.width])).toEqual([
      ['Альбом', 8],
      [undefined, 9],
      [undefined, 10],
    ]);
    expect(new Set(posts().map(({ media_group_id }) => media_group_id)).size).toBe(1);
    expect(sent.progress.provider_message_ids).toEqual(posts().map(({ message_id }) => String(message_id)));
  });

  it('of an album follows a text that is too long for a caption', async () => {
    await adapter.sendMedia(channel, [picture(), picture()], long, meta);
    expect(posts().map(({ text, caption }) => [text?.length, caption])).toEqual([
      [1_025, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('is remembered by the id under which Telegram keeps it, and sent by it', async () => {
    const kept = new Map<number, string>();
    const onMaterial = async (index: number, reference: string) => void kept.set(index, reference);
    await adapter.sendMedia(channel, [picture(8), picture(9)], '', { ...meta, onMaterial });
    expect([...kept.keys()]).toEqual([0, 1]);
    await adapter.sendMedia(channel, [{ type: 'image', reference: kept.get(1)! }], '', meta);
    expect(posts().at(-1)?.photo?.[0]?.width).toBe(9);
  });

  it('is sent all the same when its id could not be kept', async () => {
    const onMaterial = () => Promise.reject(new Error('the database is away'));
    const sent = await adapter.sendMedia(channel, [picture()], '', { ...meta, onMaterial });
    expect(sent.outcome).toBe('sent');
    expect(posts()).toHaveLength(1);
  });

  it('that Telegram has forgotten is named, so that it can be brought anew', async () => {
    const failure = await failureOf(
      adapter.sendMedia(channel, [{ type: 'image', reference: 'old' }], '', meta),
    );
    expect(failure.report).toMatchObject({ category: 'TRANSIENT', scope: 'delivery', code: 'media_expired' });
  });
});

describe('half a post', () => {
  const failText = (status: number, more: object = {}) =>
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'status', status, ...more } });

  it('is taken back when the rest was refused for good', async () => {
    failText(400);
    const { saved, onProgress } = recorder();
    const failure = await failureOf(adapter.sendMedia(channel, [picture()], long, { ...meta, onProgress }));
    expect(failure.report.category).toBe('PERMANENT');
    expect(posts()).toEqual([]);
    expect(saved.at(-1)).toEqual({ sent_items: [], provider_message_ids: [] });
  });

  it('waits for the rest when that may go later, and only the rest is sent then', async () => {
    failText(429, { retryAfter: 7 });
    const { saved, onProgress } = recorder();
    const failure = await failureOf(adapter.sendMedia(channel, [picture()], long, { ...meta, onProgress }));
    expect(failure.report).toMatchObject({ category: 'TRANSIENT', retryAfterMs: 7_000 });
    expect(posts()).toHaveLength(1);
    const progress = saved.at(-1) as SeriesProgress;
    expect(failure.progress).toEqual(progress);
    await adapter.sendMedia(channel, [picture()], long, { ...meta, onProgress, progress });
    expect(posts().map(({ photo }) => photo !== undefined)).toEqual([true, false]);
  });

  it('is taken back at once without a record of it', async () => {
    failText(429, { retryAfter: 7 });
    await failureOf(adapter.sendMedia(channel, [picture()], long, meta));
    expect(posts()).toEqual([]);
  });

  it('stays, and is owned up to, when it cannot be taken back', async () => {
    failText(400);
    telegram.faults.add({ match: 'deleteMessage', fault: { kind: 'status', status: 400 } });
    const failure = await failureOf(adapter.sendMedia(channel, [picture()], long, meta));
    expect(failure.progress.sent_items).toEqual([0]);
  });
});

describe('an answer that was lost', () => {
  it.each(['reset-after', 'truncated', 'malformed'] as const)(
    'by %s leaves the outcome unknown, and nothing is sent twice',
    async (kind) => {
      telegram.faults.add({ match: 'sendMessage', fault: { kind } });
      expect(await adapter.sendText(channel, 'один раз', meta)).toMatchObject({ outcome: 'unknown' });
      expect(posts()).toHaveLength(1);
    },
  );

  it('by a silence leaves the outcome unknown, and nothing is sent twice', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'hang-after' } });
    const sent = await adapterWith({ timeoutMs: 200 }).sendText(channel, 'один раз', meta);
    expect(sent.outcome).toBe('unknown');
    await expect.poll(posts).toHaveLength(1);
  });

  it.each([500, 502, 504])('with a %i leaves the outcome unknown', async (status) => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'status', status } });
    expect(await adapter.sendText(channel, 'x', meta)).toMatchObject({ outcome: 'unknown' });
    expect(telegram.calls()).toEqual([]);
  });

  it('in the middle of a series keeps what is certain', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'reset-after' } });
    const sent = await adapter.sendMedia(channel, [picture()], long, meta);
    expect(sent).toMatchObject({ outcome: 'unknown', progress: { sent_items: [0] } });
    expect(posts()).toHaveLength(2);
  });

  it('is another thing than a request that could not be sent', async () => {
    await telegram.close();
    const failure = await failureOf(adapter.sendText(channel, 'x', meta));
    expect(failure.report).toMatchObject({ category: 'TRANSIENT', scope: 'platform', code: 'network' });
  });
});

describe('a refusal', () => {
  const botId = 777;
  const refuse = (status: number, description: string, parameters?: object) =>
    telegram.faults.add({
      match: 'sendMessage',
      fault: { kind: 'status', status, body: { ok: false, error_code: status, description, parameters } },
    });
  const report = async () => (await failureOf(adapter.sendText(channel, 'x', meta))).report;

  it('of a bot that was thrown out concerns the channel', async () => {
    telegram.channels.stand(chatId, botId, { status: 'kicked' });
    expect(await report()).toMatchObject({ category: 'PERMANENT', scope: 'channel', code: '403' });
  });

  it('of a bot that lost its right to post concerns the channel', async () => {
    telegram.channels.stand(chatId, botId, { status: 'administrator', mayPost: false });
    expect(await report()).toMatchObject({ category: 'PERMANENT', scope: 'channel', code: 'not_admin' });
  });

  it.each([
    [401, 'Unauthorized', { category: 'PERMANENT', scope: 'channel', code: '401' }],
    [404, 'Not Found', { category: 'PERMANENT', scope: 'channel', code: '404' }],
    [400, 'Bad Request: chat not found', { category: 'PERMANENT', scope: 'channel', code: 'chat_not_found' }],
    [
      400,
      "Bad Request: can't parse entities: x",
      { category: 'PERMANENT', scope: 'delivery', code: 'bad_markup' },
    ],
    [
      400,
      'Bad Request: message is too long',
      { category: 'PERMANENT', scope: 'delivery', code: 'message_too_long' },
    ],
    [400, 'Bad Request: something new', { category: 'PERMANENT', scope: 'delivery', code: '400' }],
    [
      400,
      'Bad Request: member list is inaccessible',
      { category: 'PERMANENT', scope: 'channel', code: 'not_admin' },
    ],
    [413, 'Request Entity Too Large', { category: 'PERMANENT', scope: 'delivery', code: '413' }],
    [503, 'Service Unavailable', { category: 'TRANSIENT', scope: 'platform', code: '503' }],
  ])('with %i «%s» is understood', async (status, description, expected) => {
    refuse(status, description);
    expect(await report()).toMatchObject(expected);
  });

  it('with 429 names the time to wait and concerns the platform', async () => {
    refuse(429, 'Too Many Requests: retry after 5', { retry_after: 5 });
    expect(await report()).toMatchObject({ category: 'TRANSIENT', scope: 'platform', retryAfterMs: 5_000 });
  });

  it.each([302, 403, 404])(
    'is not the %i of a proxy on the way: the platform never got the post',
    async (status) => {
      telegram.faults.add({ match: 'sendMessage', fault: { kind: 'status', status, body: '<html>' } });
      expect(await report()).toMatchObject({ category: 'TRANSIENT', scope: 'platform', code: 'network' });
    },
  );

  it('of a chat that has moved names its new number to the person', async () => {
    refuse(400, 'Bad Request: group chat was upgraded', { migrate_to_chat_id: -1001234567890 });
    const { userMessage, ...rest } = await report();
    expect(rest).toMatchObject({ category: 'PERMANENT', scope: 'channel', code: 'migrated' });
    expect(userMessage).toContain('-1001234567890');
  });
});

describe('a connection', () => {
  const refusal = async () => (await failureOf(adapter.validate(channel), DeliveryFailed)).report;

  it('is good when the bot may post there, whichever way the channel was named', async () => {
    const facts = {
      identifier: String(chatId),
      title: 'Цветы',
      username: 'cvety_msk',
      botUsername: 'cvety_bot',
    };
    expect(await adapter.validate(channel)).toEqual(facts);
    expect(await adapter.validate({ ...channel, targetId: '@cvety_msk' })).toEqual(facts);
  });

  it('tells a wrong token from a missing channel, and a missing right from a missing membership', async () => {
    telegram.channels.stand(chatId, 777, { status: 'administrator', mayPost: false });
    expect(await refusal()).toMatchObject({ code: 'may_not_post' });
    telegram.channels.stand(chatId, 777, { status: 'member' });
    expect(await refusal()).toMatchObject({ code: 'not_admin' });
    channel = { ...channel, targetId: '@nobody_here' };
    expect(await refusal()).toMatchObject({ code: 'chat_not_found', scope: 'channel' });
    channel = { ...channel, token: '778:somebody-elses-token-entirely' };
    expect(await refusal()).toMatchObject({ code: '401' });
  });

  it('is asked again when Telegram stumbles, and not for ever', async () => {
    telegram.faults.add({ match: 'getMe', fault: { kind: 'status', status: 502 } });
    expect(await adapter.validate(channel)).toMatchObject({ title: 'Цветы' });
    telegram.faults.add({ match: 'getMe', times: 2, fault: { kind: 'reset' } });
    expect(await refusal()).toMatchObject({ category: 'TRANSIENT', code: 'network' });
  });

  it.each([
    ['@cvety_msk', '@cvety_msk'],
    ['cvety_msk', '@cvety_msk'],
    ['https://t.me/cvety_msk', '@cvety_msk'],
    ['t.me/s/cvety_msk/15?single', '@cvety_msk'],
    [' -1001234567890 ', '-1001234567890'],
    ['https://t.me/c/1234567890/7', '-1001234567890'],
    ['https://t.me/+AbCdEfGh', null],
    ['https://t.me/joinchat/AbCdEf', null],
    ['https://vk.com/cvety', null],
    ['два слова', null],
  ])('to «%s» leads to %s', (given, target) => {
    expect(readTelegramTarget(given)).toBe(target);
  });
});

describe('a post of the bot itself', () => {
  const webp = () => sharp(tinyPng(16, 16)).webp().toBuffer();

  it('goes with its picture as JPEG', async () => {
    const sent = await adapter.publish(channel, { html: '<i>Пионы</i>', picture: await webp() }, call);
    expect(sent).toMatchObject({ outcome: 'sent', warnings: [] });
    const [post] = posts();
    expect(post?.caption).toBe('Пионы');
    expect(telegram.file(post?.photo?.[0]?.file_id ?? '')?.mime).toBe('image/jpeg');
  });

  it('waits once when Telegram asks for it, and not for longer than a minute', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'status', status: 429, retryAfter: 3 } });
    expect(await adapter.publish(channel, { html: 'Пионы' }, call)).toMatchObject({ outcome: 'sent' });
    expect(waited).toEqual([3_000]);
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'status', status: 429, retryAfter: 90 } });
    await failureOf(adapter.publish(channel, { html: 'Пионы' }, call));
    expect(waited).toEqual([3_000]);
    expect(posts()).toHaveLength(1);
  });

  it('leaves no lone picture behind', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'status', status: 400 } });
    await failureOf(adapter.publish(channel, { html: long, picture: await webp() }, call));
    expect(posts()).toEqual([]);
  });

  it('asks the person to look when a lone picture could not be removed', async () => {
    telegram.faults.add({ match: 'sendMessage', fault: { kind: 'status', status: 400 } });
    telegram.faults.add({ match: 'deleteMessage', fault: { kind: 'reset' } });
    const sent = await adapter.publish(channel, { html: long, picture: await webp() }, call);
    expect(sent).toMatchObject({ outcome: 'unknown', message: expect.stringContaining('Удалите её сами') });
  });

  it('that no channel would take is refused before anything is sent', async () => {
    const failure = await failureOf(adapter.publish(channel, { html: '<h1>x</h1>' }, call), DeliveryFailed);
    expect(failure.report.code).toBe('validation_failed');
    expect(telegram.calls()).toEqual([]);
  });
});
