import { expect } from 'vitest';
import type { ScriptedPerson } from '../support/person.ts';
import { LONG, type PlayedBot } from '../support/played-bot.ts';

export const goodWords = [
  'Вчера на показе ты трижды перебила меня, когда речь шла о сроках.',
  'В итоге заказчик решил, что мы не договорились, и мне было неприятно.',
  'Как это выглядело с твоей стороны?',
  'Давай договоримся: перед каждым показом делим слайды, а в четверг прогоняем вместе.',
] as const;

/** People who train: what they are told, what is kept of it, and how it ends. */
export async function playAIChat(played: PlayedBot): Promise<void> {
  const { bot, models, suppliers } = played;
  await Promise.all([
    winsAndGoesOn(),
    readsTheTheory(),
    isMisunderstood(),
    comesBackLater(),
    runsOutOfTurns(),
    losesTheCase(),
    losesTheCaseInMidDialogue(),
  ]);
  // Their models fail for everybody, so they come one by one.
  await hearsNothing();
  await cannotEvenStart();
  await cannotEvenLeave();

  async function winsAndGoesOn(): Promise<void> {
    const anna = await talking();
    for (const [said, words] of goodWords.slice(0, 3).entries()) {
      anna.says(words);
      await anna.sees(`Ход ${said + 2} из 5`);
    }
    anna.says(goodWords[3]);
    await anna.sees(/Анализ · Обратная связь коллеге.*Вы прошли весь путь/s, LONG);
    await anna.presses('Продолжить');
    await anna.sees(/✓ Договорённости\nХод 5 из 9/);
    anna.says('И ещё: спасибо, что выслушала.');
    await anna.sees(/Ход 6 из 9/);
    await anna.presses('Получить анализ');
    await anna.sees('Анализ · Обратная связь коллеге', LONG);
    // Words without a press are the next turn.
    anna.says('Как тебе такой план?');
    await anna.sees(/^Марина\n.*Ход 7 из/s);
    await anna.presses('Получить анализ');
    await anna.sees('Анализ · Обратная связь коллеге', LONG);
    await anna.presses('Начать заново');
    await anna.sees(/○ Поведение.*Ход 1 из 5/s);
    anna.says(goodWords[0]);
    await anna.sees(/✓ Поведение/);
    await anna.presses('Получить анализ');
    await anna.sees('Анализ · Обратная связь коллеге', LONG);
    await anna.presses('Другой случай');
    await anna.sees('Тренажёр разговоров');
    await anna.presses('Мои тренировки');
    await anna.sees(/1 из 5, 1 ход, с анализом.*5 из 5, 6 ходов, с анализом/s);
  }

  async function readsTheTheory(): Promise<void> {
    const anna = await atTheCase();
    await anna.presses('Теория');
    await anna.sees(/^Теория · Обратная связь коллеге/);
    await anna.presses('К описанию');
    await anna.sees(/^Обратная связь коллеге.*Ваша цель/s);
    await anna.presses('Теория');
    await anna.sees(/^Теория/);
    await anna.presses('Начать диалог');
    await anna.sees(/^Марина\nПривет!/);
    await anna.presses('Главное меню');
    await anna.sees('Главное меню');
    anna.says('/fbpeer');
    await anna.sees('Ваша цель');
    await anna.presses('Теория');
    await anna.sees(/^Теория/);
    await anna.presses('Главное меню');
    await anna.sees('Главное меню');
    anna.says('/fbpeer');
    await anna.sees('Ваша цель');
    await anna.presses('Главное меню');
    await anna.sees('Главное меню');
  }

  async function isMisunderstood(): Promise<void> {
    const anna = await talking();
    anna.says('я');
    await anna.sees('⚠ Напишите словами');
    anna.says('я'.repeat(3_000));
    await anna.sees('⚠ Слишком длинно');
    anna.says('Поговорим?');
    await anna.sees('Ход 2 из 5');
    await anna.presses('Начать заново');
    await anna.sees('Ход 1 из 5');
    anna.says('Привет, надо поговорить.');
    await anna.sees('Ход 2 из 5');
    await anna.presses('Получить анализ');
    await anna.sees('Анализ · Обратная связь коллеге', LONG);
    await anna.presses('Главное меню');
    await anna.sees('Главное меню');
  }

  async function comesBackLater(): Promise<void> {
    const anna = await talking();
    anna.says(goodWords[0]);
    await anna.sees('✓ Поведение');
    await anna.forges('nav:projects');
    await anna.sees('Разговор ждёт сутки');
    await anna.forges('trainer:list');
    await anna.presses('Продолжить диалог: Обратная связь коллеге');
    await anna.sees(/продолжаем с того же места.*✓ Поведение.*Ход 2 из 5/s);
  }

  async function runsOutOfTurns(): Promise<void> {
    const anna = await talking();
    for (const n of [2, 3, 4, 5]) {
      anna.says(`Ну, как дела, номер ${n}`);
      await anna.sees(`Ход ${n} из 5`);
    }
    anna.says('Вот и поговорили.');
    await anna.sees(/Анализ · Обратная связь коллеге.*ни одна из пяти/s, LONG);
  }

  /** As after a release that no longer has the file. */
  async function losesTheCase(): Promise<void> {
    const anna = await atTheCase();
    await renamed(anna);
    await shownAgain(anna);
    await anna.presses('Начать диалог');
    await anna.sees(/больше нет. Выберите другой/);
  }

  async function losesTheCaseInMidDialogue(): Promise<void> {
    const one = await talking();
    await renamed(one);
    one.says(goodWords[0]);
    await one.sees(/больше нет. Выберите другой/);
    const other = await talking();
    other.says(goodWords[0]);
    await other.sees('✓ Поведение');
    await renamed(other);
    await shownAgain(other);
    await other.presses('Получить анализ');
    await other.sees(/больше нет. Выберите другой/);
  }

  async function hearsNothing(): Promise<void> {
    const anna = await talking();
    anna.says('Поговорим о вчерашнем показе?');
    await anna.sees('Ход 2 из 5');
    suppliers.openRouter.moods.add({ kind: 'fails', times: null });
    anna.says(goodWords[0]);
    await anna.sees(/^⚠ Собеседник не смог ответить.*Ход не засчитан.*Ход 2 из 5/s, LONG);
    await anna.presses('Получить анализ');
    await anna.sees(/^⚠ Анализ не получился.*Ход 2 из 5/s, LONG);
    played.mend();
    const release = models.hold('trainer_turn', 'ты трижды перебила');
    anna.says(goodWords[0]);
    await anna.sees('Марина печатает…', LONG);
    release();
    await anna.sees(/✓ Поведение.*Ход 3 из 5/s, LONG);
  }

  async function cannotEvenStart(): Promise<void> {
    const anna = await atTheCase();
    await withoutTheFunction('clear_case_conversations(text, bigint)', async () => {
      await anna.presses('Начать диалог');
      await anna.sees(/^⚠ Произошла ошибка.*Ваша цель/s);
    });
    await anna.presses('Начать диалог');
    await anna.sees('Ход 1 из 5');
  }

  async function cannotEvenLeave(): Promise<void> {
    const anna = await talking();
    await withoutTheFunction('clear_all_conversations(bigint)', async () => {
      await anna.presses('Главное меню');
      await anna.sees('Главное меню');
    });
  }

  /** A database that was half restored: the function is there under another name. */
  async function withoutTheFunction(signature: string, act: () => Promise<void>): Promise<void> {
    const { sql } = bot.app;
    const [name, types] = signature.split(/(?=\()/u);
    await sql.unsafe(`alter function ${signature} rename to away`);
    try {
      await act();
    } finally {
      await sql.unsafe(`alter function away${types} rename to ${name}`);
    }
  }

  async function renamed({ id }: ScriptedPerson): Promise<void> {
    await bot.app.sql`
      update fsm_storage set data = replace(data, '"fbpeer"', '"old"') where user_id = ${id}`;
  }

  /** A button of an earlier step brings the present one again. */
  async function shownAgain(anna: ScriptedPerson): Promise<void> {
    await anna.forges('chat:continue:old', 1);
    await anna.sees(/Собеседник|больше нет/);
  }

  async function talking() {
    const anna = await atTheCase();
    await anna.presses('Начать диалог');
    await anna.sees(/^Марина\nПривет!.*○ Поведение.*Ход 1 из 5/s);
    expect(anna.labels()).toEqual(['Начать заново', 'Главное меню']);
    return anna;
  }

  async function atTheCase() {
    const anna = await played.newcomer();
    anna.says('/fbpeer');
    await anna.sees(/^Обратная связь коллеге.*Ваша цель.*5 ходов/s);
    return anna;
  }
}
