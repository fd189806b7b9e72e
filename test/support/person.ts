import type { SentFile } from '../../src/sandbox/telegram/call-params.ts';
import type { NewPerson } from '../../src/sandbox/telegram/people.ts';
import type { TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import type { InlineButton, Message } from '../../src/sandbox/telegram/wire.ts';
import { patience } from './patience.ts';

export type ScriptedPerson = ReturnType<typeof scriptedPerson>;

type Wait = { timeoutMs?: number };

// Longer than anything takes on a machine that is busy with other suites.
const TIMEOUT_MS = patience(30_000);

/**
 * A person in a test. They look at what the bot has sent or edited since they last did something, so that an old
 * message with the same words does not pass for an answer.
 */
export function scriptedPerson(telegram: TelegramStandIn, who: NewPerson | number = { first_name: 'Тест' }) {
  const id = typeof who === 'number' ? telegram.people.get(who).id : telegram.people.add(who).id;
  const { people } = telegram;
  let fresh = new Set<number>();
  const texts = new Map<number, string>();
  let lastToast: string | null = null;
  telegram.subscribe((change) => {
    if (!('chat_id' in change) || change.chat_id !== id) return;
    if (change.type === 'message' && change.what !== 'deleted') look(change.message_id);
    if (change.type === 'answer') lastToast = change.answer.text ?? null;
  });
  return {
    id,
    says,
    presses,
    forges,
    dataOf,
    uploads,
    sees,
    seesToast,
    toast,
    screen,
    messages,
    keyboard,
    labels,
  };

  /** That the buttons of an answered question go is no answer to what the person has done since. */
  function look(messageId: number): void {
    const message = messages().findLast(({ message_id }) => message_id === messageId);
    if (!message) return;
    const isSame = texts.get(messageId) === textOf(message);
    texts.set(messageId, textOf(message));
    if (!isSame || isPressable(message)) fresh.add(messageId);
  }

  function says(
    text: string,
    typed: { formatted?: boolean } = {},
  ): { update_id: number; message_id: number } {
    forget();
    return people.say(id, text, typed);
  }

  /** Presses the newest button so labelled (a part of the label will do) and waits until the press is answered. */
  async function presses(
    label: string | RegExp,
    { timeoutMs = TIMEOUT_MS }: Wait = {},
  ): Promise<string | null> {
    const { message, button } = await until(
      () => findButton(label),
      timeoutMs,
      () => `no button ${label} in time; ${describe()}`,
    );
    if (button.callback_data === undefined) throw new Error(`Button "${button.text}" opens ${button.url}`);
    forget();
    const answer = await people.press(id, message.message_id, button.callback_data).answer(timeoutMs);
    if (!answer)
      throw new Error(`The press of "${button.text}" was not answered in ${timeoutMs} ms; ${describe()}`);
    return answer.text ?? null;
  }

  /** A press with data that no button carries, or on a message that is gone. */
  async function forges(
    data: string,
    messageId = screen()?.message_id ?? 1,
    { timeoutMs = TIMEOUT_MS }: Wait = {},
  ) {
    forget();
    return people.press(id, messageId, data, { forge: true }).answer(timeoutMs);
  }

  /** What the newest button so labelled carries, to be pressed later. */
  function dataOf(label: string | RegExp): string {
    const data = findButton(label)?.button.callback_data;
    if (data === undefined) throw new Error(`no button ${label}; ${describe()}`);
    return data;
  }

  function uploads(
    name: string,
    bytes: Buffer | string,
    mime: SentFile['mime'] = 'application/octet-stream',
  ) {
    forget();
    return people.document(id, { name, mime, bytes: Buffer.from(bytes as string) });
  }

  /**
   * Waits for a message of the bot with these words, sent or edited since the person's last deed. `pressable` leaves out
   * those whose buttons were taken off: that is an edit, too.
   */
  function sees(
    words: RegExp | string,
    { timeoutMs = TIMEOUT_MS, pressable = false }: Wait & { pressable?: boolean } = {},
  ): Promise<Message> {
    const matches = (message: Message) => {
      const text = textOf(message);
      if (pressable && !isPressable(message)) return false;
      return typeof words === 'string' ? text.includes(words) : words.test(text);
    };
    return until(
      () => fromBot().findLast((message) => fresh.has(message.message_id) && matches(message)) ?? null,
      timeoutMs,
      () => `did not see ${words}; ${describe()}`,
    );
  }

  function seesToast(words: RegExp, { timeoutMs = TIMEOUT_MS }: Wait = {}): Promise<string> {
    return until(
      () => (lastToast !== null && words.test(lastToast) ? lastToast : null),
      timeoutMs,
      () => `no toast ${words}, the last one was ${JSON.stringify(lastToast)}`,
    );
  }

  /** What the bot's answer to the last press said, null when it was a silent one. */
  function toast(): string | null {
    return lastToast;
  }

  /** The newest message of the bot that has buttons. */
  function screen(): Message | null {
    return fromBot().findLast(({ reply_markup }) => reply_markup !== undefined) ?? null;
  }

  function labels(message: Message | null = screen()): string[] {
    return message?.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? [];
  }

  function messages(): Message[] {
    return people.messages(id);
  }

  function keyboard(): string[][] {
    return people.keyboard(id)?.keyboard.map((row) => row.map(({ text }) => text)) ?? [];
  }

  function forget(): void {
    fresh = new Set();
    lastToast = null;
  }

  function fromBot(): Message[] {
    return messages().filter(({ from }) => from?.is_bot);
  }

  function findButton(label: string | RegExp): { message: Message; button: InlineButton } | null {
    const fits = (text: string) => (typeof label === 'string' ? text === label : label.test(text));
    const almost = (text: string) => typeof label === 'string' && text.includes(label);
    for (const test of [fits, almost]) {
      for (const message of fromBot().reverse()) {
        const button = message.reply_markup?.inline_keyboard.flat().find(({ text }) => test(text));
        if (button) return { message, button };
      }
    }
    return null;
  }

  function until<T>(look: () => T | null, timeoutMs: number, complaint: () => string): Promise<T> {
    const now = look();
    if (now !== null) return Promise.resolve(now);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        unsubscribe();
        reject(new Error(complaint()));
      }, timeoutMs);
      const unsubscribe = telegram.subscribe((change) => {
        if ('chat_id' in change && change.chat_id !== id) return; // events of other chats change nothing here
        const seen = look();
        if (seen === null) return;
        clearTimeout(timer);
        unsubscribe();
        resolve(seen);
      });
    });
  }

  function describe(): string {
    const last = fromBot()
      .slice(-3)
      .map((message) => {
        const seen = `${fresh.has(message.message_id) ? 'new' : 'old'} ${JSON.stringify(textOf(message).slice(0, 300))}`;
        return `${seen} [${labels(message).join('] [')}]`;
      });
    return `the last messages of the bot: ${last.join(' | ') || 'none'}`;
  }
}

const isPressable = ({ reply_markup }: Message): boolean =>
  reply_markup?.inline_keyboard.flat().some(({ callback_data }) => callback_data !== undefined) ?? false;
const textOf = ({ text, caption }: Message) => text ?? caption ?? '';
