import { randomUUID } from 'node:crypto';
import { Bot, BotError, type Context } from 'grammy';
import type { CallbackQuery, Update } from 'grammy/types';
import { leanClient } from '../clients/lean-fetch.ts';
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
// Longer than a long poll. grammY would wait for 500: so long a bot behind a wire that died without a word hears nothing.
const SILENCE_SECONDS = 40;
/** Telegram refuses a longer toast, and the person would see none. */
const MOST_TOAST = 200;

/** A thin adapter: whatever a person does becomes an event. Resolves when the event is durably applied. */
export function createBot(
  token: string,
  {
    apiRoot,
    engine,
    presenter,
    decode,
    log,
    silenceSeconds = SILENCE_SECONDS,
  }: {
    apiRoot: string;
    engine: Engine;
    presenter: Presenter;
    decode: (data: string) => Link | null;
    log: Log;
    silenceSeconds?: number;
  },
) {
  const bot = new Bot(token, { client: { ...leanClient, apiRoot, timeoutSeconds: silenceSeconds } });
  const apologies = createApologies(presenter);

  // One step for all of them: behind filters of different depth, a press would overtake the text that came before it.
  bot.use((ctx) => {
    if (ctx.callbackQuery) return pressed(ctx, ctx.callbackQuery);
    const action = ctx.message?.chat.type === 'private' ? messageToAction(ctx.message) : null;
    if (action) return dispatch(ctx, action, { acknowledge: () => false, erase: () => erase(ctx) });
    const kind = Object.keys(ctx.update).find((key) => key !== 'update_id');
    log.info({ update: ctx.update.update_id, kind }, 'update ignored');
  });
  return { bot, handleUpdate };

  async function handleUpdate(update: Update): Promise<void> {
    try {
      // Telegram knows our address from the last process and may be faster than our introduction.
      await bot.init();
      await bot.handleUpdate(update);
    } catch (error) {
      throw error instanceof BotError ? error.error : error;
    }
  }

  function pressed(ctx: Context, query: CallbackQuery): Promise<void> | void {
    const chat = query.message?.chat;
    const acknowledge = acknowledger(ctx);
    if (!chat || chat.type === 'private')
      return dispatch(ctx, pressToAction(query, decode), { acknowledge, erase: () => undefined });
    acknowledge();
  }

  async function dispatch(
    ctx: Context,
    action: Action,
    reactions: Pick<Incoming, 'acknowledge' | 'erase'>,
  ): Promise<void> {
    const from = ctx.from;
    if (!from || from.is_bot || !Number.isSafeInteger(from.id)) return;
    const updateId = ctx.update.update_id;
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

  function erase(ctx: Context): void {
    ctx
      .deleteMessage()
      .catch((error) => log.warn({ err: error }, 'a message with a secret stays in the chat'));
  }

  function acknowledger(ctx: Context): Incoming['acknowledge'] {
    let given = false;
    const timer = setTimeout(acknowledge, ACKNOWLEDGE_WITHIN_MS);
    return acknowledge;

    function acknowledge(toast?: string): boolean {
      if (given) return false;
      given = true;
      clearTimeout(timer);
      ctx
        .answerCallbackQuery(toast ? { text: shortened(toast) } : {})
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
