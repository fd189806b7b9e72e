import { setTimeout as delay } from 'node:timers/promises';

export type Pace<Chat = number> = ReturnType<typeof createPace<Chat>>;

// Telegram takes about 30 messages a second from a bot and one a second in a chat. A third is left for people's own screens.
const PER_SECOND = 20;
const CHAT_GAP_MS = 1_000;

/** Spaces one bot's messages out, in this process; what the messenger asks to wait holds for all of them. */
export function createPace<Chat = number>({
  perSecond = PER_SECOND,
  chatGapMs = CHAT_GAP_MS,
  now = Date.now,
  wait = sleep,
} = {}) {
  const lastTo = new Map<Chat, number>();
  let next = 0;
  return { turn, rest, aheadMs };

  /** Resolves when this chat may be written to; rejects when the caller leaves before that. */
  async function turn(chat: Chat, signal?: AbortSignal): Promise<void> {
    forgetOld();
    const free = Math.max(now(), next);
    const at = Math.max(free, (lastTo.get(chat) ?? Number.NEGATIVE_INFINITY) + chatGapMs);
    // Counted from `free`: one chat that has to wait does not hold back all others.
    next = free + 1000 / perSecond;
    lastTo.set(chat, at);
    if (at > now()) await wait(at - now(), signal);
  }

  /** How long a message that asks now would wait for the bot's turn. */
  function aheadMs(): number {
    return Math.max(0, next - now());
  }

  function rest(ms: number): void {
    next = Math.max(next, now() + ms);
  }

  function forgetOld(): void {
    for (const [chat, at] of lastTo) if (at + chatGapMs <= now()) lastTo.delete(chat);
  }
}

const sleep = (ms: number, signal?: AbortSignal): Promise<void> => delay(ms, undefined, signal && { signal });
