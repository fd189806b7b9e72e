import { Api } from 'grammy';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTelegramApi } from '../../../src/clients/telegram-api.ts';
import type { FaceRequest } from '../../../src/messengers/faces.ts';
import { createTelegramFace } from '../../../src/messengers/telegram/show-screen.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../../src/sandbox/telegram/start.ts';
import { to } from '../../../src/screens/kit/link.ts';
import { button, type Picture, rich, type Screen, urlButton } from '../../../src/screens/kit/screen.ts';
import { tinyPng } from '../../sandbox/tiny-png.ts';

const token = '123456:TEST-TOKEN-OF-NO-VALUE-AT-ALL';
const ANNA = 1001;
let telegram: TelegramStandIn;
beforeAll(async () => {
  telegram = await startTelegramStandIn({ token });
});
afterAll(() => telegram.close());
beforeEach(() => {
  telegram.people.reset(ANNA);
  telegram.people.say(ANNA, '/start');
});

const keyboard = [[button('Меню', to('nav:dashboard'))]];
const page = (text: string, more: Partial<Screen> = {}): Screen => ({
  text: rich`${text}`,
  keyboard,
  ...more,
});
const picture = (size = 9, caption?: string): Picture => ({
  bytes: tinyPng(size, size),
  name: 'a.png',
  ...(caption && { caption: rich`${caption}` }),
});

function show(screen: Screen, rest: Partial<FaceRequest> = {}) {
  const presenter = createTelegramFace(
    openTelegramApi(token, { apiRoot: telegram.url, timeoutSeconds: 2 }),
    pino({ level: 'silent' }),
  );
  return presenter.show({ chat: String(ANNA), screen, notice: null, replace: null, ...rest });
}

const fromBot = () => telegram.people.messages(ANNA).filter(({ from }) => from?.is_bot);
const seen = () =>
  fromBot().map(({ text, caption, photo, document, invoice }) =>
    photo ? `photo ${photo[0]!.width}: ${caption ?? ''}` : (text ?? document?.file_name ?? invoice?.title),
  );
const labels = () =>
  fromBot().map((m) => m.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []);
const refuseOnce = (method: string, description: string) =>
  telegram.faults.add({
    match: method,
    times: 1,
    fault: { kind: 'status', status: 400, body: { ok: false, error_code: 400, description } },
  });

describe('a screen with a picture', () => {
  it('is a photo with the text as its caption and the buttons below', async () => {
    await show(page('Аудит <готов>', { photo: picture() }), { notice: rich`Сохранено.` });
    expect(seen()).toEqual(['photo 9: Сохранено.\n\nАудит <готов>']);
    expect(labels()).toEqual([['Меню']]);
  });

  it('becomes the next picture in its place', async () => {
    const { messageId } = await show(page('Первый', { photo: picture(9) }));
    expect(await show(page('Второй', { photo: picture(12) }), { replace: messageId })).toEqual({ messageId });
    expect(seen()).toEqual(['photo 12: Второй']);
  });

  it('takes the place of a text, edited where Telegram can', async () => {
    const { messageId } = await show(page('Текст'));
    expect(await show(page('Картинка', { photo: picture() }), { replace: messageId })).toEqual({ messageId });
    expect(seen()).toEqual(['photo 9: Картинка']);
  });

  it('takes the place of a text, replaced where Telegram cannot', async () => {
    const { messageId } = await show(page('Текст'));
    refuseOnce('editMessageMedia', 'Bad Request: there is no media in the message to edit');
    await show(page('Картинка', { photo: picture() }), { replace: messageId });
    expect(seen()).toEqual(['photo 9: Картинка']);
  });

  it('gives its place to a text: the photo is gone, not left above with its buttons', async () => {
    const { messageId } = await show(page('Картинка', { photo: picture() }));
    const next = await show(page('Текст'), { replace: messageId });
    expect(Number(next.messageId)).toBeGreaterThan(Number(messageId));
    expect(seen()).toEqual(['Текст']);
  });

  it('whose text is longer than a caption shows the picture above the text', async () => {
    await show(page('я'.repeat(1025), { photo: picture() }));
    expect(seen()).toEqual(['photo 9: ', 'я'.repeat(1025)]);
    expect(labels()).toEqual([[], ['Меню']]);
  });

  it('that could not be removed loses at least its buttons', async () => {
    const { messageId } = await show(page('Картинка', { photo: picture() }));
    refuseOnce('deleteMessage', "Bad Request: message can't be deleted for everyone");
    await show(page('Текст'), { replace: messageId });
    await expect.poll(labels).toEqual([[], ['Меню']]);
  });
});

