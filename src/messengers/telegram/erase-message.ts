import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { InlineKeyboardMarkup, Message } from 'grammy/types';
import type { Log } from '../../log.ts';
import { type ApiFault, faultOf } from './api-fault.ts';

// Nothing else will remove it: worth more retries than a screen.
const PAUSES_MS = [500, 3_000, 15_000, 60_000];
const passing: readonly ApiFault['kind'][] = ['wait', 'unreached', 'unknown'];

/** Removes a message with a secret. Removing it twice does no harm, so doubt means: again. Never rejects. */
export const makeEraseMessage =
  (api: Api, log: Log, { pausesMs = PAUSES_MS } = {}) =>
  ({ chat, message_id }: Message): Promise<void> =>
    persistently(
      () => api.deleteMessage(chat.id, message_id),
      pausesMs,
      (error) => log.warn({ err: error }, 'a message with a secret stays in the chat'),
    );

/** Takes the buttons off a screen that is past. Never rejects: a press on one that stays is answered as stale. */
export const makeClearAway = (api: Api, log: Log, { pausesMs = PAUSES_MS } = {}) => ({
  keyboard: (chatId: number, messageId: number, reply_markup: InlineKeyboardMarkup): Promise<void> =>
    persistently(
      () => api.editMessageReplyMarkup(chatId, messageId, { reply_markup }),
      pausesMs,
      (error) => log.debug({ err: error }, 'the buttons of a past screen stay'),
    ),
});

async function persistently(
  call: () => Promise<unknown>,
  pausesMs: readonly number[],
  giveUp: (error: unknown) => void,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await call();
      return;
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind === 'unchanged') return;
      const pause = pausesMs[attempt];
      if (pause === undefined || !passing.includes(fault.kind)) return giveUp(error);
      await delay(fault.kind === 'wait' ? Math.max(pause, fault.ms) : pause, undefined, { ref: false });
    }
  }
}
