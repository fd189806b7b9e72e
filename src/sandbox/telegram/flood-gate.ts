import { createRates, type RateLimits } from '../rates.ts';
import { ApiError } from './wire.ts';

export type FloodGate = ReturnType<typeof createFloodGate>;

/** Messages per bot and per chat, as often as Telegram takes them; more are told to wait. */
export function createFloodGate(limits: RateLimits, now: () => number) {
  const rates = createRates(limits, now);
  return { take };

  function take(token: string, chatId: unknown, method: string): void {
    if (!/^send(?!ChatAction)/iu.test(method)) return;
    const waitMs = rates.take(token, String(chatId));
    if (waitMs === null) return;
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new ApiError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
  }
}
