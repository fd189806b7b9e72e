import type { KeyValueStore } from '../engine/key-value-store.ts';
import { RateLimited } from '../errors.ts';

const HOUR = 60 * 60;

/** How much of what one person may do in which time; `told` is how the refusal says it. */
export const rateLimits = {
  text_generation: { max: 10, seconds: HOUR, told: 'не больше 10 текстов в час' },
  image_generation: { max: 20, seconds: HOUR, told: 'не больше 20 изображений в час' },
  keyword_generation: { max: 5, seconds: HOUR, told: 'не больше 5 подборов фраз в час' },
  token_purchase: { max: 5, seconds: 10 * 60, told: 'не больше 5 покупок за 10 минут' },
  platform_connection: { max: 10, seconds: HOUR, told: 'не больше 10 подключений в час' },
} as const satisfies Record<string, { max: number; seconds: number; told: string }>;

export type LimitedAction = keyof typeof rateLimits;
export type RateLimits = ReturnType<typeof makeRateLimits>;

/** Asked once per action of a person, before anything is charged or any model called, however many calls it makes. */
export function makeRateLimits(store: Pick<KeyValueStore, 'increment'>) {
  return { take, giveBack };

  /** All slots or none: throws `RateLimited` with the time left, and a refused action does not count (E25). */
  async function take(action: LimitedAction, userId: number, slots = 1): Promise<void> {
    if (slots === 0) return;
    const { max, seconds, told } = rateLimits[action];
    const { count, ttlSeconds } = await store.increment(keyOf(action, userId), slots, seconds);
    if (count <= max) return;
    await giveBack(action, userId, slots);
    throw new RateLimited(action, told, Math.ceil(ttlSeconds));
  }

  /** For an action that another limit refused: work that failed still counts. */
  async function giveBack(action: LimitedAction, userId: number, slots = 1): Promise<void> {
    await store.increment(keyOf(action, userId), -slots, rateLimits[action].seconds);
  }
}

const keyOf = (action: LimitedAction, userId: number): string => `rate:${userId}:${action}`;
