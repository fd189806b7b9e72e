import { setTimeout as delay } from 'node:timers/promises';
import type { TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import type { Message } from '../../src/sandbox/telegram/wire.ts';
import type { Random } from './seeded.ts';

/** `unknown`: the bot could not say, and the person found their text where it belongs. */
export type Ending = 'published' | 'refunded' | 'unknown';

export type Habits = {
  /** Presses what costs something twice in a row. */
  isNervous: boolean;
  /** Goes to the menu while the bot is at work, and waits for its word there. */
  leavesWhile: 'writing' | 'publishing' | null;
};

/** What a person does at a screen: the first button of this name, or an answer to what it asks for. */
export type Step =
  | {
      presses: string | RegExp;
      at?: RegExp;
      /** Only where this button stands as well. */
      beside?: string;
      when?: (words: string) => boolean;
    }
  | { says: string; at: RegExp };

/** What a person wants of the bot, by the words that they see on the way. The first step that fits is taken. */
export type Goal = {
  /** To the price, from wherever the person is. */
  way: readonly Step[];
  /** From the price on. */
  decisions: readonly Step[];
  /** Buttons that lead back to what was begun, wherever they stand in the chat. */
  returns: readonly (string | RegExp)[];
  /** Buttons that cost something. */
  costly: readonly string[];
  works: Readonly<Record<'writing' | 'publishing', RegExp>>;
  /** The bot cannot say whether the text went out. */
  doubt: RegExp;
  /** Null: not yet. */
  ending(said: (words: RegExp) => boolean, newest: string): Ending | null;
};

export type TextWalker = ReturnType<typeof createTextWalker>;

const LOOK_EVERY_MS = 50;
// A press is not lost, only late: the messenger brings it again. People do not know that.
const PRESS_AGAIN_MS = 15_000;
// A press on a screen that has meanwhile come a second time is not heard: after a look, the person presses below.
const LOOK_AGAIN_MS = 1_500;

/**
 * A person who wants one text out. They look at the chat, decide by what stands there, and never ask for a second one.
 */
export function createTextWalker(
  telegram: TelegramStandIn,
  id: number,
  { random, habits, goal }: { random: Random; habits: Habits; goal: Goal },
) {
  const { people } = telegram;
  people.add({ id, first_name: `Человек ${id}` });
  let seen: Message[] = [];
  /** Also what was replaced at once by the answer to an earlier press. */
  const shown = new Set<string>();
  let changedAt = 0;
  const stop = telegram.subscribe((change) => {
    if (change.type !== 'message' || change.chat_id !== id) return;
    seen = people.messages(id).filter(({ from }) => from?.is_bot);
    for (const message of seen) shown.add(wordsOf(message));
    changedAt = Date.now();
  });
  const pressed = new Map<string, { messageId: number; at: number }>();
  const answered = new Set<string>();
  const trail: string[] = [];
  let { leavesWhile } = habits;
  let begun = false;
  let doubted = false;
  return { id, walk, stop, wasInDoubt: () => doubted };

  async function walk(patienceMs: number): Promise<Ending> {
    people.start(id);
    for (const began = Date.now(); Date.now() - began < patienceMs; ) {
      const end = ending();
      if (end) return end;
      if (!(await act())) await delay(LOOK_EVERY_MS);
    }
    throw new Error(`${id} is stuck: ${describe()}`);
  }

  function ending(): Ending | null {
    const said = (words: RegExp) => [...shown].some((each) => words.test(each));
    doubted ||= said(goal.doubt);
    const newest = seen.at(-1);
    return newest ? goal.ending(said, wordsOf(newest)) : null;
  }

  /** False: there is nothing to do but wait. */
  async function act(): Promise<boolean> {
    const newest = seen.at(-1);
    if (!newest) return false;
    const { writing, publishing } = goal.works;
    const isAtWork = writing.test(wordsOf(newest)) || publishing.test(wordsOf(newest));
    begun ||= isAtWork;
    if (leavesWhile && goal.works[leavesWhile].test(wordsOf(newest))) {
      leavesWhile = null;
      people.start(id);
      trail.push('/start');
      return true;
    }
    // Also what was pressed already: the question stands there again, and a person who reads from below answers it.
    const decided = await take(goal.decisions, newest);
    if (decided !== null) return decided;
    if (!begun) return (await take(goal.way, newest)) ?? false;
    for (const told of seen.toReversed()) {
      const label = labelsOf(told).find((each) => goal.returns.some((wanted) => matches(each, wanted)));
      if (label !== undefined) return press(told, label);
    }
    return false;
  }

  /** Null: none of them fits. */
  async function take(steps: readonly Step[], newest: Message): Promise<boolean | null> {
    for (const step of steps) {
      if (step.at && !step.at.test(wordsOf(newest))) continue;
      if ('says' in step) return say(newest, step.says);
      if (step.beside !== undefined && !has(newest, step.beside)) continue;
      if (step.when && !step.when(wordsOf(newest))) continue;
      const label = labelsOf(newest).find((each) => matches(each, step.presses));
      if (label !== undefined) return press(newest, label);
    }
    return null;
  }

  /** An answer is never given twice to the same question: by then it might answer the next one. */
  async function say(newest: Message, words: string): Promise<boolean> {
    const question = `${newest.message_id} ${wordsOf(newest)}`;
    if (answered.has(question)) return false;
    await delay(random.between(20, 250));
    if (seen.at(-1) !== newest) return true;
    answered.add(question);
    trail.push(`“${words}”`);
    people.say(id, words);
    return true;
  }

  async function press(message: Message, label: string): Promise<boolean> {
    const { message_id: messageId } = message;
    const what = `${label} ${wordsOf(message)}`;
    const last = pressed.get(what);
    if (last && !isTimeFor(last, messageId)) return false;
    await delay(random.between(20, 250));
    const current = seen.find(({ message_id }) => message_id === messageId);
    const data = dataOf(current, label);
    if (data === undefined) return true; // it has changed under the finger
    pressed.set(what, { messageId, at: Date.now() });
    trail.push(label);
    people.press(id, messageId, data);
    if (habits.isNervous && !last && goal.costly.includes(label)) people.press(id, messageId, data);
    return true;
  }

  /** To press the same words once more. */
  function isTimeFor(last: { messageId: number; at: number }, messageId: number): boolean {
    if (last.messageId === messageId) return Date.now() - last.at > PRESS_AGAIN_MS;
    return Date.now() - changedAt > LOOK_AGAIN_MS;
  }

  function describe(): string {
    const newest = seen.slice(-3).map((message) => JSON.stringify(wordsOf(message)));
    return `did ${trail.join(', ')}; sees ${newest.join(' | ')}`;
  }
}

/** A picture carries them as its caption. */
const wordsOf = ({ text, caption }: Message): string => text ?? caption ?? '';

const labelsOf = (message: Message): string[] =>
  (message.reply_markup?.inline_keyboard.flat() ?? []).flatMap(({ text, callback_data: data }) =>
    data === undefined ? [] : [text],
  );

const matches = (label: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? label === wanted : wanted.test(label);

function dataOf(message: Message | undefined, label: string): string | undefined {
  const buttons = message?.reply_markup?.inline_keyboard.flat() ?? [];
  return buttons.find(({ text }) => text === label)?.callback_data;
}

const has = (message: Message, label: string): boolean => dataOf(message, label) !== undefined;
