import type { KeyValueStore } from '../../engine/key-value-store.ts';
import { RateLimited } from '../../errors.ts';

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
export type Slots = Partial<Record<LimitedAction, number>>;
export type RateLimits = ReturnType<typeof makeRateLimits>;

/** As long as somebody may take the work over. */
const RESERVED_SECONDS = 24 * HOUR;

type Store = Pick<KeyValueStore, 'increment' | 'setIfAbsent' | 'take' | 'delete'>;

/** Asked once per action of a person, before anything is charged or any model called, however many calls it makes. */
export function makeRateLimits(store: Store) {
  return { take, reserve, settle };

  /** All slots or none: throws `RateLimited` with the time left, and a refused action does not count (E25). */
  async function take(action: LimitedAction, userId: number, slots = 1): Promise<void> {
    if (slots === 0) return;
    const { max, seconds, told } = rateLimits[action];
    const { count, ttlSeconds } = await store.increment(keyOf(action, userId), slots, seconds);
    if (count <= max) return;
    await giveBack(action, userId, slots);
    throw new RateLimited(action, told, Math.ceil(ttlSeconds));
  }

  /** Slots of several limits, all or none, and once per key: whoever comes with the same one again has them already. */
  async function reserve(key: string, userId: number, slots: Slots): Promise<void> {
    const isFirst = await store.setIfAbsent(reservationOf(key), JSON.stringify(slots), RESERVED_SECONDS);
    if (!isFirst) return;
    const taken: [LimitedAction, number][] = [];
    try {
      for (const [action, count] of entriesOf(slots)) {
        await take(action, userId, count);
        taken.push([action, count]);
      }
    } catch (error) {
      await store.delete(reservationOf(key));
      for (const [action, count] of taken) await giveBack(action, userId, count);
      throw error;
    }
  }

  /** Of what was reserved under the key, only what was used goes on counting. Told twice, it gives back once. */
  async function settle(key: string, userId: number, used: Slots): Promise<void> {
    const reserved = await store.take(reservationOf(key));
    if (reserved === null) return;
    for (const [action, count] of entriesOf(JSON.parse(reserved) as Slots))
      await giveBack(action, userId, count - (used[action] ?? 0));
  }

  async function giveBack(action: LimitedAction, userId: number, slots: number): Promise<void> {
    if (slots > 0) await store.increment(keyOf(action, userId), -slots, rateLimits[action].seconds);
  }
}

const keyOf = (action: LimitedAction, userId: number): string => `rate:${userId}:${action}`;
const reservationOf = (key: string): string => `rate-slots:${key}`;
const entriesOf = (slots: Slots) => Object.entries(slots) as [LimitedAction, number][];
