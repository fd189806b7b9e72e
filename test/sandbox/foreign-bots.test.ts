import { Api, GrammyError, InputFile } from 'grammy';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  startTelegramStandIn,
  type TelegramStandIn,
  type TelegramStandInOptions,
} from '../../src/sandbox/telegram/start.ts';
import { tinyPng } from './tiny-png.ts';

const own = '123456:the-products-own-bot';
const foreign = '777:token-of-the-customers-bot-abc';
let telegram: TelegramStandIn;
let api: Api;
let channel: number;

const begin = async (options: Partial<TelegramStandInOptions> = {}) => {
  telegram = await startTelegramStandIn({ token: own, ...options });
  telegram.channels.addBot({ token: foreign, username: 'cvety_bot', name: 'Цветы' });
  const bots = { 777: { status: 'administrator' } } as const;
  channel = telegram.channels.add({ title: 'Цветы', botStatus: 'left', bots }).id;
  api = new Api(foreign, { apiRoot: telegram.url });
};
beforeEach(() => begin());
afterEach(() => telegram.close());

async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => new Error('was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof GrammyError)) throw error;
  return `${error.error_code} ${error.description}`;
}

describe("a stranger's bot", () => {
  it('is itself, and writes to the channels it is in', async () => {
    expect(await api.getMe()).toMatchObject({ id: 777, username: 'cvety_bot' });
    expect(await api.getChatMember(channel, 777)).toMatchObject({
      status: 'administrator',
      can_post_messages: true,
    });
    const { message_id } = await api.sendMessage(channel, 'пост');
    expect(telegram.channels.posts(channel)).toMatchObject([{ text: 'пост' }]);
    await api.deleteMessage(channel, message_id);
    expect(telegram.channels.posts(channel)).toEqual([]);
  });

  it('loses what it is denied', async () => {
    telegram.channels.stand(channel, 777, { status: 'administrator', mayPost: false });
    expect(await refusal(api.sendMessage(channel, 'x'))).toMatch('need administrator rights');
    telegram.channels.stand(channel, 777, { status: 'kicked' });
    expect(await refusal(api.sendMessage(channel, 'x'))).toMatch('403 Forbidden');
    expect(await refusal(new Api(own, { apiRoot: telegram.url }).sendMessage(channel, 'x'))).toMatch('403');
  });

  it('knows none of the people, and hears nothing', async () => {
    telegram.people.start(1001);
    expect(await refusal(api.sendMessage(1001, 'x'))).toBe('400 Bad Request: chat not found');
    expect(await refusal(api.getUpdates())).toBe('404 Not Found');
  });

  it('sends pictures together with videos, and nothing else together', async () => {
    const photo = () => ({ type: 'photo' as const, media: new InputFile(tinyPng(4, 4)) });
    const video = { type: 'video' as const, media: new InputFile(Buffer.from('video'), 'a.mp4') };
    const file = { type: 'document' as const, media: new InputFile(Buffer.from('file'), 'a.pdf') };
    const album = await api.sendMediaGroup(channel, [photo(), video]);
    expect(album.map((message) => ('video' in message ? 'video' : 'photo'))).toEqual(['photo', 'video']);
    expect(await refusal(api.sendMediaGroup(channel, [photo(), file as never]))).toMatch("can't be mixed");
  });

  it('leaves a trace of when each message came', async () => {
    const { message_id } = await api.sendMessage(channel, 'раз');
    await api.deleteMessage(channel, message_id);
    expect(telegram.channels.arrivals(channel)).toEqual([{ at: expect.any(Number), message_id }]);
  });

  it('waits when it writes too often, where that is counted', async () => {
    await telegram.close();
    let now = 1_000_000;
    await begin({ rates: { perBot: 30, perChat: 1 }, now: () => now });
    await api.sendMessage(channel, 'раз');
    expect(await refusal(api.sendMessage(channel, 'два'))).toBe('429 Too Many Requests: retry after 1');
    now += 1_000;
    await api.sendMessage(channel, 'два');
    expect(telegram.channels.posts(channel)).toHaveLength(2);
  });
});
