import { setTimeout as delay } from 'node:timers/promises';
import type { TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import type { Message } from '../../src/sandbox/telegram/wire.ts';
import { patience } from '../support/patience.ts';
import type { Random } from './seeded.ts';

export type ProjectPlan = {
  answers: { name: string; company: string; specialization: string; website: string | null };
  /** At which of the four questions the person does so, if at all. */
  pausesAt: number | null;
  errsAt: number | null;
  pressesCreateTwice: boolean;
  pressesSkipTwice: boolean;
};

export type Walker = ReturnType<typeof createWalker>;

// Beyond the slowest recovery: a lock left behind (5 s), orphaned work (10 s) and the sweep that finds it (4 s).
const PATIENCE_MS = patience(25_000);
// A press on a screen that has meanwhile come a second time is not heard: after a look, the person presses below.
const LOOK_AGAIN_MS = 1_500;
const MOST_TRIES = 4;

/** A person who acts only on what they see, at the pace of a person in a hurry. */
export function createWalker(telegram: TelegramStandIn, id: number, random: Random) {
  telegram.people.add({ id, first_name: `Человек ${id}` });
  const { people } = telegram;
  const sights: { message: Message; isNew: boolean; at: number }[] = [];
  const counts = { waitedInVain: 0, pressedAgain: 0, toldOfFailure: 0 };
  const stop = telegram.subscribe((change) => {
    if (change.type !== 'message' || change.chat_id !== id || change.what === 'deleted') return;
    const message = people.messages(id).find(({ message_id }) => message_id === change.message_id);
    if (message?.from?.is_bot) sights.push({ message, isNew: change.what === 'new', at: Date.now() });
  });
  return { id, start, createProject, counts, repeatedScreens, describe, stop };

  function start(): Promise<void> {
    // The welcome, or the menu: a person registered by a process that died is no newcomer any more.
    return deed(() => people.start(id), 'токенов');
  }

  async function createProject(plan: ProjectPlan): Promise<void> {
    const { name, company, specialization, website } = plan.answers;
    if (!buttonOn('Проекты')) await presses('Меню', 'Главное меню');
    await presses('Проекты', 'Проекты\n\n');
    await presses('Создать проект', '(1/4)', plan.pressesCreateTwice);
    await answers(1, plan, name, '(2/4)', 'Введите название');
    await answers(2, plan, company, '(3/4)', 'Введите название');
    await answers(3, plan, specialization, '(4/4)', 'Опишите подробнее');
    const created = `Проект ${name} создан`;
    if (website !== null) return answers(4, plan, website, created, 'Введите корректный URL');
    await pauses(4, plan);
    await presses('Пропустить', created, plan.pressesSkipTwice);
  }

  async function answers(
    step: number,
    plan: ProjectPlan,
    answer: string,
    next: string,
    complaint: string,
  ): Promise<void> {
    await pauses(step, plan);
    if (plan.errsAt === step) await deed(() => people.say(id, '?'), complaint);
    await deed(() => people.say(id, answer), next);
  }

  async function pauses(step: number, { pausesAt }: ProjectPlan): Promise<void> {
    if (pausesAt !== step) return;
    if (step === 1) {
      await presses('Прервать', 'Прервано: создание проекта');
      return presses('Создать проект', '(1/4)');
    }
    await presses('Прервать', 'сохранены на сутки');
    await presses('Создать проект', 'и не закончили');
    await presses('Продолжить', `(${step}/4)`);
  }

  function presses(label: string, expected: string, twice = false): Promise<void> {
    return deed(press, expected, { twice, pressAgain: true });

    function press(): void {
      const found = buttonOn(label);
      if (!found) throw new Error(`${id} sees no button "${label}": ${describe()}`);
      people.press(id, found.message.message_id, found.data);
    }
  }

  /**
   * Does something and waits for the answer. A person who waits in vain presses again; what was said is not said again,
   * because by then it might answer the next question.
   */
  async function deed(
    act: () => void,
    expected: string,
    { twice = false, pressAgain = false } = {},
  ): Promise<void> {
    await delay(random.between(50, 600));
    const before = sights.at(-1)?.message.text;
    act();
    if (twice) act();
    for (let tries = 0, mark = sights.length; tries < MOST_TRIES; tries += 1) {
      const answer = await answerSince(mark, expected, pressAgain ? before : undefined);
      if (answer === 'answered') return;
      counts[answer] += 1;
      const retry = answer === 'toldOfFailure' ? buttonOn('Повторить') : null;
      if (retry) {
        // As people do: at once, a database that is being restarted would refuse every try of theirs.
        await delay(1_000 * (tries + 1));
        mark = sights.length;
        people.press(id, retry.message.message_id, retry.data);
        continue;
      }
      if (!pressAgain || sights.at(-1)?.message.text !== before) continue;
      mark = sights.length;
      act();
    }
    throw new Error(`${id} waited in vain for "${expected}": ${describe()}`);
  }

  async function answerSince(mark: number, expected: string, before: string | undefined) {
    for (const began = Date.now(); Date.now() - began < PATIENCE_MS; await delay(20)) {
      const fresh = sights.slice(mark);
      if (fresh.some(({ message }) => message.text?.includes(expected))) return 'answered';
      const last = fresh.at(-1);
      if (last?.message.text?.startsWith('Не получилось сохранить')) return 'toldOfFailure';
      const askedAgain = last?.isNew && last.message.text === before;
      if (askedAgain && Date.now() - last.at > LOOK_AGAIN_MS) return 'pressedAgain';
    }
    return 'waitedInVain';
  }

  /** On the newest screen: a person scrolls up for no button. */
  function buttonOn(label: string): { message: Message; data: string } | null {
    const screen = sights.findLast(({ message }) => message.reply_markup?.inline_keyboard.length)?.message;
    const data = screen?.reply_markup?.inline_keyboard
      .flat()
      .find(({ text }) => text === label)?.callback_data;
    return screen && data !== undefined ? { message: screen, data } : null;
  }

  /** Messages that say what one of the two before them said: a screen comes with a greeting at most. */
  function repeatedScreens(): number {
    return sights.filter(({ message: { text }, isNew }, index) => {
      const before = sights.slice(Math.max(0, index - 2), index);
      return isNew && before.some(({ message }) => message.text === text);
    }).length;
  }

  function describe(): string {
    return sights
      .slice(-4)
      .map(({ message, isNew }) => `${isNew ? 'sent' : 'edited'} ${JSON.stringify(message.text)}`)
      .join(' | ');
  }
}
