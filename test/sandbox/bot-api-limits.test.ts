import { Api, GrammyError, InputFile } from 'grammy';
import type { InlineKeyboardButton } from 'grammy/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { tinyPng } from './tiny-png.ts';

const token = '123456:sandbox-token';
const anna = 1001;
let now: number;
let telegram: TelegramStandIn;
let api: Api;

beforeEach(async () => {
  now = Date.now();
  telegram = await startTelegramStandIn({ token, now: () => now });
  api = new Api(token, { apiRoot: telegram.url });
  telegram.people.start(anna);
});

afterEach(() => telegram.close());

async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => new Error('was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof GrammyError)) throw error;
  return `${error.error_code} ${error.description}`;
}

const keyboard = (...rows: InlineKeyboardButton[][]) => ({ reply_markup: { inline_keyboard: rows } });

describe('a text', () => {
  it('may have 4096 characters after parsing and not one more', async () => {
    await api.sendMessage(anna, `<b>${'я'.repeat(4096)}</b>`, { parse_mode: 'HTML' });
    expect(await refusal(api.sendMessage(anna, 'я'.repeat(4097)))).toBe(
      '400 Bad Request: message is too long',
    );
  });

  it('may not be empty, nor become empty', async () => {
    expect(await refusal(api.sendMessage(anna, ''))).toBe('400 Bad Request: message text is empty');
    expect(await refusal(api.sendMessage(anna, ' \n '))).toBe('400 Bad Request: message text is empty');
    expect(await refusal(api.sendMessage(anna, '<b></b>', { parse_mode: 'HTML' }))).toMatch('text is empty');
  });

  it('must be what its parse mode says', async () => {
    expect(await refusal(api.sendMessage(anna, '<h1>x</h1>', { parse_mode: 'HTML' }))).toBe(
      '400 Bad Request: can\'t parse entities: Unsupported start tag "h1" at byte offset 0',
    );
    expect(await refusal(api.sendMessage(anna, 'x', { parse_mode: 'BBCode' as 'HTML' }))).toMatch(
      'unsupported parse_mode',
    );
  });

  it('comes back with its entities', async () => {
    const message = await api.sendMessage(anna, ' <b>да</b> https://a.ru ', { parse_mode: 'HTML' });
    expect(message.text).toBe('да https://a.ru');
    expect(message.entities).toEqual([
      { type: 'bold', offset: 0, length: 2 },
      { type: 'url', offset: 3, length: 12 },
    ]);
  });
});

describe('buttons', () => {
  it('carry 64 bytes, of which a Cyrillic letter takes two', async () => {
    await api.sendMessage(anna, 'x', keyboard([{ text: 'a', callback_data: 'я'.repeat(32) }]));
    const invalid = '400 Bad Request: BUTTON_DATA_INVALID';
    expect(
      await refusal(
        api.sendMessage(anna, 'x', keyboard([{ text: 'a', callback_data: `${'я'.repeat(32)}a` }])),
      ),
    ).toBe(invalid);
    expect(await refusal(api.sendMessage(anna, 'x', keyboard([{ text: 'a', callback_data: '' }])))).toBe(
      invalid,
    );
  });

  it('are 100 at most, 8 in a row', async () => {
    const row = (n: number) => Array.from({ length: n }, (_, i) => ({ text: `${i}`, callback_data: `${i}` }));
    await api.sendMessage(anna, 'x', keyboard(...Array.from({ length: 12 }, () => row(8)), row(4)));
    expect(
      await refusal(api.sendMessage(anna, 'x', keyboard(...Array.from({ length: 13 }, () => row(8))))),
    ).toMatch(/^400/);
    expect(await refusal(api.sendMessage(anna, 'x', keyboard(row(9))))).toMatch(/^400/);
  });

  it('must do something, and lead somewhere', async () => {
    expect(
      await refusal(api.sendMessage(anna, 'x', keyboard([{ text: 'a' } as InlineKeyboardButton]))),
    ).toMatch('Text buttons are unallowed');
    expect(await refusal(api.sendMessage(anna, 'x', keyboard([{ text: 'a', url: 'nowhere' }])))).toBe(
      "400 Bad Request: inline keyboard button URL 'nowhere' is invalid: Wrong HTTP URL",
    );
    expect(
      await refusal(api.sendMessage(anna, 'x', keyboard([{ text: 'a', url: 'http://localhost:3000/' }]))),
    ).toContain('is invalid: Wrong HTTP URL');
  });

  it('keep their style, of which there are three', async () => {
    const button = { text: 'a', callback_data: 'a', style: 'danger' } as const;
    const message = await api.sendMessage(anna, 'x', keyboard([button]));
    expect(message.reply_markup?.inline_keyboard).toEqual([[button]]);
    const purple = { ...button, style: 'purple' } as unknown as InlineKeyboardButton;
    expect(await refusal(api.sendMessage(anna, 'x', keyboard([purple])))).toMatch('style');
  });

  it('of a reply keyboard stay with the chat until they are removed', async () => {
    await api.sendMessage(anna, 'x', {
      reply_markup: { keyboard: [['Меню']], is_persistent: true, resize_keyboard: true } as never,
    });
    expect(telegram.people.keyboard(anna)).toMatchObject({
      keyboard: [[{ text: 'Меню' }]],
      is_persistent: true,
    });
    await api.sendMessage(anna, 'x', { reply_markup: { remove_keyboard: true } });
    expect(telegram.people.keyboard(anna)).toBeNull();
  });
});

