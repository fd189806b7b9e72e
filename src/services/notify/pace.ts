import { setTimeout as delay } from 'node:timers/promises';

export type Pace = ReturnType<typeof createPace>;

// Telegram takes about 30 messages a second from a bot and one a second in a chat. A third is left for people's own screens.
const PER_SECOND = 20;
const CHAT_GAP_MS = 1_000;

/** Spaces pushes out, in this process; what the messenger asks to wait holds for all of them. */
export function createPace({
  perSecond = PER_SECOND,
  chatGapMs = CHAT_GAP_MS,
  now = Date.now,
  wait = sleep,
} = {}) {
  const lastTo = new Map<number, number>();
  let next = 0;
  return { turn, rest };

  /** Resolves when this person may be written to. */
  async function turn(userId: number): Promise<void> {
    forgetOld();
    const free = Math.max(now(), next);
    const at = Math.max(free, (lastTo.get(userId) ?? Number.NEGATIVE_INFINITY) + chatGapMs);
    // Counted from `free`: one chat that has to wait does not hold back all others.
    next = free + 1000 / perSecond;
    lastTo.set(userId, at);
    if (at > now()) await wait(at - now());
  }

  function rest(ms: number): void {
    next = Math.max(next, now() + ms);
  }

  function forgetOld(): void {
    for (const [userId, at] of lastTo) if (at + chatGapMs <= now()) lastTo.delete(userId);
  }
}

const sleep = (ms: number): Promise<void> => delay(ms);
