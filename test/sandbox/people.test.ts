import { Bot } from 'grammy';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { tinyPng } from './tiny-png.ts';

const token = '123456:sandbox-token';
let telegram: TelegramStandIn;

beforeEach(async () => {
  telegram = await startTelegramStandIn({ token });
});

afterEach(() => telegram.close());

async function over(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<{ status: number; body: never }> {
  const raw = body instanceof Uint8Array ? body : body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(`${telegram.url}/__people${path}`, {
    method,
    ...(raw !== undefined && { body: raw }),
  });
  return { status: response.status, body: (await response.json()) as never };
}

describe('people, acted as over HTTP', () => {
  it('are three to begin with, and any number after', async () => {
    const names = ((await over('GET', '')).body as { first_name: string }[]).map(
      ({ first_name }) => first_name,
    );
    expect(names).toEqual(['Анна', 'Борис', 'Виктория']);
    expect(await over('POST', '', { first_name: 'Галина', id: 77 })).toMatchObject({
      status: 200,
      body: { id: 77 },
    });
    expect(await over('POST', '', { first_name: 'Двойник', id: 77 })).toMatchObject({ status: 400 });
    expect(await over('GET', '/77')).toMatchObject({ body: { first_name: 'Галина', started: false } });
  });

  it.each([
    [
      '/say',
      { text: '/help me' },
      { text: '/help me', entities: [{ type: 'bot_command', offset: 0, length: 5 }] },
    ],
    ['/start', { payload: 'ref_7' }, { text: '/start ref_7' }],
    ['/sticker', {}, { sticker: { emoji: '👍' } }],
    ['/voice', {}, { voice: { duration: 3 } }],
    ['/video', {}, { video: { width: 640 } }],
    ['/location', { latitude: 1, longitude: 2 }, { location: { latitude: 1, longitude: 2 } }],
    ['/contact', {}, { contact: { first_name: 'Анна' } }],
    [
      '/document?name=a.txt&caption=да',
      Buffer.from('x'),
      { document: { file_name: 'a.txt' }, caption: 'да' },
    ],
    ['/photo?name=a.png', tinyPng(9, 7), { photo: [{ width: 9, height: 7 }] }],
  ])('can %s', async (path, body, message) => {
    const { body: said } = await over('POST', `/1001${path}`, body);
    expect(said).toMatchObject({ update_id: expect.any(Number) });
    expect((await over('GET', '/updates')).body).toMatchObject([
      { message: { ...message, from: { id: 1001 } } },
    ]);
    expect((await over('GET', '/1001/messages')).body).toMatchObject({ messages: [message], keyboard: null });
  });

  it('press a button and see the answer', async () => {
    const bot = new Bot(token, { client: { apiRoot: telegram.url } });
    bot.on('message', (ctx) =>
      ctx.reply('?', { reply_markup: { inline_keyboard: [[{ text: 'Да', callback_data: 'y' }]] } }),
    );
    bot.on('callback_query', (ctx) => ctx.answerCallbackQuery({ text: 'Принято' }));
    void bot.start();
    telegram.people.say(1001, 'x');
    for (let i = 0; i < 200 && telegram.people.messages(1001).length < 2; i += 1)
      await new Promise((done) => setTimeout(done, 10));
    const { message_id } = telegram.people.messages(1001)[1]!;
    expect(await over('POST', '/1001/press', { message_id, data: 'y', wait: 3000 })).toMatchObject({
      body: { answer: { text: 'Принято' } },
    });
    expect(await over('POST', '/1001/press', { message_id, data: 'n' })).toMatchObject({ status: 400 });
    expect(await over('POST', '/1001/press', { message_id, data: 'n', forge: true })).toMatchObject({
      status: 200,
    });
    await bot.stop();
  });

  it('block the bot, which hears of it, and cannot speak until they unblock it', async () => {
    telegram.people.start(1001);
    await over('POST', '/1001/block');
    expect(telegram.pendingUpdates().at(-1)?.my_chat_member).toMatchObject({
      new_chat_member: { status: 'kicked' },
    });
    expect(await over('POST', '/1001/say', { text: 'x' })).toMatchObject({ status: 400 });
    await over('POST', '/1001/unblock');
    expect(await over('POST', '/1001/say', { text: 'x' })).toMatchObject({ status: 200 });
  });

  it('say what is too long for one message in several', () => {
    telegram.people.say(1001, 'я'.repeat(5000));
    expect(telegram.people.messages(1001).map(({ text }) => text?.length)).toEqual([4096, 904]);
  });

  it('can be any update at all', async () => {
    const { body } = await over('POST', '/update', { update_id: 1, poll: { id: 'x' } });
    expect(telegram.pendingUpdates()).toEqual([
      { poll: { id: 'x' }, update_id: (body as { update_id: number }).update_id },
    ]);
  });

  it('forget one chat, or everything, while ids go on rising', async () => {
    const before = telegram.people.say(1001, 'a');
    telegram.people.say(1002, 'b');
    await over('POST', '/1001/reset');
    expect(telegram.people.messages(1001)).toEqual([]);
    expect(telegram.people.get(1001).started).toBe(false);
    expect(telegram.pendingUpdates()).toHaveLength(1);
    await over('POST', '', { first_name: 'Галина' });
    await over('POST', '/reset');
    expect(telegram.people.list()).toHaveLength(3);
    expect(telegram.people.messages(1002)).toEqual([]);
    const after = telegram.people.say(1001, 'c');
    expect(after.update_id).toBeGreaterThan(before.update_id);
    expect(after.message_id).toBeGreaterThan(before.message_id);
  });

  it('say nothing for people who are not there', async () => {
    expect(await over('POST', '/5/say', { text: 'x' })).toMatchObject({ status: 400 });
    expect(await over('POST', '/1001/dance')).toMatchObject({ status: 404 });
    expect(await over('POST', '/1001/say', { text: ' ' })).toMatchObject({ status: 400 });
  });
});