describe('an edit', () => {
  it('changes the message in place, and takes the keyboard away unless it brings one', async () => {
    const { message_id } = await api.sendMessage(anna, 'было', keyboard([{ text: 'a', callback_data: 'a' }]));
    await api.editMessageText(anna, message_id, 'стало');
    const shown = telegram.people.messages(anna).at(-1);
    expect(shown).toMatchObject({ message_id, text: 'стало' });
    expect(shown?.reply_markup).toBeUndefined();
  });

  it('that changes nothing is refused', async () => {
    const { message_id } = await api.sendMessage(anna, 'да', keyboard([{ text: 'a', callback_data: 'a' }]));
    const same = api.editMessageText(anna, message_id, 'да', keyboard([{ text: 'a', callback_data: 'a' }]));
    expect(await refusal(same)).toMatch(
      '400 Bad Request: message is not modified: specified new message content',
    );
    await api.editMessageReplyMarkup(anna, message_id, keyboard([{ text: 'b', callback_data: 'b' }]));
  });

  it("finds neither a message that is not there nor another chat's", async () => {
    telegram.people.start(1002);
    const { message_id } = await api.sendMessage(1002, 'Борису');
    expect(await refusal(api.editMessageText(anna, 9999, 'x'))).toBe(
      '400 Bad Request: message to edit not found',
    );
    expect(await refusal(api.editMessageText(anna, message_id, 'x'))).toBe(
      '400 Bad Request: message to edit not found',
    );
  });

  it("of a person's message, or of one older than two days, is refused", async () => {
    const hers = telegram.people.messages(anna)[0]!.message_id;
    expect(await refusal(api.editMessageText(anna, hers, 'x'))).toBe(
      "400 Bad Request: message can't be edited",
    );
    const { message_id } = await api.sendMessage(anna, 'старое');
    now += 49 * 3600_000;
    expect(await refusal(api.editMessageText(anna, message_id, 'x'))).toBe(
      "400 Bad Request: message can't be edited",
    );
    expect(await refusal(api.deleteMessage(anna, message_id))).toBe(
      "400 Bad Request: message can't be deleted for everyone",
    );
  });

  it('of text does not fit a picture', async () => {
    const { message_id } = await api.sendPhoto(anna, new InputFile(tinyPng(4, 4)), { caption: 'a' });
    expect(await refusal(api.editMessageText(anna, message_id, 'x'))).toBe(
      '400 Bad Request: there is no text in the message to edit',
    );
    expect(await api.editMessageCaption(anna, message_id, { caption: 'b' })).toMatchObject({ caption: 'b' });
  });
});

describe('a deletion', () => {
  it('removes the message once', async () => {
    const { message_id } = await api.sendMessage(anna, 'x');
    await api.deleteMessage(anna, message_id);
    expect(telegram.people.messages(anna).map((message) => message.message_id)).not.toContain(message_id);
    expect(await refusal(api.deleteMessage(anna, message_id))).toBe(
      '400 Bad Request: message to delete not found',
    );
  });

  it('of many passes over what is gone', async () => {
    const [a, b] = [await api.sendMessage(anna, 'a'), await api.sendMessage(anna, 'b')];
    expect(await api.deleteMessages(anna, [a.message_id, 9999, b.message_id])).toBe(true);
    expect(telegram.people.messages(anna)).toHaveLength(1);
  });
});

