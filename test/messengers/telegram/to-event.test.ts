import type { CallbackQuery, Message } from 'grammy/types';
import { describe, expect, it } from 'vitest';
import { messageToAction, pressToAction } from '../../../src/messengers/telegram/to-event.ts';
import type { Link } from '../../../src/screens/kit/link.ts';

const actionOf = (message: object) => messageToAction(message as Message);

describe('a message', () => {
  it.each([
    ['/start', 'start', ''],
    ['/start ref_42', 'start', 'ref_42'],
    ['/start   ref_42  ', 'start', 'ref_42'],
    ['/start@seo_master_bot', 'start', ''],
    ['/start@seo_master_bot pinterest_auth_x', 'start', 'pinterest_auth_x'],
    ['/CANCEL', 'cancel', ''],
    ['/help\nещё строка', 'help', 'ещё строка'],
    ['/pay_2', 'pay_2', ''],
  ])('%j is the command %s', (text, name, payload) => {
    expect(actionOf({ text })).toEqual({ kind: 'command', name, payload });
  });

  it.each([
    'start',
    ' /start',
    '/',
    '//start',
    '/старт',
    '/start-now',
    '/https://romashka.ru',
    `/${'x'.repeat(33)}`,
    'https://romashka.ru/start',
    '1/2 цены',
    '',
  ])('%j is text', (text) => {
    expect(actionOf({ text })).toEqual({ kind: 'text', text });
  });

  it('loses the zero characters and halves of emoji that no store takes', () => {
    expect(actionOf({ text: 'Ро\u0000машка \ud83d' })).toEqual({ kind: 'text', text: 'Ромашка \ufffd' });
    expect(actionOf({ text: '/start\u0000 ref_1' })).toMatchObject({ kind: 'command', name: 'start' });
  });

  it('with a file is the file, also when it says something below', () => {
    const document = {
      file_id: 'F',
      file_unique_id: 'U',
      file_name: 'цены\u0000.xlsx',
      mime_type: 'a/b',
      file_size: 9,
    };
    const file = { fileId: 'F', name: 'цены.xlsx', mimeType: 'a/b', size: 9 };
    expect(actionOf({ document })).toEqual({ kind: 'file', file, caption: '', album: null });
    expect(actionOf({ document, caption: '/start' })).toMatchObject({
      kind: 'file',
      file,
      caption: '/start',
    });
  });

  it('with a file of which Telegram tells little is still a file', () => {
    expect(actionOf({ document: { file_id: 'F', file_unique_id: 'U' } })).toEqual({
      kind: 'file',
      file: { fileId: 'F', name: '', mimeType: '', size: 0 },
      caption: '',
      album: null,
    });
  });

  it.each(['sticker', 'video', 'location', 'contact', 'poll', 'dice'])(
    'with a %s is something else, whatever its caption says',
    (kind) => expect(actionOf({ [kind]: {}, caption: '/start' })).toEqual({ kind: 'other' }),
  );

  it('with a photo is its largest size, wherever Telegram puts it', () => {
    const size = (file_id: string, width: number) => ({
      file_id,
      file_unique_id: file_id,
      width,
      height: 100,
    });
    const photo = [size('S', 90), { ...size('L', 1280), file_size: 5_000 }, size('M', 320)];
    expect(actionOf({ photo, caption: 'Букет' })).toEqual({
      kind: 'photo',
      photo: { fileId: 'L', name: '', mimeType: 'image/jpeg', size: 5_000, width: 1280, height: 100 },
      caption: 'Букет',
      album: null,
    });
  });

  it('of an album names the album and its place in it', () => {
    const photo = [{ file_id: 'S', file_unique_id: 'S', width: 1, height: 1 }];
    expect(actionOf({ message_id: 12, photo, media_group_id: '77' })).toMatchObject({
      album: { id: '77', place: 12 },
    });
  });

  it('that was spoken is a voice', () => {
    expect(
      actionOf({ voice: { file_id: 'V', file_unique_id: 'V', duration: 4, mime_type: 'audio/ogg' } }),
    ).toEqual({
      kind: 'voice',
      voice: { fileId: 'V', name: '', mimeType: 'audio/ogg', size: 0, seconds: 4 },
    });
  });

  it('with which a channel was picked is that channel', () => {
    expect(actionOf({ chat_shared: { request_id: 3, chat_id: -1001, title: 'Ка\u0000нал' } })).toEqual({
      kind: 'chat',
      chat: { requestId: 3, chatId: '-1001', title: 'Канал', username: null },
    });
  });

  it('with an animation is no file, although Telegram puts a document beside it', () => {
    expect(actionOf({ animation: {}, document: { file_id: 'F', file_unique_id: 'U' } })).toEqual({
      kind: 'other',
    });
  });

  it.each(['pinned_message', 'successful_payment', 'new_chat_title', 'something_of_next_year'])(
    'that only tells of a %s is nothing a person did',
    (kind) => expect(actionOf({ [kind]: {} })).toBeNull(),
  );
});

describe('a press', () => {
  const link: Link = { pattern: 'nav:projects', params: {} };
  const press = (query: object) =>
    pressToAction(query as CallbackQuery, (data) => (data === 'known' ? link : null));

  it('carries its link and the message it stood on', () => {
    expect(press({ data: 'known', message: { message_id: 12 } })).toEqual({
      kind: 'press',
      link,
      messageId: '12',
    });
  });

  it('with unknown data carries no link', () => {
    expect(press({ data: 'unknown', message: { message_id: 12 } })).toMatchObject({
      link: null,
      messageId: '12',
    });
  });

  it('without data, or on a message that Telegram no longer shows, is a press all the same', () => {
    expect(press({ game_short_name: 'x' })).toEqual({ kind: 'press', link: null, messageId: null });
  });
});
