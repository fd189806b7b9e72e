import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTrainingBot, type TrainingBot, trainingGrounds } from '../support/training.ts';

const behaviour = 'Вчера на показе ты трижды перебила меня.';
const result = 'В итоге заказчик решил, что у нас нет согласия.';

describe.each(trainingGrounds)('a dialogue whose bot is started again, on %s', (ground) => {
  let training: TrainingBot;
  beforeAll(async () => {
    training = await startTrainingBot(ground);
  });
  afterAll(() => training.stop());

  it('«Сценарий 1: Перезапуск бота во время диалога»: «Отправьте сообщение — диалог должен продолжиться»', async () => {
    const { bot, openRouter } = training;
    // «Начните диалог (например, /fbpeer → "Начать диалог")»
    const anna = await training.talking('/fbpeer');
    // «Отправьте несколько сообщений»
    anna.says(behaviour);
    await anna.sees('Ход 2 из 5');
    anna.says(result);
    await anna.sees('Ход 3 из 5');
    // «Остановите бота (Ctrl+C)», «Запустите бота снова»
    await bot.restart();
    // «Отправьте сообщение — диалог должен продолжиться»
    anna.says('Как это выглядело с твоей стороны?');
    await anna.sees(/✓ Поведение · ✓ Результат · ○ Отношение · ✓ Вопрос · ○ Договорённости\nХод 4 из 5/);
    // «История сообщений AI (контекст диалога)»
    const asked = openRouter.requests().at(-1)!;
    expect(asked.user).toContain(`Вы: ${behaviour}`);
    expect(asked.user).toContain(`Вы: ${result}`);
  });

  it('«Сценарий 2: Проверка состояния в БД»: both queries answer as the seed says', async () => {
    const { sql } = training.bot.app;
    const anna = await training.talking('/fbpeer');
    anna.says(behaviour);
    await anna.sees('Ход 2 из 5');

    // «Посмотреть активные FSM состояния»; with Redis the states are there instead.
    const states = await sql`
      SELECT user_id, state, data, updated_at
      FROM fsm_storage
      ORDER BY updated_at DESC`;
    if (ground !== 'PostgreSQL and Redis') {
      const mine = states.find(({ user_id }) => user_id === anna.id)!;
      expect(mine.state).toBe('AIChat:waiting_user');
      const { context } = JSON.parse(mine.data).flow.snapshot;
      expect(context).toMatchObject({
        turn_count: 1,
        dialogue_entries: [{ turn: 1, achieved: ['behavior'] }],
        total_provd_achieved: ['behavior'],
      });
    }

    // «Посмотреть активные диалоги»
    const dialogues = await sql`
      SELECT user_id, provider_type, COUNT(*) as msg_count
      FROM conversations
      WHERE finished_at IS NULL
      GROUP BY user_id, provider_type`;
    expect(dialogues.filter(({ user_id }) => user_id === anna.id)).toEqual([
      { user_id: anna.id, provider_type: 'openai', msg_count: 4 },
    ]);

    // «Провайдер загружает историю из БД»
    const history = await sql`
      SELECT role, content, metadata
      FROM conversations
      WHERE user_id = ${anna.id} AND provider_type = ${'openai'} AND finished_at IS NULL
      ORDER BY created_at ASC`;
    expect(history.map(({ role }) => role)).toEqual(['system', 'assistant', 'user', 'assistant']);
    expect(history[2]).toMatchObject({
      content: behaviour,
      metadata: { case_id: 'fbpeer', channel: 'dialogue', turn: 1 },
    });
  });

  // Where sessions are in PostgreSQL alone, the way is the same as on the embedded database.
  it.skipIf(ground === 'PostgreSQL').each([
    ['answering', 'trainer_turn', 'Ход 2 из 5'],
    ['reviewing', 'trainer_review', 'Анализ · Обратная связь коллеге'],
  ])('killed in %s finishes by itself, and says it once', async (state, task, end) => {
    const { bot, models } = training;
    const anna = await training.talking();
    if (state === 'reviewing') {
      anna.says(behaviour);
      await anna.sees('Ход 2 из 5');
    }
    const own = `${behaviour} (${anna.id})`;
    const release = models.hold(task, state === 'reviewing' ? behaviour : own);
    if (state === 'reviewing') await anna.presses('Получить анализ');
    else anna.says(own);
    await anna.sees(state === 'reviewing' ? 'готовлю анализ' : 'печатает…');
    await bot.restart(0);
    release();
    models.releaseAll();
    await bot.app.sql`update operations set lease_until = clock_timestamp() where status = 'running'`;
    await anna.sees(end, { timeoutMs: 40_000 });
    const { sql } = bot.app;
    const [{ said }] = await sql<[{ said: number }]>`
      select count(*)::integer as said from conversations where user_id = ${anna.id} and role = 'user'
        and metadata ->> 'channel' = ${state === 'reviewing' ? 'reviewer' : 'dialogue'}`;
    expect(said).toBe(1);
  });
});
