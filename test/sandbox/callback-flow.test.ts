import { Bot, InlineKeyboard } from 'grammy';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { scriptedPerson } from '../support/person.ts';

const token = '123456:sandbox-token';
let telegram: TelegramStandIn;
let bot: Bot;

beforeEach(async () => {
  telegram = await startTelegramStandIn({ token });
  bot = new Bot(token, { client: { apiRoot: telegram.url } });
  const keyboard = new InlineKeyboard().text('Дальше', 'next').row().url('Сайт', 'https://example.com');
  bot.command('start', (ctx) =>
    ctx.reply(`Привет, <b>${ctx.match || 'гость'}</b>`, { parse_mode: 'HTML', reply_markup: keyboard }),
  );
  bot.callbackQuery('next', async (ctx) => {
    await ctx.answerCallbackQuery({ text: 'Готово' });
    await ctx.editMessageText('Второй шаг');
  });
  bot.on('callback_query', (ctx) => ctx.answerCallbackQuery({ text: 'Кнопка устарела', show_alert: true }));
  bot.on('message:document', async (ctx) => {
    const file = await ctx.getFile();
    const response = await fetch(`${telegram.url}/file/bot${token}/${file.file_path}`);
    await ctx.reply(`В файле: ${await response.text()}`);
  });
  void bot.start();
});

afterEach(async () => {
  await bot.stop();
  await telegram.close();
});

describe('a person and a bot on the stand-in', () => {
  it('talk: a command, a button, a toast, a message edited in place', async () => {
    const anna = scriptedPerson(telegram, 1001);
    anna.says('/start промо');
    const hello = await anna.sees(/Привет/);
    expect(hello.entities).toEqual([{ type: 'bold', offset: 8, length: 5 }]);
    expect(anna.labels()).toEqual(['Дальше', 'Сайт']);

    expect(await anna.presses('Дальше')).toBe('Готово');
    const second = await anna.sees('Второй шаг');
    expect(second.message_id).toBe(hello.message_id);
    expect(anna.screen()).toBeNull();
  });

  it('do not mix with another person', async () => {
    const anna = scriptedPerson(telegram, 1001);
    const boris = scriptedPerson(telegram, 1002);
    anna.says('/start a');
    boris.says('/start b');
    await Promise.all([anna.sees(/Привет, a/), boris.sees(/Привет, b/)]);
    expect(anna.messages().map(({ text }) => text)).toEqual(['/start a', 'Привет, a']);
  });

  it('exchange a file', async () => {
    const anna = scriptedPerson(telegram, 1001);
    anna.uploads('слова.txt', 'купить цветы');
    await anna.sees('В файле: купить цветы');
    expect(anna.messages()[0]?.document).toMatchObject({ file_name: 'слова.txt', mime_type: 'text/plain' });
  });

  it('meet a forged button', async () => {
    const anna = scriptedPerson(telegram, 1001);
    anna.says('/start');
    await anna.sees(/Привет/);
    expect(await anna.forges('nonsense')).toEqual({ text: 'Кнопка устарела', show_alert: true });
    expect(() => telegram.people.press(1001, anna.screen()!.message_id, 'nonsense')).toThrow(/no button/);
  });
});
