import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { Message } from 'grammy/types';
import type { Log } from '../../log.ts';
import { type ApiFault, faultOf } from './api-fault.ts';

// Nobody else will remove it: worth more patience than a screen.
const PAUSES_MS = [500, 3_000, 15_000, 60_000];
const passing: readonly ApiFault['kind'][] = ['wait', 'unreached', 'unknown'];

/** Removes a message with a secret. Removing it twice does no harm, so doubt means: again. Never rejects. */
export const makeEraseMessage =
  (api: Api, log: Log, { pausesMs = PAUSES_MS } = {}) =>
  async ({ chat, message_id }: Message): Promise<void> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await api.deleteMessage(chat.id, message_id);
        return;
      } catch (error) {
        const fault = faultOf(error);
        if (fault.kind === 'unchanged') return;
        const pause = pausesMs[attempt];
        if (pause === undefined || !passing.includes(fault.kind)) {
          log.warn({ err: error }, 'a message with a secret stays in the chat');
          return;
        }
        await delay(fault.kind === 'wait' ? Math.max(pause, fault.ms) : pause, undefined, { ref: false });
      }
    }
  };