describe('a screen with an album', () => {
  it('stands below its numbered pictures, and the screen before it is gone', async () => {
    const { messageId } = await show(page('Медиа'));
    const album = [picture(9, '№ 1'), picture(12, '№ 2')];
    await show(page('Что удалить?', { album }), { replace: messageId });
    expect(seen()).toEqual(['photo 9: № 1', 'photo 12: № 2', 'Что удалить?']);
    expect(new Set(fromBot().map(({ media_group_id }) => media_group_id)).size).toBe(2);
  });

  it.each([
    [1, [1]],
    [10, [10]],
    [11, [10, 1]],
  ])('of %i sends groups of %j', async (count, groups) => {
    const before = telegram.calls().length;
    await show(page('Всё', { album: Array.from({ length: count }, () => picture()) }));
    const sent = telegram.calls().slice(before);
    expect(
      sent.flatMap(({ method, fields }) =>
        method === 'sendMediaGroup' ? [(fields.media as []).length] : method === 'sendPhoto' ? [1] : [],
      ),
    ).toEqual(groups);
    expect(fromBot()).toHaveLength(count + 1);
  });
});

it('a screen brings its bill, and the bill can be paid', async () => {
  const invoice = { title: 'Пакет «Старт»', description: '1500 токенов', payload: 'pack:1', stars: 50 };
  await show(page('Оплата звёздами', { invoice }));
  expect(seen()).toEqual(['Оплата звёздами', 'Пакет «Старт»']);
  expect(() => telegram.people.pay(ANNA, fromBot().at(-1)!.message_id)).not.toThrow();
});

it('a screen brings a file of bytes', async () => {
  await show(page('Отчёт', { file: { name: 'a.bin', content: new Uint8Array([1, 2, 3]) } }));
  const { document } = fromBot().at(-1)!;
  expect([...telegram.file(document!.file_id)!.bytes]).toEqual([1, 2, 3]);
});

it('a screen asks for a channel with a key, also where it is edited, and the person can pick one', async () => {
  const { messageId } = await show(page('Канал'));
  const wants = { requestId: 4, kind: 'channel' as const };
  const keys = {
    text: rich`Выберите канал кнопкой внизу`,
    replyKeyboard: [[{ label: 'Выбрать канал', wants }], ['Меню']],
  };
  await show(page('Какой канал?', { keys }), { replace: messageId });
  const { id } = telegram.channels.add({ title: 'Букеты', botStatus: 'left' });
  telegram.people.shareChat(ANNA, 4, id);
  expect(telegram.people.messages(ANNA).at(-1)).toMatchObject({
    chat_shared: { request_id: 4, chat_id: id },
  });
  await new Api(token, { apiRoot: telegram.url }).sendMessage(id, 'Бот может писать');
});

describe('the screen before', () => {
  it('loses its buttons when the next one stands in a message of its own, but for its links', async () => {
    const screen = page('Вопрос', {
      keyboard: [...keyboard, [urlButton('Открыть', 'https://romashka.ru/')]],
    });
    const { messageId } = await show(screen);
    await show(page('Дальше'), {
      retire: { messageId, keep: [[urlButton('Открыть', 'https://romashka.ru/')]] },
    });
    await expect.poll(labels).toEqual([['Открыть'], ['Меню']]);
  });

  it('keeps them when it is the one that was edited', async () => {
    const { messageId } = await show(page('Вопрос'));
    await show(page('Дальше'), { replace: messageId, retire: { messageId, keep: [] } });
    expect(labels()).toEqual([['Меню']]);
  });

  it('loses them also when Telegram was in trouble at first', async () => {
    const { messageId } = await show(page('Вопрос'));
    telegram.faults.add({
      match: 'editMessageReplyMarkup',
      times: 1,
      fault: { kind: 'status', status: 502 },
    });
    await show(page('Дальше'), { retire: { messageId, keep: [] } });
    await expect.poll(labels, { timeout: 5_000 }).toEqual([[], ['Меню']]);
  });
});
