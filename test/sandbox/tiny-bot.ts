import { Bot, InlineKeyboard, Keyboard } from 'grammy';

/** A bot with a few answers, for trying the page: it has one dialogue of three steps. */
export function startTinyBot(token: string, apiRoot: string) {
  const bot = new Bot(token, { client: { apiRoot } });
  const states = new Map<number, string>();
  const menu = () =>
    new InlineKeyboard([
      [{ text: 'Написать статью', callback_data: 'article', style: 'primary' }],
      [
        { text: 'Опубликовать', callback_data: 'publish', style: 'success' },
        { text: 'Удалить', callback_data: 'delete', style: 'danger' },
      ],
      [
        { text: 'Подумать', callback_data: 'slow' },
        { text: 'Справка', url: 'https://example.com/help' },
      ],
    ]);

  bot.command('start', async (ctx) => {
    states.delete(ctx.chat.id);
    await ctx.reply(
      `Здравствуйте, <b>${escapeHtml(ctx.from?.first_name ?? '')}</b>!\n\nЯ помогу с <i>ключевыми словами</i>, <u>статьями</u> и <s>скучными</s> постами. На балансе <code>1 500</code> токенов.\n<blockquote>Подсказка: начните с <a href="https://example.com/">примера</a>.</blockquote>`,
      { parse_mode: 'HTML', reply_markup: menu() },
    );
    await ctx.reply('Меню всегда под рукой.', {
      reply_markup: new Keyboard()
        .text('Мои проекты')
        .text('Баланс')
        .row()
        .text('Помощь')
        .resized()
        .persistent(),
    });
  });
  bot.callbackQuery('article', async (ctx) => {
    states.set(ctx.chat!.id, 'choose_keyword');
    await ctx.answerCallbackQuery({ text: 'Открываю редактор' });
    await ctx.editMessageText('<b>Шаг 1 из 3.</b> О чём будет статья? Пришлите тему одним сообщением.', {
      parse_mode: 'HTML',
      reply_markup: new InlineKeyboard().text('Назад', 'delete'),
    });
  });
  bot.callbackQuery('publish', (ctx) =>
    ctx.answerCallbackQuery({ text: 'Сначала напишите статью.', show_alert: true }),
  );
  bot.callbackQuery('delete', async (ctx) => {
    await ctx.answerCallbackQuery();
    await ctx.deleteMessage();
  });
  bot.callbackQuery('slow', async (ctx) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await ctx.answerCallbackQuery({ text: 'Подумал' });
  });
  bot.on('message:document', (ctx) => ctx.reply(`Получил файл ${ctx.message.document.file_name}`));
  bot.on('message:photo', (ctx) =>
    ctx.replyWithPhoto(ctx.message.photo.at(-1)!.file_id, { caption: 'Красиво!' }),
  );
  bot.on('message:text', async (ctx) => {
    if (states.has(ctx.chat.id)) states.set(ctx.chat.id, 'confirm_cost');
    await ctx.reply(`Вы написали: ${ctx.message.text}`);
  });
  void bot.start();
  return { bot, states };
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A chart as the page expects it: every state a group with its id, every edge a group of the class. */
export function tinyChart(): string {
  const states = ['choose_keyword', 'confirm_cost', 'generating', 'preview', 'published'];
  const boxes = states.map(
    (name, i) =>
      `<g id="state-${name}" class="state"><rect x="${40 + (i % 2) * 160}" y="${30 + i * 120}" width="190" height="56" rx="12" fill="#fff" stroke="#90a0b0"/><text x="${135 + (i % 2) * 160}" y="${63 + i * 120}" text-anchor="middle" font-family="sans-serif" font-size="15" fill="#223">${name}</text></g>`,
  );
  const edges = states
    .slice(1)
    .map(
      (_, i) =>
        `<g class="edge"><path d="M${135 + (i % 2) * 160} ${86 + i * 120} L${135 + ((i + 1) % 2) * 160} ${150 + i * 120}" stroke="#90a0b0" fill="none" stroke-width="1.5"/></g>`,
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 430 640" width="430" height="640">${edges.join('')}${boxes.join('')}</svg>`;
}
