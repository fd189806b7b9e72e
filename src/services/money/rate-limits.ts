import type { KeyValueStore } from '../../engine/key-value-store.ts';
import { RateLimited } from '../../errors.ts';
import { plural } from '../../russian.ts';

const HOUR = 60 * 60;

/** «не чаще 1 раза», «не чаще 3 раз». */
const timesOf = (count: number): string => plural(count, 'раза', 'раз', 'раз');

/** How much of what one person may do in which time; `told` is how the refusal says it. */
export const rateLimits = {
  text_generation: { max: 10, seconds: HOUR, told: (max: number) => `не больше ${max} текстов в час` },
  image_generation: { max: 60, seconds: HOUR, told: (max: number) => `не больше ${max} картинок в час` },
  keyword_generation: {
    max: 5,
    seconds: HOUR,
    told: (max: number) => `не больше ${max} подборов фраз в час`,
  },
  site_audit: { max: 5, seconds: HOUR, told: (max: number) => `не больше ${max} аудитов в час` },
  site_refresh: {
    max: 1,
    seconds: 24 * HOUR,
    told: (max: number) => `данные сайта обновляются не чаще ${timesOf(max)} в сутки`,
  },
  site_reading: { max: 5, seconds: HOUR, told: (max: number) => `не больше ${max} чтений сайта в час` },
  voice_reading: {
    max: 3,
    seconds: 24 * HOUR,
    told: (max: number) => `голос компании читается не чаще ${timesOf(max)} в сутки`,
  },
  trainer_turn: { max: 60, seconds: HOUR, told: (max: number) => `не больше ${max} реплик в час` },
  token_purchase: {
    max: 5,
    seconds: 10 * 60,
    told: (max: number) => `не больше ${max} покупок за 10 минут`,
  },
  platform_connection: {
    max: 10,
    seconds: HOUR,
    told: (max: number) => `не больше ${max} подключений в час`,
  },
} as const satisfies Record<string, { max: number; seconds: number; told: (max: number) => string }>;

/** The sandbox is for trying things out, and its suppliers cost nothing. */
export const SANDBOX_TIMES = 10;

export type LimitedAction = keyof typeof rateLimits;
export type Slots = Partial<Record<LimitedAction, number>>;
export type RateLimits = ReturnType<typeof makeRateLimits>;

/** As long as another process may take the work over. */
const RESERVED_SECONDS = 24 * HOUR;

type Store = Pick<KeyValueStore, 'increment' | 'set' | 'setIfAbsent' | 'take' | 'delete'>;
type Options = {
  /** How much looser all limits are. */
  times?: number;
  now?: () => number;
};
/** Slots taken, and when their window ends. After that there is nothing to give back. */
type Taken = Partial<Record<LimitedAction, { count: number; until: number }>>;

/** Asked once per action of a person, before anything is charged or any model called, however many calls it makes. */
export function makeRateLimits(store: Store, { times = 1, now = Date.now }: Options = {}) {
  return { take, reserve, settle };

  /** All slots or none: throws `RateLimited` with the time left, and a refused action does not count (E25). */
  async function take(action: LimitedAction, userId: number, slots = 1): Promise<void> {
    await taken(action, userId, slots);
  }

  /** Slots of several limits, all or none, and once per key: a second call with the same key takes nothing more. */
  async function reserve(key: string, userId: number, slots: Slots): Promise<void> {
    const isFirst = await store.setIfAbsent(reservationOf(key), '{}', RESERVED_SECONDS);
    if (!isFirst) return;
    const counted: Taken = {};
    try {
      for (const [action, count] of entriesOf(slots))
        if (count > 0) counted[action] = { count, until: await taken(action, userId, count) };
    } catch (error) {
      await store.delete(reservationOf(key));
      for (const [action, { count }] of entriesOf(counted)) await giveBack(action, userId, count);
      throw error;
    }
    // What a process that dies before this line has taken goes on counting for its hour: rather that than a slot that
    // was never taken and is given back.
    await store.set(reservationOf(key), JSON.stringify(counted), RESERVED_SECONDS);
  }

  /** Of what was reserved under the key, only what was used goes on counting. Idempotent: it gives back once. */
  async function settle(key: string, userId: number, used: Slots): Promise<void> {
    const reserved = await store.take(reservationOf(key));
    if (reserved === null) return;
    for (const [action, { count, until }] of entriesOf(JSON.parse(reserved) as Taken))
      if (now() < until) await giveBack(action, userId, count - (used[action] ?? 0));
  }

  /** When the window of the counter ends. */
  async function taken(action: LimitedAction, userId: number, slots: number): Promise<number> {
    if (slots === 0) return now();
    const { seconds, told } = rateLimits[action];
    const max = rateLimits[action].max * times;
    const { count, ttlSeconds } = await store.increment(keyOf(action, userId), slots, seconds);
    if (count <= max) return now() + ttlSeconds * 1_000;
    await giveBack(action, userId, slots);
    throw new RateLimited(action, told(max), Math.ceil(ttlSeconds));
  }

  async function giveBack(action: LimitedAction, userId: number, slots: number): Promise<void> {
    if (slots > 0) await store.increment(keyOf(action, userId), -slots, rateLimits[action].seconds);
  }
}

const keyOf = (action: LimitedAction, userId: number): string => `rate:${userId}:${action}`;
const reservationOf = (key: string): string => `rate-slots:${key}`;
const entriesOf = <Value>(slots: Partial<Record<LimitedAction, Value>>) =>
  Object.entries(slots) as [LimitedAction, Value][];
