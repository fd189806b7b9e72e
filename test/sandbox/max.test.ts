import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBody, sendJson } from '../../src/http/server.ts';
import { type MaxStandIn, type MaxStandInOptions, startMaxStandIn } from '../../src/sandbox/max/start.ts';
import type { Bot } from '../../src/sandbox/max/wire.ts';
import { type StandIn, startStandIn } from '../../src/sandbox/stand-in.ts';
import { tinyPng } from './tiny-png.ts';

const channel = -70_000_000_000_001;
const group = -70_000_000_000_002;
const anna = { id: 42, name: 'Анна' };
let max: MaxStandIn;
let bot: Bot;

const begin = async (options: MaxStandInOptions = {}) => {
  max = await startMaxStandIn({ redeliveryMs: 5, ...options });
  bot = max.world.addBot({ token: 'token', name: 'Магазин' });
  max.world.addChat({ id: channel, title: 'Канал', bots: { [bot.user_id]: {} } });
  max.world.addChat({
    id: group,
    type: 'chat',
    title: 'Группа',
    bots: { [bot.user_id]: { is_admin: false } },
  });
};
beforeEach(() => begin());
afterEach(() => max.close());

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${max.url}${path}`, {
    method,
    headers: { authorization: bot.token, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const send = (body: unknown, to: number = channel) => call('POST', `/messages?chat_id=${to}`, body);

describe("MAX's stand-in", () => {
  it('takes the bare token in the header, and nothing else', async () => {
    expect(await call('GET', '/me')).toMatchObject({ status: 200, body: { name: 'Магазин', is_bot: true } });
    const refused = { status: 401, body: { code: 'verify.token', message: 'Invalid access_token' } };
    expect(await call('GET', '/me', undefined, { authorization: 'Bearer token' })).toEqual(refused);
    expect(await call('GET', '/me', undefined, { authorization: 'other' })).toEqual(refused);
    expect(await call('GET', '/me?access_token=token')).toEqual(refused);
  });

  it('shows a chat and the place of the bot in it, to bots that are there', async () => {
    expect((await call('GET', `/chats/${channel}`)).body).toMatchObject({
      chat_id: channel,
      type: 'channel',
      status: 'active',
    });
    expect((await call('GET', `/chats/${channel}/members/me`)).body).toMatchObject({
      is_admin: true,
      permissions: expect.arrayContaining(['write']),
    });
    const stranger = max.world.addBot({ token: 'stranger', name: 'Чужой' });
    const asked = await call('GET', `/chats/${channel}`, undefined, { authorization: stranger.token });
    expect(asked.status).toBe(404);
  });

  it('keeps a message, changes it, gives it back and deletes it', async () => {
    const { mid } = (await send({ text: 'раз' })).body.message.body;
    expect(mid).toMatch(/^mid\.[0-9a-f]{32}$/u);
    expect((await call('PUT', `/messages?message_id=${mid}`, { text: 'два' })).body).toEqual({
      success: true,
    });
    expect((await call('GET', `/messages/${mid}`)).body.body).toMatchObject({ text: 'два' });
    await call('DELETE', `/messages?message_id=${mid}`);
    expect((await call('GET', `/messages/${mid}`)).status).toBe(404);
  });

  it('keeps attachments in an edit unless it is told none', async () => {
    const attachments = [{ type: 'share', payload: { url: 'https://a.example' } }];
    const { mid } = (await send({ text: 'x', attachments })).body.message.body;
    await call('PUT', `/messages?message_id=${mid}`, { text: 'y', attachments: null });
    expect(max.world.message(mid)?.body.attachments).toHaveLength(1);
    await call('PUT', `/messages?message_id=${mid}`, { text: 'y', attachments: [] });
    expect(max.world.message(mid)?.body.attachments).toEqual([]);
  });

  const button = { type: 'callback', text: 'x', payload: 'x' };
  const keyboard = (...buttons: object[][]) => ({
    text: 'x',
    attachments: [{ type: 'inline_keyboard', payload: { buttons } }],
  });
  it.each([
    ['text of 4001 characters', { text: 'я'.repeat(4_001) }],
    ['nothing at all', {}],
    ['an unknown format', { text: 'x', format: 'bbcode' }],
    ['silence in a channel', { text: 'x', notify: false }],
    ['an attachment of a type that is gone', { attachments: [{ type: 'photo', payload: {} }] }],
    ['a token that nobody was given', { attachments: [{ type: 'image', payload: { token: 'x' } }] }],
    ['31 rows of buttons', keyboard(...Array.from({ length: 31 }, () => [button]))],
    ['8 buttons in a row', keyboard(Array.from({ length: 8 }, () => button))],
    [
      '4 buttons in a row with a link',
      keyboard([button, button, button, { type: 'link', text: 'x', url: 'https://a.example' }]),
    ],
    ['a button with 129 letters', keyboard([{ ...button, text: 'я'.repeat(129) }])],
    ['a payload of 1025 letters', keyboard([{ ...button, payload: 'x'.repeat(1_025) }])],
  ])('refuses %s', async (_, body) => {
    expect(await send(body)).toMatchObject({ status: 400, body: { code: 'proto.payload' } });
    expect(max.world.messages()).toEqual([]);
  });

  it('is silent in a group on request, and takes 4000 characters', async () => {
    expect((await send({ text: 'x', notify: false }, group)).status).toBe(200);
    expect((await send({ text: 'я'.repeat(4_000) })).status).toBe(200);
  });

  it('wants exactly one recipient', async () => {
    expect((await call('POST', '/messages', { text: 'x' })).status).toBe(400);
    expect((await call('POST', `/messages?chat_id=${channel}&user_id=42`, { text: 'x' })).status).toBe(400);
    expect(await call('POST', '/messages?chat_id=0', { text: 'x' })).toMatchObject({
      status: 403,
      body: { code: 'chat.denied' },
    });
  });

  it('refuses a post without the right to write', async () => {
    max.world.addChat({ id: channel, bots: { [bot.user_id]: { permissions: [] } } });
    expect(await send({ text: 'x' })).toMatchObject({ status: 403, body: { code: 'chat.denied' } });
    expect((await call('POST', '/messages?user_id=42', { text: 'x' })).status).toBe(403);
  });

  it('makes a client that writes too often wait, when it is asked to count', async () => {
    await max.close();
    await begin({ rates: { perBot: 30, perChat: 2 }, now: () => 1_000_000 });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await send({ text: 'x' })).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await send({ text: 'x' }, group)).status).toBe(200);
  });

  it('tells what arrived, and when', async () => {
    await send({ text: 'раз' });
    await send({ text: 'два' }, group);
    const told = JSON.parse(await (await fetch(`${max.url}/__arrivals?chat_id=${channel}`)).text());
    expect(told.messages).toMatchObject([{ body: { text: 'раз' } }]);
    expect(told.arrivals).toMatchObject([{ chat_id: channel, at: expect.any(Number) }]);
    expect(max.world.arrivals()).toHaveLength(2);
  });
});

describe('an upload', () => {
  async function upload(type: string, bytes: Buffer = tinyPng(4, 4), field = 'data') {
    const opened = (await call('POST', `/uploads?type=${type}`)).body;
    const form = new FormData();
    form.set(field, new Blob([new Uint8Array(bytes)]), 'file.bin');
    const response = await fetch(opened.url, { method: 'POST', body: form });
    return { opened, status: response.status, text: await response.text() };
  }

  it('of a picture answers with its photos, and attaches as a whole or by the token', async () => {
    const { opened, text } = await upload('image');
    expect(opened.token).toBeUndefined();
    const payload = JSON.parse(text);
    const [{ token }] = Object.values(payload.photos) as [{ token: string }];
    expect((await send({ attachments: [{ type: 'image', payload }] })).status).toBe(200);
    expect((await send({ attachments: [{ type: 'image', payload: { token } }] })).status).toBe(200);
  });

  it('of a file answers with its token', async () => {
    const { opened, text } = await upload('file');
    expect(opened.token).toBeUndefined();
    expect((await send({ attachments: [{ type: 'file', payload: JSON.parse(text) }] })).status).toBe(200);
  });

  it.each(['video', 'audio'])('of %s gives the token before, and no JSON after', async (type) => {
    const { opened, text } = await upload(type);
    expect(text).toBe('<retval>1</retval>');
    expect((await send({ attachments: [{ type, payload: { token: opened.token } }] })).status).toBe(200);
  });

  it('of an old or unknown type, of no file, of no picture, is refused', async () => {
    expect((await call('POST', '/uploads?type=photo')).status).toBe(400);
    expect((await upload('image', tinyPng(4, 4), 'file')).status).toBe(400);
    expect((await upload('image', Buffer.from('no picture at all, whatever it is named'))).status).toBe(400);
    expect((await upload('image', tinyPng(7_681, 1))).status).toBe(400);
  });

  it('is not ready as often as it is told', async () => {
    const { text } = await upload('file');
    const attachments = [{ type: 'file', payload: JSON.parse(text) }];
    await fetch(`${max.url}/__max`, { method: 'POST', body: JSON.stringify({ notReady: 2 }) });
    const codes = [];
    for (let i = 0; i < 3; i += 1) codes.push((await send({ attachments })).body.code);
    expect(codes).toEqual(['attachment.not.ready', 'attachment.not.ready', undefined]);
  });

  it('of a file stands alone in its message', async () => {
    const tokens = [JSON.parse((await upload('file')).text), JSON.parse((await upload('file')).text)];
    const attachments = tokens.map((payload) => ({ type: 'file', payload }));
    expect((await send({ attachments })).status).toBe(400);
  });
});

describe('what people do', () => {
  it('is heard by asking, each thing until a later one is asked for', async () => {
    max.people.start(bot, anna, 'promo');
    max.people.say(bot, anna, 'Доставка?');
    const first = (await call('GET', '/updates?timeout=0')).body;
    expect(first.updates).toMatchObject([
      { update_type: 'bot_started', payload: 'promo', user: { user_id: 42 } },
      { update_type: 'message_created', message: { body: { text: 'Доставка?' }, sender: { user_id: 42 } } },
    ]);
    expect((await call('GET', '/updates?timeout=0')).body).toEqual(first);
    const next = (await call('GET', `/updates?timeout=0&marker=${first.marker}`)).body;
    expect(next).toEqual({ updates: [], marker: first.marker });
  });

  it('wakes the polls that wait for it', async () => {
    max.people.start(bot, anna);
    const { marker } = (await call('GET', '/updates?timeout=0')).body;
    const waiting = call('GET', `/updates?timeout=30&marker=${marker}&types=message_created`);
    max.people.say(bot, anna, 'Привет');
    expect((await waiting).body.updates).toMatchObject([{ update_type: 'message_created' }]);
  });

  it('is answered: a pressed button changes its message, or shows a notice', async () => {
    const { chat_id } = max.people.start(bot, anna);
    const { mid } = (await send({ text: 'Выберите' }, chat_id)).body.message.body;
    const { callback_id } = max.people.press(bot, anna, mid, 'delivery');
    const answer = { message: { text: 'Доставка' }, notification: 'Готово' };
    expect((await call('POST', `/answers?callback_id=${callback_id}`, answer)).body).toEqual({
      success: true,
    });
    expect(max.world.message(mid)?.body.text).toBe('Доставка');
    expect(max.people.notification(callback_id)).toBe('Готово');
    expect((await call('POST', '/answers?callback_id=none', answer)).status).toBe(404);
  });

  it('ends the talk: a bot that was stopped is denied', async () => {
    const { chat_id } = max.people.start(bot, anna);
    max.people.stop(bot, anna);
    expect(await send({ text: 'x' }, chat_id)).toMatchObject({
      status: 403,
      body: { code: 'chat.denied', message: expect.stringContaining('error.dialog.suspended') },
    });
  });
});

describe('a webhook', () => {
  let heard: { headers: IncomingHttpHeaders; update: { update_type: string } }[];
  let listener: StandIn;
  beforeEach(async () => {
    heard = [];
    listener = await startStandIn({
      name: 'listener',
      async handle(request, response) {
        const update = JSON.parse((await readBody(request, 1e6)).toString());
        heard.push({ headers: request.headers, update });
        sendJson(response, 200, {});
        return true;
      },
    });
  });
  afterEach(() => listener.close());

  it('gets one update at a time with its secret, and again until it takes it', async () => {
    listener.faults.add({ match: 'POST', times: 2, fault: { kind: 'status', status: 500 } });
    const subscription = { url: listener.url, secret: 'abcde-1' };
    expect((await call('POST', '/subscriptions', subscription)).body).toEqual({ success: true });
    max.people.start(bot, anna);
    max.people.say(bot, anna, 'Привет');
    await expect
      .poll(() => heard.map(({ update }) => update.update_type))
      .toEqual(['bot_started', 'message_created']);
    expect(heard[0]?.headers['x-max-bot-api-secret']).toBe('abcde-1');
    expect((await call('GET', '/updates?timeout=0')).status).toBe(405);
    expect((await call('GET', '/subscriptions')).body.subscriptions).toMatchObject([{ url: listener.url }]);
  });

  it('gets only what it asked for, and nothing when it is gone', async () => {
    await call('POST', '/subscriptions', { url: listener.url, update_types: ['message_created'] });
    max.people.start(bot, anna);
    max.people.say(bot, anna, 'Привет');
    await expect.poll(() => heard.map(({ update }) => update.update_type)).toEqual(['message_created']);
    await call('DELETE', `/subscriptions?url=${encodeURIComponent(listener.url)}`);
    max.people.say(bot, anna, 'Ещё раз');
    // The delivery before it is forgotten a moment after it was answered.
    await expect.poll(async () => (await call('GET', '/updates?timeout=0')).body.updates).toHaveLength(1);
  });

  it('needs an address, and a secret of five characters at least', async () => {
    expect((await call('POST', '/subscriptions', { url: 'nowhere' })).status).toBe(400);
    expect((await call('POST', '/subscriptions', { url: listener.url, secret: 'abcd' })).status).toBe(400);
  });
});
