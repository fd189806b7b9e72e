import { Api } from 'grammy';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChatClosed, ShowLater } from '../../../src/engine/presenter.ts';
import type { FaceRequest } from '../../../src/messengers/faces.ts';
import { createTelegramFace } from '../../../src/messengers/telegram/show-screen.ts';
import { toHtml } from '../../../src/messengers/telegram/to-html.ts';
import type { Fault } from '../../../src/sandbox/faults.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../../src/sandbox/telegram/start.ts';
import { to } from '../../../src/screens/kit/link.ts';
import { button, rich, type Screen, urlButton } from '../../../src/screens/kit/screen.ts';
import { attachmentRefused } from '../../../src/screens/kit/system.ts';

const token = '123456:TEST-TOKEN-OF-NO-VALUE-AT-ALL';
const ANNA = 1001;
let telegram: TelegramStandIn;

beforeEach(async () => {
  telegram = await startTelegramStandIn({ token });
  telegram.people.say(ANNA, '/start');
});
afterEach(() => telegram.close());

const page = (
  text: string,
  keyboard: Screen['keyboard'] = [[button('Меню', to('nav:dashboard'))]],
): Screen => ({
  text: rich`${text}`,
  keyboard,
});

function show(screen: Screen, rest: Partial<FaceRequest> = {}, apiRoot = telegram.url) {
  const presenter = createTelegramFace(
    new Api(token, { apiRoot, timeoutSeconds: 1 }),
    pino({ level: 'silent' }),
  );
  return presenter.show({ chat: String(ANNA), screen, notice: null, replace: null, ...rest });
}

const strike = (method: string, fault: Fault, times = 1) =>
  telegram.faults.add({ match: method, times, fault });
const fromBot = () => telegram.people.messages(ANNA).filter(({ from }) => from?.is_bot);
const texts = () => fromBot().map(({ text }) => text);
const callsOf = (method: string) => telegram.calls().filter((call) => call.method === method).length;