describe('a chat', () => {
  it('is not found before its person has started, nor when there is no such person', async () => {
    expect(await refusal(api.sendMessage(1002, 'x'))).toBe('400 Bad Request: chat not found');
    expect(await refusal(api.sendMessage(5, 'x'))).toBe('400 Bad Request: chat not found');
  });

  it('is closed while its person blocks the bot', async () => {
    telegram.people.block(anna);
    expect(await refusal(api.sendMessage(anna, 'x'))).toBe('403 Forbidden: bot was blocked by the user');
    telegram.people.unblock(anna);
    await api.sendMessage(anna, 'x');
  });

  it('that is a channel takes posts of an administrator alone', async () => {
    const { id } = telegram.channels.add({ title: 'Цветы', username: 'cvety_msk', owner: anna });
    const closed = telegram.channels.add({ title: 'Чужой', username: 'chuzhoy', botStatus: 'left' });
    expect((await api.sendMessage('@cvety_msk', 'пост')).sender_chat?.id).toBe(id);
    expect(telegram.channels.posts(id)).toHaveLength(1);
    expect(await refusal(api.sendMessage(closed.id, 'x'))).toBe(
      '403 Forbidden: bot is not a member of the channel chat',
    );
    expect(await api.getChatMember(id, 123456)).toMatchObject({
      status: 'administrator',
      can_post_messages: true,
    });
    expect(await api.getChatMember(id, anna)).toMatchObject({ status: 'creator' });
    expect(await api.getChat('@cvety_msk')).toMatchObject({ title: 'Цветы' });
  });
});

describe('a press', () => {
  it('is answered within its time, and only if there was one', async () => {
    const { message_id } = await api.sendMessage(anna, 'x', keyboard([{ text: 'a', callback_data: 'a' }]));
    const late = '400 Bad Request: query is too old and response timeout expired or query ID is invalid';
    expect(await refusal(api.answerCallbackQuery('7'))).toBe(late);
    const { query_id } = telegram.people.press(anna, message_id, 'a');
    now += 16_000;
    expect(await refusal(api.answerCallbackQuery(query_id))).toBe(late);
  });

  it('gets a toast of 200 characters at most', async () => {
    const { message_id } = await api.sendMessage(anna, 'x', keyboard([{ text: 'a', callback_data: 'a' }]));
    const pressed = telegram.people.press(anna, message_id, 'a');
    expect(await refusal(api.answerCallbackQuery(pressed.query_id, { text: 'я'.repeat(201) }))).toMatch(
      /^400/,
    );
    await api.answerCallbackQuery(pressed.query_id, { text: 'Да', show_alert: true });
    expect(await pressed.answer()).toEqual({ text: 'Да', show_alert: true });
  });
});

