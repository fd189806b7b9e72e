import { randomUUID } from 'node:crypto';
import type { AcquireRequest, Hold, SaveRequest, SessionStore } from '../../src/engine/session-store.ts';

export const LONG_MS = 60_000;
export const DAY_SECONDS = 24 * 60 * 60;
export const FUTURE = Date.now() + 365 * DAY_SECONDS * 1_000;

let lastUserId = 5_000_000_000; // beyond 32 bits, as Telegram's are
export const somebody = () => ++lastUserId;

export const request = (userId: number, more: Partial<AcquireRequest> = {}): AcquireRequest => ({
  userId,
  ticket: randomUUID(),
  leaseMs: LONG_MS,
  ...more,
});

export const record = (more: Partial<SaveRequest> = {}): SaveRequest => ({
  session: '{"flow":null}',
  attention: [],
  ttlSeconds: DAY_SECONDS,
  ...more,
});

/** Work that somebody looks after until then. */
export const lease = (at: number, owner = 'me', of = 'run-1') => ({ of, at, owner });

/** Whom a sweep finds; all of them are due again at the same time. */
export const dueAt = (store: SessionStore, until: number) =>
  store.due({ until, limit: 1_000, claimUntil: until });

/** Acquires what must be free, as a person's first or next update would. */
export async function hold(
  store: SessionStore,
  userId: number,
  more: Partial<AcquireRequest> = {},
): Promise<Hold> {
  const admission = await store.acquire(request(userId, more));
  if (admission.outcome !== 'held' && admission.outcome !== 'repeat') {
    throw new Error(`expected to get the lock, got "${admission.outcome}"`);
  }
  return admission.hold;
}

export async function saved(store: SessionStore, held: Hold, more: Partial<SaveRequest> = {}): Promise<Hold> {
  const next = await store.save(held, record(more));
  if (!next) throw new Error('expected the save to be accepted');
  return next;
}

export const read = async (store: SessionStore, userId: number) => {
  const held = await hold(store, userId);
  await store.release(held, {});
  return held;
};