describe('a screen', () => {
  it('is sent with its notice above it and its buttons below', async () => {
    const { messageId } = await show(page('Проекты'), { notice: rich`Сохранено.` });
    expect(fromBot()).toMatchObject([
      {
        message_id: Number(messageId),
        text: 'Сохранено.\n\nПроекты',
        reply_markup: { inline_keyboard: [[{ text: 'Меню', callback_data: 'nav:dashboard' }]] },
      },
    ]);
  });

  it('replaces the message it belongs to', async () => {
    const { messageId } = await show(page('Первый'));
    expect(await show(page('Второй'), { replace: messageId })).toEqual({ messageId });
    expect(texts()).toEqual(['Второй']);
  });

  it('loses its buttons when the next one has none', async () => {
    const { messageId } = await show(page('Вопрос'));
    await show(page('Работаю…', []), { replace: messageId });
    expect(fromBot()[0]?.reply_markup?.inline_keyboard ?? []).toEqual([]);
  });

  it('that looks like the one before is left alone', async () => {
    const { messageId } = await show(page('Один'));
    expect(await show(page('Один'), { replace: messageId })).toEqual({ messageId });
    expect(texts()).toEqual(['Один']);
  });

  it.each([
    ['was deleted', 'Bad Request: message to edit not found'],
    ['is too old', "Bad Request: message can't be edited"],
    ['is no text', 'Bad Request: there is no text in the message to edit'],
    ['is out of reach', 'Bad Request: MESSAGE_ID_INVALID'],
  ])('whose message %s is sent anew', async (_, description) => {
    const { messageId } = await show(page('Первый'));
    strike('editMessageText', {
      kind: 'status',
      status: 400,
      body: { ok: false, error_code: 400, description },
    });
    const anew = await show(page('Второй'), { replace: messageId });
    expect(Number(anew.messageId)).toBeGreaterThan(Number(messageId));
    expect(texts(), 'and the old one is removed where that is possible').toEqual(['Второй']);
  });

  it('in place of the person’s message, or of a missing one, is sent anew', async () => {
    const mine = telegram.people.messages(ANNA)[0]!.message_id;
    await show(page('Один'), { replace: String(mine) });
    await show(page('Два'), { replace: '999999' });
    expect(texts()).toEqual(['Один', 'Два']);
  });

  it('takes the place of the one it makes obsolete', async () => {
    const { messageId } = await show(page('Старое меню'));
    await show(page('Новое меню'), { discard: messageId });
    expect(texts()).toEqual(['Новое меню']);
  });

  it('is shown although the obsolete one cannot be removed', async () => {
    strike('deleteMessage', { kind: 'status', status: 400 });
    await show(page('Новое меню'), { discard: '999999' });
    expect(texts()).toEqual(['Новое меню']);
  });

  it('is cut to what Telegram takes', async () => {
    await show(page('<я>'.repeat(4_000)));
    expect(fromBot()[0]?.text).toHaveLength(4096);
  });

  it('keeps the styles of its buttons', async () => {
    await show(
      page('Удалить?', [
        [button('Да', to('nav:projects'), 'danger'), button('Создать', to('project:create'), 'success')],
        [button('Дальше', to('nav:help'), 'primary'), button('Меню', to('nav:dashboard'))],
        [urlButton('Сайт', 'https://romashka.ru/')],
      ]),
    );
    const shown = fromBot()[0]?.reply_markup?.inline_keyboard.flat();
    expect(shown?.map(({ style }) => style)).toEqual(['danger', 'success', 'primary', undefined, undefined]);
    expect(shown?.at(-1)).toEqual({ text: 'Сайт', url: 'https://romashka.ru/' });
  });

  it('cuts labels at sixty characters, emoji whole', async () => {
    const label = (length: number) => page('Список', [[button('😀'.repeat(length), to('nav:projects'))]]);
    await show(label(60));
    await show(label(61));
    const labels = fromBot().map(({ reply_markup }) => reply_markup!.inline_keyboard[0]![0]!.text);
    expect(labels).toEqual(['😀'.repeat(60), `${'😀'.repeat(59)}…`]);
  });

  it('greets first, with the keyboard that stays', async () => {
    const greeting = { text: rich`Здравствуйте, ${'<Анна>'}!`, replyKeyboard: [['Меню', 'Создать пост']] };
    const { messageId } = await show({ ...page('Главное меню'), greeting });
    expect(texts()).toEqual(['Здравствуйте, <Анна>!', 'Главное меню']);
    expect(fromBot().at(-1)?.message_id).toBe(Number(messageId));
    expect(telegram.people.keyboard(ANNA)).toMatchObject({
      keyboard: [[{ text: 'Меню' }, { text: 'Создать пост' }]],
      is_persistent: true,
    });
  });

  it('greets in a new message, not by editing', async () => {
    const { messageId } = await show(page('Первый'));
    const greeting = { text: rich`Здравствуйте!`, replyKeyboard: [['Меню']] };
    await show({ ...page('Второй'), greeting }, { replace: messageId });
    expect(texts()).toEqual(['Второй']);
  });

  it('brings its file, sent or edited', async () => {
    const file = { name: 'statistika.csv', content: '\uFEFFПроект;1\r\n' };
    const { messageId } = await show({ ...page('Статистика'), file });
    await show({ ...page('Статистика!'), file }, { replace: messageId });
    const documents = fromBot().flatMap(({ document }) => document ?? []);
    expect(documents).toMatchObject([{ file_name: 'statistika.csv' }, { file_name: 'statistika.csv' }]);
    expect(telegram.file(documents[0]!.file_id)?.bytes.toString()).toBe(file.content);
  });
});