describe('files', () => {
  it('come back byte for byte, from the bot and from a person', async () => {
    const bytes = Buffer.from([0, 13, 10, 45, 45, 255, 13, 10]);
    const sent = await api.sendDocument(anna, new InputFile(bytes, 'отчёт за май.csv'), {
      caption: 'a <b>b</b>',
      parse_mode: 'HTML',
    });
    expect(sent.document).toMatchObject({ file_name: 'отчёт за май.csv', file_size: 8 });
    expect(sent.caption_entities).toHaveLength(1);
    const { file_path } = await api.getFile(sent.document.file_id);
    const response = await fetch(`${telegram.url}/file/bot${token}/${file_path}`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(await refusal(api.getFile('nothing'))).toMatch('wrong file_id');
  });

  it('have captions of 1024 characters', async () => {
    await api.sendPhoto(anna, new InputFile(tinyPng(4, 4)), { caption: 'я'.repeat(1024) });
    expect(
      await refusal(api.sendPhoto(anna, new InputFile(tinyPng(4, 4)), { caption: 'я'.repeat(1025) })),
    ).toBe('400 Bad Request: message caption is too long');
  });

  it('that are photos must be pictures of a decent shape', async () => {
    const message = await api.sendPhoto(anna, new InputFile(tinyPng(640, 480)));
    expect(message.photo.at(-1)).toMatchObject({ width: 640, height: 480 });
    expect(await refusal(api.sendPhoto(anna, new InputFile(Buffer.from('no picture'))))).toBe(
      '400 Bad Request: IMAGE_PROCESS_FAILED',
    );
    expect(await refusal(api.sendPhoto(anna, new InputFile(tinyPng(2100, 100))))).toBe(
      '400 Bad Request: PHOTO_INVALID_DIMENSIONS',
    );
    expect(await refusal(api.sendPhoto(anna, 'wrong-id'))).toMatch('wrong file identifier');
  });

  it('go as an album of two to ten', async () => {
    const photo = () => ({ type: 'photo' as const, media: new InputFile(tinyPng(4, 4)) });
    const album = await api.sendMediaGroup(anna, [{ ...photo(), caption: 'раз' }, photo()]);
    const groups = album.map((message) => 'media_group_id' in message && message.media_group_id);
    expect(new Set(groups).size).toBe(1);
    expect(album.map((message) => message.caption)).toEqual(['раз', undefined]);
    expect(await refusal(api.sendMediaGroup(anna, [photo()]))).toMatch(/^400/);
    expect(await refusal(api.sendMediaGroup(anna, Array.from({ length: 11 }, photo)))).toMatch(/^400/);
  });

  it('are taken from an address', async () => {
    const { document } = await api.sendDocument(anna, new InputFile(tinyPng(8, 8), 'a.png'));
    const { file_path } = await api.getFile(document.file_id);
    const photo = await api.sendPhoto(anna, `${telegram.url}/file/bot${token}/${file_path}`);
    expect(photo.photo.at(-1)).toMatchObject({ width: 8 });
    expect(await refusal(api.sendPhoto(anna, `${telegram.url}/nothing.png`))).toBe(
      '400 Bad Request: failed to get HTTP URL content',
    );
  });
});

describe('a call', () => {
  const post = (path: string, init?: RequestInit) =>
    fetch(`${telegram.url}${path}`, { method: 'POST', ...init });

  it('with a wrong token, or of an unknown method, is refused as by Telegram', async () => {
    expect(await refusal(new Api('123456:other', { apiRoot: telegram.url }).getMe())).toBe(
      '401 Unauthorized',
    );
    expect(await (await post('/botnonsense/getMe')).json()).toEqual({
      ok: false,
      error_code: 404,
      description: 'Not Found',
    });
    expect((await post(`/bot${token}/dance`)).status).toBe(404);
  });

  it('may come as JSON, form, query or multipart, in any case, with objects as JSON text', async () => {
    const reply_markup = JSON.stringify({ inline_keyboard: [[{ text: 'a', callback_data: 'a' }]] });
    const fields = { chat_id: String(anna), text: '{"not": "an object"}', reply_markup };
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const answers = await Promise.all([
      post(`/bot${token}/SENDMESSAGE`, {
        body: JSON.stringify(fields),
        headers: { 'content-type': 'application/json' },
      }),
      post(`/bot${token}/sendmessage`, { body: new URLSearchParams(fields) }),
      post(`/bot${token}/sendMessage`, { body: form }),
      fetch(`${telegram.url}/bot${token}/sendMessage?${new URLSearchParams(fields)}`),
    ]);
    for (const answer of answers) {
      expect(await answer.json()).toMatchObject({
        ok: true,
        result: { text: '{"not": "an object"}', reply_markup: { inline_keyboard: [[{ text: 'a' }]] } },
      });
    }
  });

  it('is remembered, the newest five hundred', async () => {
    for (let i = 0; i < 510; i += 1) await api.getMe();
    await refusal(api.sendMessage(anna, ''));
    expect(telegram.calls()).toHaveLength(500);
    expect(telegram.calls().at(-1)).toMatchObject({
      method: 'sendMessage',
      ok: false,
      error: 'Bad Request: message text is empty',
    });
  });

  it('tells who the bot is and what it can', async () => {
    expect(await api.getMe()).toMatchObject({ id: 123456, is_bot: true, username: 'seo_master_sandbox_bot' });
    await api.setMyCommands([{ command: 'start', description: 'Меню' }]);
    expect(await api.getMyCommands()).toEqual([{ command: 'start', description: 'Меню' }]);
    expect(await api.sendChatAction(anna, 'typing')).toBe(true);
  });
});
