import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tinyPng } from '../sandbox/tiny-png.ts';
import { startBot } from '../support/bot.ts';
import { startTrainingBot, type TrainingBot } from '../support/training.ts';

const behaviour = 'Вчера на показе ты трижды перебила меня.';

describe('the trainer', () => {
  let training: TrainingBot;
  beforeAll(async () => {
    training = await startTrainingBot();
  });
  afterAll(() => training.stop());
  afterEach(() => {
    training.models.releaseAll();
    training.openRouter.moods.clear();
  });
  const openOf = async (userId: number) => {
    const [row] = await training.bot.app.sql<[{ open: number }]>`
      select count(*)::integer as open from conversations where user_id = ${userId} and finished_at is null`;
    return row.open;
  };

  it('is reached from the help page too, and its commands stand behind the "/"', async () => {
    const anna = training.bot.person();
    anna.says('/start');
    await anna.sees('ИИ пишет');
    anna.says('/help');
    await anna.sees('Справка');
    await anna.presses('Тренажёр');
    await anna.sees(/\(\/fbemployee\).*\(\/fbpeer\).*\(\/career\)/s);
    await anna.presses('Карьерный разговор');
    await anna.sees(/Ольга.*6 ходов/s);
    expect(training.bot.app.commands.map(({ command }) => command)).toEqual([
      'fbemployee',
      'fbpeer',
      'career',
    ]);
  });

  it('asks for words where a photo or a voice came, and counts no turn', async () => {
    const anna = await training.talking();
    const { people } = training.bot.telegram;
    people.photo(anna.id, { name: 'p.png', mime: 'image/png', bytes: tinyPng(8, 8) });
    await anna.sees('Пожалуйста, отправьте текстовое сообщение');
    anna.says('👍');
    await anna.sees('⚠ Напишите словами');
    people.voice(anna.id);
    await anna.sees(/Пожалуйста, отправьте текстовое сообщение.*Ход 1 из 5/s);
    expect(await openOf(anna.id)).toBe(2);
  });

  it('answers one of two messages that come at once, and says so of the other', async () => {
    const anna = await training.talking();
    const words = `${behaviour} Дважды (${anna.id})`;
    const release = training.models.hold('trainer_turn', words);
    anna.says(words);
    await anna.sees('печатает…');
    anna.says('И ещё одно, пока ты думаешь.');
    await anna.sees('Уже выполняется');
    release();
    await anna.sees('Ход 2 из 5');
    expect(await openOf(anna.id)).toBe(4);
  });

  it('ends every dialogue with /start, and with the menu under the input line', async () => {
    const anna = await training.talking();
    anna.says(behaviour);
    await anna.sees('Ход 2 из 5');
    anna.says('/start');
    await anna.sees(/Главное меню/);
    expect(await openOf(anna.id)).toBe(0);
    anna.says('/fbpeer');
    await anna.sees('Ваша цель');
    await anna.presses('Начать диалог');
    await anna.sees('Ход 1 из 5');
    expect(await openOf(anna.id)).toBe(2);
    anna.says('Меню');
    await anna.sees(/Главное меню/);
    expect(await openOf(anna.id)).toBe(0);
  });

  it('lets a command start another case out of a dialogue, and finishes what it starts anew', async () => {
    const anna = await training.talking('/fbpeer');
    anna.says('/career');
    await anna.sees(/^Предыдущий процесс .*Карьерный разговор/s);
    expect(await openOf(anna.id), 'the other case may be gone on with').toBe(2);
    anna.says('/fbpeer');
    await anna.sees('Обратная связь коллеге');
    expect(await openOf(anna.id)).toBe(0);
  });

  it('tells a person who has left what the counterpart answered', async () => {
    const anna = await training.talking();
    const words = `${behaviour} Вот (${anna.id})`;
    const release = training.models.hold('trainer_turn', words);
    anna.says(words);
    await anna.sees('печатает…');
    await anna.forges('nav:projects');
    await anna.sees('Работа продолжается');
    release();
    await anna.sees(/^Пока вас не было, собеседник ответил\.\n\nМарина/);
    await anna.presses('К тренажёру');
    await anna.presses('Продолжить диалог: Обратная связь коллеге');
    await anna.sees(/✓ Поведение.*Ход 2 из 5/s);
  });

  it('offers the dialogue again after thirty minutes of silence', async () => {
    const anna = await training.talking();
    anna.says(behaviour);
    await anna.sees('Ход 2 из 5');
    await training.bot.app.sql`
      update fsm_storage set data = regexp_replace(data, '"lastActivityAt":\\d+', '"lastActivityAt":1')
      where user_id = ${anna.id}`;
    anna.says('Ты меня слышишь?');
    await anna.sees(/^Сессия истекла\. Начните заново/);
    await anna.presses('Продолжить диалог: Обратная связь коллеге');
    await anna.sees(/продолжаем с того же места.*✓ Поведение.*Ход 2 из 5/s);
  });

  it('takes sixty turns an hour, and says when it is enough', async () => {
    const anna = await training.talking();
    await training.bot.app.sql`
      insert into key_values (key, value, expires_at)
      values (${`rate:${anna.id}:trainer_turn`}, '60000', now() + interval '1 hour')`;
    anna.says(behaviour);
    await anna.sees(/^⚠ Слишком часто: не больше \d+ реплик в час.*Ход 1 из 5/s);
  });

  it('books what the answers cost, and takes no tokens', async () => {
    const anna = await training.talking();
    anna.says(behaviour);
    await anna.sees('Ход 2 из 5');
    const rows = await training.bot.app.sql`
      select amount, description, ai_model from token_expenses where user_id = ${anna.id}`;
    expect(rows).toMatchObject([{ amount: 0, description: 'trainer_turn' }]);
  });

  it('keeps its snapshot small, however much was said', async () => {
    const anna = await training.talking('/career');
    for (const turn of [2, 3, 4, 5]) {
      anna.says(`Расскажу подробно. ${'Очень важные слова. '.repeat(95)}`);
      await anna.sees(`Ход ${turn} из 6`);
    }
    const [row] = await training.bot.app.sql<[{ data: string }]>`
      select data from fsm_storage where user_id = ${anna.id}`;
    expect(JSON.stringify(JSON.parse(row.data).flow.snapshot).length).toBeLessThan(4_096);
  });
});

describe('with FEATURE_TRAINER=0', () => {
  it('has no trainer: no command, no page, no button', async () => {
    const bot = await startBot('embedded', { FEATURE_TRAINER: '0' });
    try {
      const anna = bot.person();
      anna.says('/start');
      await anna.sees('ИИ пишет');
      anna.says('/fbpeer');
      await anna.sees('Такой команды нет');
      anna.says('/help');
      await anna.sees('Справка');
      expect(anna.labels()).not.toContain('Тренажёр');
      expect(bot.app.commands).toEqual([]);
    } finally {
      await bot.stop();
    }
  });
});
