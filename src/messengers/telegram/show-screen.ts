import { setTimeout as delay } from 'node:timers/promises';
import { type Api, InputFile } from 'grammy';
import type { InlineKeyboardButton, InlineKeyboardMarkup, ReplyKeyboardMarkup } from 'grammy/types';
import { NobodyThere, type Presenter, ShowLater, type ShowRequest } from '../../engine/presenter.ts';
import type { Log } from '../../log.ts';
import { type Button, type Keyboard, paragraphs, type Screen } from '../../screens/kit/screen.ts';
import { type ApiFault, faultOf } from './api-fault.ts';
import { encodeLink } from './callback-data.ts';
import { toHtml } from './to-html.ts';

const MOST_LABEL = 60;
// Longer waits are not sat out under the person's lock: the engine shows the screen again when they are over.
const LONGEST_WAIT_MS = 2_000;
const PAUSES_MS = [150, 500];

/** Shows screens in Telegram: edits or sends, within Telegram's limits, and never sends twice on a guess. */
export function createPresenter(api: Api, log: Log): Presenter {
  return { show };

  async function show({
    userId,
    screen,
    notice,
    replace,
    discard,
  }: ShowRequest): Promise<{ messageId: number }> {
    const text = toHtml(paragraphs(notice, screen.text));
    const options = { ...html, reply_markup: inlineKeyboard(screen.keyboard) };
    if (replace !== null && (await edited(userId, replace, text, options))) {
      if (screen.file) await sendFile(userId, screen.file);
      return { messageId: replace };
    }
    if (screen.greeting) {
      const { text: greeting, replyKeyboard } = screen.greeting;
      await sent(() =>
        api.sendMessage(userId, toHtml(greeting), { ...html, reply_markup: replyMarkup(replyKeyboard) }),
      );
    }
    const message = await sent(() => api.sendMessage(userId, text, options));
    if (screen.file) await sendFile(userId, screen.file);
    if (discard !== undefined) await removed(userId, discard);
    return { messageId: message.message_id };
  }

  /** False when the message can no longer be edited. Editing twice does no harm, so doubt means: again. */
  async function edited(
    chatId: number,
    messageId: number,
    text: string,
    options: MessageOptions,
  ): Promise<boolean> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await api.editMessageText(chatId, messageId, text, options);
        return true;
      } catch (error) {
        const fault = faultOf(error);
        if (fault.kind === 'unchanged') return true;
        if (fault.kind === 'uneditable') return false;
        if (fault.kind === 'refused') throw error;
        await pauseOrGiveUp(fault, attempt, error, ['wait', 'unreached', 'unknown']);
      }
    }
  }

  /** A send whose answer was lost is not repeated here: the person may have the message already. */
  async function sent<Result>(call: () => Promise<Result>): Promise<Result> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        const fault = faultOf(error);
        if (fault.kind === 'refused') throw error;
        await pauseOrGiveUp(fault, attempt, error, ['wait', 'unreached']);
      }
    }
  }

  async function sendFile(chatId: number, { name, content }: NonNullable<Screen['file']>): Promise<void> {
    await sent(() => api.sendDocument(chatId, new InputFile(Buffer.from(content), name)));
  }

  async function removed(chatId: number, messageId: number): Promise<void> {
    try {
      await api.deleteMessage(chatId, messageId);
    } catch (error) {
      log.debug({ err: error }, 'an obsolete message stays');
    }
  }
}

async function pauseOrGiveUp(
  fault: ApiFault,
  attempt: number,
  error: unknown,
  repeatable: readonly ApiFault['kind'][],
): Promise<void> {
  if (fault.kind === 'nobody') throw new NobodyThere('the chat is closed to the bot', { cause: error });
  const pause = fault.kind === 'wait' ? fault.ms : PAUSES_MS[attempt];
  const worthIt = repeatable.includes(fault.kind) && attempt < PAUSES_MS.length;
  if (!worthIt || pause === undefined || pause > LONGEST_WAIT_MS) {
    throw new ShowLater(fault.kind === 'wait' ? fault.ms : null, { cause: error });
  }
  await delay(pause);
}

const html = { parse_mode: 'HTML', link_preview_options: { is_disabled: true } } as const;
type MessageOptions = typeof html & { reply_markup: InlineKeyboardMarkup };

function inlineKeyboard(keyboard: Keyboard): InlineKeyboardMarkup {
  return { inline_keyboard: keyboard.map((row) => row.map(inlineButton)) };
}

function inlineButton(button: Button): InlineKeyboardButton {
  const look = { text: shortened(button.label), ...(button.style && { style: button.style }) };
  return 'url' in button ? { ...look, url: button.url } : { ...look, callback_data: encodeLink(button.link) };
}

function shortened(label: string): string {
  if (label.length <= MOST_LABEL) return label;
  const characters = [...label];
  return characters.length <= MOST_LABEL ? label : `${characters.slice(0, MOST_LABEL - 1).join('')}…`;
}

function replyMarkup(rows: readonly (readonly string[])[]): ReplyKeyboardMarkup {
  const keyboard = rows.map((row) => row.map((text) => ({ text })));
  return { keyboard, is_persistent: true, resize_keyboard: true };
}
