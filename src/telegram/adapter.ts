import { randomUUID } from 'node:crypto';
import type { Api } from 'grammy';
import type { CallbackQuery, Message, Update, User } from 'grammy/types';
import { NotAdmitted } from '../engine/admission.ts';
import { type Engine, Stopping } from '../engine/engine.ts';
import type { Action, Incoming } from '../engine/incoming.ts';
import { type Presenter, ShowLater } from '../engine/presenter.ts';
import type { Log } from '../log.ts';
import type { Link } from '../screens/link.ts';
import { createApologies } from './apologies.ts';
import { clean, messageToAction, pressToAction } from './to-event.ts';

export const updateTypes = ['message', 'callback_query'] as const;

// The client's spinner should not outlast the person's patience, even while the session is busy elsewhere.
const ACKNOWLEDGE_WITHIN_MS = 1_000;
/** Telegram refuses a longer toast, and the person would see none. */
const MOST_TOAST = 200;

/**
 * A thin adapter: whatever a person does becomes an event. Resolves when the event is durably applied. One step for all
 * updates, not grammY's middleware: behind filters of different depth, a press would overtake the text that came before.
 */
export function createAdapter({
  api,
  engine,
  presenter,
  decode,
  log,
}: {
  api: Api;
  engine: Engine;
  presenter: Presenter;
  decode: (data: string) => Link | null;
  log: Log;
}) {
  const apologies = createApologies(presenter);
  return handleUpdate;

  async function handleUpdate(update: Update): Promise<void> {
    const { update_id: updateId, callback_query: query, message } = update;
    if (query) return pressed(updateId, query);
    const action = message?.chat.type === 'private' ? messageToAction(message) : null;
    if (message && action)
      return dispatch(updateId, message.from, action, {
        acknowledge: () => false,
        erase: () => erase(message),
      });
    const kind = Object.keys(update).find((key) => key !== 'update_id');
    log.info({ update: updateId, kind }, 'update ignored');
  }

  async function pressed(updateId: number, query: CallbackQuery): Promise<void> {
    const chat = query.message?.chat;
    const acknowledge = acknowledger(query);
    if (!chat || chat.type === 'private') {
      const action = pressToAction(query, decode);
      return dispatch(updateId, query.from, action, { acknowledge, erase: () => undefined });
    }
    acknowledge();
  }

  async function dispatch(
    updateId: number,
    from: User | undefined,
    action: Action,
    reactions: Pick<Incoming, 'acknowledge' | 'erase'>,
  ): Promise<void> {
    if (!from || from.is_bot || !Number.isSafeInteger(from.id)) return;
    const its = log.child({ correlation: randomUUID(), update: updateId, user: from.id });
    const started = performance.now();
    const person = {
      username: from.username ?? null,
      firstName: clean(from.first_name ?? '') || null,
      lastName: clean(from.last_name ?? '') || null,
    };
    try {
      await engine.handle({ updateId, userId: from.id, person, action, log: its, ...reactions });
      apologies.allIsWell(from.id);
      its.debug({ kind: action.kind, ms: Math.round(performance.now() - started) }, 'update handled');
    } catch (error) {
      // Not applied and nobody told: Telegram brings the update again.
      if (error instanceof Stopping || error instanceof NotAdmitted) throw error;
      its.error({ err: error }, 'an update failed');
      reactions.acknowledge();
      await apologies.apologise(from.id, action).catch((failure) => {
        if (failure instanceof ShowLater) throw failure;
        // Blocked, or not to be told at all: to bring the update again would help nobody.
        its.warn({ err: failure }, 'an apology was not brought');
      });
    }
  }

  function erase({ chat, message_id }: Message): void {
    api
      .deleteMessage(chat.id, message_id)
      .catch((error) => log.warn({ err: error }, 'a message with a secret stays in the chat'));
  }

  function acknowledger({ id }: CallbackQuery): Incoming['acknowledge'] {
    let given = false;
    const timer = setTimeout(acknowledge, ACKNOWLEDGE_WITHIN_MS);
    return acknowledge;

    function acknowledge(toast?: string): boolean {
      if (given) return false;
      given = true;
      clearTimeout(timer);
      api
        .answerCallbackQuery(id, toast ? { text: shortened(toast) } : {})
        .catch((error) => log.debug({ err: error }, 'a press was not acknowledged'));
      return true;
    }
  }
}

function shortened(toast: string): string {
  if (toast.length <= MOST_TOAST) return toast;
  const cut = toast.slice(0, MOST_TOAST - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
