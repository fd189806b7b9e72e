import type { Customer, PlayedBot } from '../support/played-bot.ts';
import { refusing } from '../support/refusing-database.ts';

const ADD = 'Добавить то, что знаете только вы';
const ADDED = 'Что знаете только вы ✓';
const COST = /[Сс]тоимость/;
const FIRST = 'Что знаете только вы?';
const SECOND = 'О чём не писать?';

/** At the price: both questions answered, refused, left, erased and skipped. Ends at the price with nothing kept. */
export async function tellsWhatOnlyTheyKnow({ bot }: PlayedBot, anna: Customer): Promise<void> {
  const told = `Стены уходят на ${anna.id} мм`;
  await anna.presses(ADD);
  await answersBadly(FIRST, 'own_knowledge', told);
  await answersBadly(SECOND, 'avoid', told);
  await anna.sees(new RegExp(`Расскажем от вас: ${told}.*Не пишем о: ${told}`, 's'));

  await anna.presses(ADDED);
  await leavesAndReturns(FIRST);
  await anna.presses('Оставить как есть');
  await leavesAndReturns(SECOND);

  await anna.presses('Стереть');
  await anna.sees(COST);
  await anna.presses(ADDED);
  await anna.sees(FIRST);
  await anna.presses('Стереть');
  await anna.sees(SECOND);
  await anna.presses('Пропустить');
  await anna.sees(COST);

  async function answersBadly(question: string, column: string, answer: string): Promise<void> {
    await anna.sees(question);
    anna.says('а'.repeat(601));
    await anna.sees(/^⚠ Нужно от 1 до 600 знаков/);
    const accept = await refusing(bot.app.sql, 'categories', `new.${column} = '${answer}'`);
    anna.says(answer);
    await anna.sees(new RegExp(`^⚠ (?!Нужно).*${question.slice(0, -1)}`, 's'));
    await accept();
    anna.says(answer);
  }

  async function leavesAndReturns(question: string): Promise<void> {
    for (const leave of [() => anna.presses('К стоимости'), () => Promise.resolve(anna.says('/cancel'))]) {
      await anna.sees(question);
      await leave();
      await anna.sees(COST);
      await anna.presses(ADDED);
      if (question === SECOND) await anna.presses('Оставить как есть');
    }
    await anna.sees(question);
  }
}

/** Left for the menu at either question, a run goes on at its price. */
export async function leavesAtTheQuestions(anna: Customer): Promise<void> {
  for (const skipped of [0, 1]) {
    await anna.presses(ADD);
    await anna.sees(FIRST);
    if (skipped > 0) {
      await anna.presses('Пропустить');
      await anna.sees(SECOND);
    }
    anna.says('/start');
    await anna.sees('Главное меню');
    await anna.presses(/^Продолжить: статья/);
    await anna.sees(COST);
  }
}
