import type { Api } from 'grammy';
import type { CallbackQuery } from 'grammy/types';
import type { Log } from '../../log.ts';
import { edited } from './insist.ts';
import type { Reply } from './replies.ts';

type Call = Extract<Reply, { method: 'answerCallbackQuery' }>;

// The client's spinner should not outlast the person's patience, even while the session is busy elsewhere.
const ACKNOWLEDGE_WITHIN_MS = 1_000;
/** A blink: so long it may wait for the screen, to travel with it. */
const REPLY_WITHIN_MS = 200;
/** Telegram refuses a longer toast, and the person would see none. */
const MOST_TOAST = 200;

/** Ends the spinner of a press, once: by a call of its own, or by the reply to the webhook that has brought the press. */
export function createAcknowledgement(api: Api, log: Log, { id }: CallbackQuery, takesReply: boolean) {
  let call: Call | null = null;
  let isGone = false;
  let timer = setTimeout(acknowledge, ACKNOWLEDGE_WITHIN_MS);
  return { acknowledge, send, reply };

  /** False: it was acknowledged before, and this toast will not be seen. */
  function acknowledge(toast?: string): boolean {
    if (call) return false;
    call = { method: 'answerCallbackQuery', callback_query_id: id };
    if (toast) call.text = shortened(toast);
    clearTimeout(timer);
    if (takesReply) timer = setTimeout(send, REPLY_WITHIN_MS);
    else send();
    return true;
  }

  function send(): void {
    const due = take();
    if (!due) return;
    // Answering twice does no harm, so what may have been lost is tried again; a query that is too old stays unanswered.
    edited(() => api.answerCallbackQuery(id, due.text ? { text: due.text } : {})).catch((error) =>
      log.debug({ err: error }, 'a press was not acknowledged'),
    );
  }

  /** What the webhook's answer should carry; null when it has gone already. */
  function reply(): Call | null {
    acknowledge();
    return take();
  }

  function take(): Call | null {
    if (!call || isGone) return null;
    isGone = true;
    clearTimeout(timer);
    return call;
  }
}

function shortened(toast: string): string {
  if (toast.length <= MOST_TOAST) return toast;
  const cut = toast.slice(0, MOST_TOAST - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
