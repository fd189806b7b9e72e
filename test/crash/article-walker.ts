import { setTimeout as delay } from 'node:timers/promises';
import type { TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import type { Message } from '../../src/sandbox/telegram/wire.ts';
import { projectOf } from './article-authors.ts';
import type { Random } from './seeded.ts';

/** `unknown`: the bot could not say, and the person found the article on their site. */
export type Ending = 'published' | 'refunded' | 'unknown';

export type Habits = {
  /** Presses what costs something twice in a row. */
  isNervous: boolean;
  /** Goes to the menu while the bot is at work, and waits for its word there. */
  leavesWhile: 'writing' | 'publishing' | null;
  /** Told that the article may be there, looks; the others press once more. */
  looksAtSite: boolean;
  /** Wants it on the site as a draft. */
  savesDraft?: boolean;
};

export type ArticleWalker = ReturnType<typeof createArticleWalker>;

const LOOK_EVERY_MS = 50;
// A press is not lost, only late: the messenger brings it again. People do not know that.
const PRESS_AGAIN_MS = 15_000;
// A press on a screen that has meanwhile come a second time is not heard: after a look, the person presses below.
const LOOK_AGAIN_MS = 1_500;

const costly = ['Создать статью', 'Опубликовать', 'Сохранить черновиком в WordPress'];

/** What a person does at a screen: the first button of this name, or an answer to what it asks for. */
export type Step = { presses: string | RegExp; at?: RegExp } | { says: string; at: RegExp };

/** The way to the offer through the card of the category, from wherever the person is. The first step that fits is taken. */
const throughCategory = (id: number): readonly Step[] =>
  [
    'WordPress',
    'Кухни',
    'Категории',
    projectOf(id),
    'Проекты',
    // Last: the menu has one too, which leads into the pipeline.
    'Написать статью',
  ].map((presses) => ({ presses }));

type Walk = {
  random: Random;
  habits: Habits;
  isOnSite: () => boolean;
  /** To the offer. */
  way?: readonly Step[];
};

/**
 * A person who wants one article on their site. They look at the chat, decide by what stands there, and never ask for
 * a second one.
 */
export function createArticleWalker(
  telegram: TelegramStandIn,
  id: number,
  { random, habits, isOnSite, way = throughCategory(id) }: Walk,
) {
  const { people } = telegram;
  people.add({ id, first_name: `Человек ${id}` });
  let seen: Message[] = [];
  let changedAt = 0;
  const stop = telegram.subscribe((change) => {
    if (change.type !== 'message' || change.chat_id !== id) return;
    seen = people.messages(id).filter(({ from }) => from?.is_bot);
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
    const said = (words: string) => seen.some(({ text }) => text?.includes(words));
    if (said('Статья опубликована') || said('Черновик сохранён')) return 'published';
    if (said('Статья не получилась') && said('Вернулось')) return 'refunded';
    if (!said('могла опубликоваться')) return null;
    doubted = true;
    return habits.looksAtSite && isOnSite() ? 'unknown' : null;
  }

  /** False: there is nothing to do but wait. */
  async function act(): Promise<boolean> {
    const newest = seen.at(-1);
    if (!newest) return false;
    if (isWorking(newest)) begun = true;
    if (leavesWhile && newest.text?.includes(leavesWhile === 'writing' ? 'Пишу статью' : 'Публикую')) {
      leavesWhile = null;
      people.start(id);
      trail.push('/start');
      return true;
    }
    const label = labelOn(newest);
    if (label !== undefined) return press(newest, label);
    if (begun) {
      const told = seen.findLast((message) => has(message, 'Открыть'));
      return told !== undefined && press(told, 'Открыть');
    }
    return takeStep(newest);
  }

  /** Of the offer and of the draft. */
  function labelOn(newest: Message): string | undefined {
    const draft = 'Сохранить черновиком в WordPress';
    if (habits.savesDraft && has(newest, draft)) return draft;
    if (has(newest, 'Опубликовать ещё раз')) return 'Опубликовать ещё раз';
    if (has(newest, 'Отмена — вернуть токены')) return 'Опубликовать';
    // Also when it was pressed already: the question stands there again, and a person who reads from below answers it.
    if (has(newest, 'Создать статью')) return 'Создать статью';
    return undefined;
  }

  async function takeStep(newest: Message): Promise<boolean> {
    for (const step of way) {
      if (step.at && !step.at.test(newest.text ?? '')) continue;
      if ('says' in step) return say(newest, step.says);
      const label = labelsOf(newest).find((each) => matches(each, step.presses));
      if (label !== undefined) return press(newest, label);
    }
    return false;
  }

  /** An answer is never given twice to the same question: by then it might answer the next one. */
  async function say(newest: Message, words: string): Promise<boolean> {
    const question = `${newest.message_id} ${newest.text}`;
    if (answered.has(question)) return false;
    await delay(random.between(20, 250));
    if (seen.at(-1) !== newest) return true;
    answered.add(question);
    trail.push(`“${words}”`);
    people.say(id, words);
    return true;
  }

  async function press({ message_id: messageId, text }: Message, label: string): Promise<boolean> {
    const last = pressed.get(`${label} ${text}`);
    if (last && !isTimeFor(last, messageId)) return false;
    await delay(random.between(20, 250));
    const current = seen.find(({ message_id }) => message_id === messageId);
    const data = dataOf(current, label);
    if (data === undefined) return true; // it has changed under the finger
    pressed.set(`${label} ${text}`, { messageId, at: Date.now() });
    trail.push(label);
    people.press(id, messageId, data);
    if (habits.isNervous && !last && costly.includes(label)) people.press(id, messageId, data);
    return true;
  }

  /** To press the same words once more. */
  function isTimeFor(last: { messageId: number; at: number }, messageId: number): boolean {
    if (last.messageId === messageId) return Date.now() - last.at > PRESS_AGAIN_MS;
    return Date.now() - changedAt > LOOK_AGAIN_MS;
  }

  function describe(): string {
    const newest = seen.slice(-3).map(({ text }) => JSON.stringify(text));
    return `did ${trail.join(', ')}; sees ${newest.join(' | ')}`;
  }
}

const isWorking = ({ text }: Message): boolean =>
  /Пишу статью|Публикую|Сохраняю черновиком/u.test(text ?? '');

const labelsOf = (message: Message): string[] =>
  (message.reply_markup?.inline_keyboard.flat() ?? []).map(({ text }) => text);

const matches = (label: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? label === wanted : wanted.test(label);

function dataOf(message: Message | undefined, label: string): string | undefined {
  const buttons = message?.reply_markup?.inline_keyboard.flat() ?? [];
  return buttons.find(({ text }) => text === label)?.callback_data;
}

const has = (message: Message, label: string): boolean => dataOf(message, label) !== undefined;
