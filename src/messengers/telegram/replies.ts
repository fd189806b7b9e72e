import type { InlineKeyboardMarkup } from 'grammy/types';

/** A call that travels with the answer to a webhook, as the Bot API allows: one request fewer. */
export type Reply =
  | { method: 'answerCallbackQuery'; callback_query_id: string; text?: string }
  | {
      method: 'editMessageReplyMarkup';
      chat_id: number;
      message_id: number;
      reply_markup: InlineKeyboardMarkup;
    };

type Slot = { passenger: Passenger | null };
/** `alone` makes the call without the answer, should there be none. */
type Passenger = { reply: Reply; alone(): void };

export type Replies = ReturnType<typeof createReplies>;

/**
 * Answers to webhooks that are still to be given, by chat. Telegram does not tell what became of a call in an answer, so
 * only those may travel there whose loss does no harm.
 */
export function createReplies() {
  const open = new Map<number, Set<Slot>>();
  return { board, during };

  /** False: no answer to this chat is on its way, or it carries a call already. */
  function board(chatId: number, passenger: Passenger): boolean {
    for (const slot of open.get(chatId) ?? []) {
      if (slot.passenger) continue;
      slot.passenger = passenger;
      return true;
    }
    return false;
  }

  /** Handles an update whose answer can carry a call. A refusal carries none. */
  async function during(chatId: number, handle: () => Promise<void>): Promise<Reply | null> {
    const slot: Slot = { passenger: null };
    const slots = open.get(chatId) ?? new Set();
    open.set(chatId, slots.add(slot));
    try {
      await handle();
      return slot.passenger?.reply ?? null;
    } catch (error) {
      slot.passenger?.alone();
      throw error;
    } finally {
      slots.delete(slot);
      if (slots.size === 0) open.delete(chatId);
    }
  }
}
