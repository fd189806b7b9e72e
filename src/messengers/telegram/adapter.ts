import { randomUUID } from 'node:crypto';
import type { Api } from 'grammy';
import type { CallbackQuery, Update, User } from 'grammy/types';
import type { Engine } from '../../engine/engine.ts';
import type { Happenings } from '../../engine/happenings.ts';
import type { Action, Incoming } from '../../engine/incoming.ts';
import { NotApplied, StoreAway } from '../../engine/not-applied.ts';
import { type Presenter, ShowLater } from '../../engine/presenter.ts';
import type { Log } from '../../log.ts';
import type { Link } from '../../screens/kit/link.ts';
import { createAcknowledgement } from './acknowledgement.ts';
import { createApologies } from './apologies.ts';
import { makeEraseMessage } from './erase-message.ts';
import { createReplies, type Replies, type Reply } from './replies.ts';
import { createReporter } from './report.ts';
import { clean, messageToAction, pressToAction } from './to-event.ts';

export const updateTypes = [
  'message',
  'callback_query',
  'pre_checkout_query',
  'my_chat_member',
  'subscription',
] as const;

/**
 * A thin adapter: whatever a person does becomes an event. Resolves when the event is durably applied. One step for all
 * updates, not grammY's middleware: behind filters of different depth, a press would overtake the text that came before.
 */
export function createAdapter({
  api,
  engine,
  presenter,
  personOf = (id) => id,
  replies = createReplies(),
  decode,
  happenings,
  isFirstToTell,
  now,
  updateTaken = () => {},
  log,
}: {
  api: Api;
  engine: Engine;
  presenter: Presenter;
  /** Our id of a person whom Telegram knows by this one; null for none. */
  personOf?: (telegramId: number) => number | null;
  /** Shared with the presenter, which may have a call for the answer to a webhook. */
  replies?: Replies;
  decode: (data: string) => Link | null;
  happenings: Happenings;
  /** Whether this process, of all that share the stores, tells the person of an outage. */
  isFirstToTell?: (userId: number) => Promise<boolean>;
  now?: () => number;
  updateTaken?: (kind: string, outcome: 'applied' | 'failed' | 'later', seconds: number) => void;
  log: Log;
}) {
  const apologies = createApologies(presenter, isFirstToTell, now);
  const eraseMessage = makeEraseMessage(api, log);
  const report = createReporter(api, happenings, log);
  return handleUpdate;

  /** `takesReply`: the update came by webhook, whose answer can carry one call. */
  async function handleUpdate(update: Update, { takesReply = false } = {}): Promise<Reply | null> {
    let reported: Promise<void> | null = null;
    try {
      if (update.callback_query) return await pressed(update.update_id, update.callback_query, takesReply);
      reported = report(update);
      if (!reported) return await heard(update, takesReply);
    } catch (error) {
      // Mistakes behind the engine are apologised for below. Only reading an update that has not the form Telegram
      // promises fails like this, and bringing it again would not change it.
      if (!(error instanceof TypeError)) throw error;
      log.warn({ err: error, update: update.update_id }, 'update not understood');
    }
    // Outside of the above: a mistake in a handler must not lose a payment.
    await reported;
    return null;
  }

  async function heard(update: Update, takesReply: boolean): Promise<Reply | null> {
    const { update_id: updateId, message } = update;
    const action = message?.chat.type === 'private' ? messageToAction(message) : null;
    if (message && action) {
      const handle = () =>
        dispatch(updateId, message.from, action, {
          acknowledge: nothingToAcknowledge,
          erase() {
            void eraseMessage(message);
          },
        });
      if (takesReply) return replies.during(message.chat.id, handle);
      await handle();
      return null;
    }
    const kind = Object.keys(update).find((key) => key !== 'update_id');
    log.debug({ update: updateId, kind }, 'update ignored'); // in a busy group, every message is one
    return null;
  }

  async function pressed(updateId: number, query: CallbackQuery, takesReply: boolean): Promise<Reply | null> {
    const { acknowledge, send, reply } = createAcknowledgement(api, log, query, takesReply);
    const isPrivate = (query.message?.chat.type ?? 'private') === 'private';
    try {
      if (isPrivate) {
        const action = pressToAction(query, decode);
        await dispatch(updateId, query.from, action, { acknowledge, erase: nothingToErase });
      }
      return reply();
    } catch (error) {
      send(); // the answer to the webhook is a refusal, and carries nothing
      throw error;
    }
  }

  async function dispatch(
    updateId: number,
    from: User | undefined,
    action: Action,
    reactions: Pick<Incoming, 'acknowledge' | 'erase'>,
  ): Promise<void> {
    const userId = from && !from.is_bot ? personOf(from.id) : null;
    if (!from || userId === null || !Number.isSafeInteger(userId)) return;
    const its = log.child({ correlation: randomUUID(), update: updateId, user: userId });
    const started = performance.now();
    const person = {
      username: from.username ?? null,
      firstName: clean(from.first_name ?? '') || null,
      lastName: clean(from.last_name ?? '') || null,
    };
    try {
      await engine.handle({ updateId, userId, person, action, log: its, ...reactions });
      updateTaken(action.kind, 'applied', (performance.now() - started) / 1000);
      apologies.allIsWell(userId);
      its.debug({ kind: action.kind, ms: Math.round(performance.now() - started) }, 'update handled');
    } catch (error) {
      const isLater = error instanceof NotApplied;
      updateTaken(action.kind, isLater ? 'later' : 'failed', (performance.now() - started) / 1000);
      if (isLater) {
        if (error instanceof StoreAway) await tellOfOutage(userId, its);
        throw error; // Telegram brings the update again
      }
      its.error({ err: error }, 'an update failed');
      reactions.acknowledge();
      await apologies.apologise(userId, action).catch((failure) => {
        if (failure instanceof ShowLater) throw failure;
        // Blocked, or unreachable for good: repeating the update would not help.
        its.warn({ err: failure }, 'an apology was not brought');
      });
    }
  }

  async function tellOfOutage(userId: number, its: Log): Promise<void> {
    await apologies
      .waiting(userId)
      .catch((error) => its.warn({ err: error }, 'a person was not told of an outage'));
  }
}

const nothingToAcknowledge = () => false;
const nothingToErase = () => undefined;