describe('when Telegram is in trouble', () => {
  it.each(['sendMessage', 'editMessageText'])(
    'a short wait that it asks for is waited: %s',
    async (method) => {
      const { messageId } = await show(page('Первый'));
      strike(method, { kind: 'status', status: 429, retryAfter: 1 });
      await show(page('Второй'), { replace: method === 'sendMessage' ? null : messageId });
      expect(texts().at(-1)).toBe('Второй');
    },
  );

  it.each(['sendMessage', 'editMessageText'])('a long one is left for later: %s', async (method) => {
    const { messageId } = await show(page('Первый'));
    strike(method, { kind: 'status', status: 429, retryAfter: 35 });
    const showing = show(page('Второй'), { replace: method === 'sendMessage' ? null : messageId });
    const error = await showing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ShowLater);
    expect((error as ShowLater).retryAfterMs).toBe(35_000);
    expect(texts()).toEqual(['Первый']);
  });

  it('an error of its own in answer to a send is not answered with another send', async () => {
    strike('sendMessage', { kind: 'status', status: 500 });
    await expect(show(page('Один'))).rejects.toThrow(ShowLater);
    expect(texts()).toEqual([]);
    expect(telegram.faults.list()).toEqual([]);
  });

  it.each<Fault>([
    { kind: 'reset-after' },
    { kind: 'hang-after' },
    { kind: 'truncated' },
    { kind: 'malformed' },
  ])('a send whose answer was lost is not repeated: $kind', async (fault) => {
    strike('sendMessage', fault);
    await expect(show(page('Один'))).rejects.toThrow();
    expect(texts()).toEqual(['Один']);
    expect(callsOf('sendMessage')).toBe(1);
  });

  it.each<Fault>([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 502 },
    { kind: 'reset' },
    { kind: 'reset-after' },
  ])('an edit is repeated, it does no harm: %j', async (fault) => {
    const { messageId } = await show(page('Первый'));
    strike('editMessageText', fault);
    expect(await show(page('Второй'), { replace: messageId })).toEqual({ messageId });
    expect(texts()).toEqual(['Второй']);
  });

  it('an edit that keeps failing is left for later', async () => {
    const { messageId } = await show(page('Первый'));
    strike('editMessageText', { kind: 'status', status: 502 }, Number.POSITIVE_INFINITY);
    await expect(show(page('Второй'), { replace: messageId })).rejects.toThrow(ShowLater);
    expect(texts()).toEqual(['Первый']);
  });

  it('a send that never left is repeated', async () => {
    const { url } = telegram;
    await telegram.close();
    const showing = show(page('Один'), {}, url);
    telegram = await startTelegramStandIn({ token, port: Number(new URL(url).port) });
    telegram.people.say(ANNA, '/start');
    await showing;
    expect(texts()).toEqual(['Один']);
  });

  it('a send that does not reach Telegram is left for later', async () => {
    const { url } = telegram;
    await telegram.close();
    await expect(show(page('Один'), {}, url)).rejects.toThrow(ShowLater);
  });

  it('a person who blocked the bot has closed the chat', async () => {
    const { messageId } = await show(page('Первый'));
    telegram.people.block(ANNA);
    await expect(show(page('Второй'))).rejects.toThrow(ChatClosed);
    await expect(show(page('Второй'), { replace: messageId })).rejects.toThrow(ChatClosed);
  });

  it('a person who never wrote has no chat', async () => {
    await expect(show(page('Один'), { chat: String(1002) })).rejects.toThrow(ChatClosed);
    await expect(show(page('Один'), { chat: String(424_242) })).rejects.toThrow(ChatClosed);
  });

  it('a screen with an address that it does not take is shown in words', async () => {
    const keyboard = [
      [urlButton('Открыть на сайте', 'http://intranet/?p=7')],
      [button('Меню', to('nav:dashboard'))],
    ];
    const { messageId } = await show(page('Первый'));
    expect(await show(page('Статья вышла', keyboard), { replace: messageId })).toEqual({ messageId });
    expect(texts()).toEqual(['Статья вышла\n\nОткрыть на сайте: http://intranet/?p=7']);
    expect(fromBot()[0]!.reply_markup).toEqual({
      inline_keyboard: [[{ text: 'Меню', callback_data: 'nav:dashboard' }]],
    });
  });

  it('a screen with a picture that it does not take is shown without it', async () => {
    strike('sendPhoto', { kind: 'status', status: 400 });
    await show({ ...page('Расходы'), photo: { bytes: new Uint8Array([1, 2, 3]), name: 'plot.png' } });
    expect(texts()).toEqual(['Расходы']);
  });

  it('a file that it does not take is told of, and its screen comes once', async () => {
    strike('sendDocument', { kind: 'status', status: 400 });
    await show({ ...page('Отчёт'), file: { name: 'a.csv', content: 'a' } });
    expect(texts()).toEqual(['Отчёт', toHtml(attachmentRefused)]);
  });

  it('what it refuses as wrong is our mistake and is not repeated', async () => {
    strike('sendMessage', { kind: 'status', status: 400 });
    await expect(show(page('Один'))).rejects.not.toThrow(ShowLater);
    expect(texts()).toEqual([]);
  });
});
