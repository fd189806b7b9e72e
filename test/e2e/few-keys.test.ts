import { describe, expect, it } from 'vitest';
import { addCategory, personWithProjects } from '../support/accounts.ts';
import { startBot } from '../support/bot.ts';

/** Visibly no secret. With a token the bot is no sandbox: what has no key is off. */
const TOKEN = '123456:TEST-TOKEN-OF-NO-VALUE-AT-ALL';

describe('a bot in Telegram with nothing but its token', () => {
  it('offers no text, says why, and leaves out every button that would end in an apology', async () => {
    const bot = await startBot('embedded', { TELEGRAM_BOT_TOKEN: TOKEN });
    try {
      const anna = await personWithProjects(bot, ['Шторы']);
      await anna.sees('владелец бота ещё не подключил нейросети');
      expect(anna.labels()).toEqual(['Проекты', 'Профиль', 'Тарифы', 'Настройки', 'Помощь']);
      expect(anna.keyboard()).toEqual([['Меню']]);
      const [pid] = anna.projectIds as [number];
      const cid = await addCategory(bot, pid, 'Рулонные');
      await anna.forges(`project:${pid}:card`);
      await anna.sees('Категории: 1');
      expect(anna.labels()).not.toContain('Написать статью');
      expect(anna.labels()).not.toContain('Позиции');
      await anna.forges(`project:${pid}:audit`);
      await anna.sees('Анализ сайта');
      expect(anna.labels()).toEqual(['Указать сайт', 'К проекту']);
      await anna.forges(`category:${cid}:keywords`);
      await anna.sees('Фраз пока нет');
      expect(anna.labels()).toEqual(['Загрузить файл', 'К категории']);
      expect((await anna.forges('pipeline:article:start'))?.text).toBe('Эта кнопка уже не действует');
      anna.says('/help');
      await anna.sees('Справка');
      expect(anna.labels()).not.toContain('Тренажёр');
      expect(bot.app.commands).toEqual([]);
      const [{ count }] = await bot.app.sql<[{ count: number }]>`
        select count(*)::int as count from error_log where message = 'a button leads nowhere'`;
      expect(count).toBe(0);
    } finally {
      await bot.stop();
    }
  });

  it('asks four questions about a new project where it has models and no reader of sites', async () => {
    const bot = await startBot('embedded', {
      TELEGRAM_BOT_TOKEN: TOKEN,
      OPENROUTER_BASE_URL: 'http://127.0.0.1:9',
    });
    try {
      const anna = await personWithProjects(bot, []);
      await anna.presses('Написать статью');
      const question = await anna.sees('(1/4)');
      expect(question.text).not.toContain('прочитаю сам');
      anna.says('romashka.ru');
      await anna.sees('Сайты я пока не читаю, но адрес запомнил.');
      expect(anna.labels()).not.toContain('Прочитать ещё раз');
      anna.says('Ромашка');
      await anna.sees('(2/4)');
    } finally {
      await bot.stop();
    }
  });
});
