import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createInTurn } from './in-turn.ts';
import { NotAdmitted } from './not-applied.ts';
import type { Hold, ReleaseNote, SessionStore } from './session-store.ts';

export type Admission = { outcome: 'held' | 'repeat'; hold: Hold } | { outcome: 'throttled' };

// A killed process leaves its lock behind: the person waits this long at most. A living one renews it.
const LOCK_LEASE_MS = 5_000;
const LOCK_RENEWAL_MS = 1_500;
const PATIENCE_MS = 45_000;
const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 120;

/**
 * One person, one event at a time, in the order of Telegram's update ids: across processes by asking the store
 * again and again, within this one without delay, because a release wakes the next waiter.
 */
export function createAdmission(store: SessionStore, throttlePerMinute: number) {
  const sleepers = new Map<number, Set<() => void>>();
  const held = new Map<string, { userId: number; renewal: Promise<unknown> }>();
  // On two connections the later of two updates could be heard first, before the store knows of the other.
  const inTurn = createInTurn<number>();
  const renewal = setInterval(renew, LOCK_RENEWAL_MS);
  renewal.unref();
  return { enter, tryToEnter, leave, close: () => clearInterval(renewal) };

  async function enter(userId: number, updateId?: number): Promise<Admission> {
    const ticket = randomUUID();
    const deadline = Date.now() + PATIENCE_MS;
    const request = { userId, ticket, leaseMs: LOCK_LEASE_MS };
    const identified =
      updateId === undefined ? request : { ...request, order: updateId, updateId, throttlePerMinute };
    const ask = () => store.acquire(identified);
    let admission = await inTurn(userId, ask);
    for (let poll = FIRST_POLL_MS; admission.outcome === 'wait'; poll = Math.min(poll * 2, LONGEST_POLL_MS)) {
      if (Date.now() >= deadline)
        throw new NotAdmitted(`the session of ${userId} stayed locked for ${PATIENCE_MS} ms`);
      await wakeOrTimeout(userId, poll);
      admission = await ask();
    }
    if (admission.outcome !== 'throttled') held.set(ticket, { userId, renewal: Promise.resolve() });
    return admission;
  }

  /** Null when the lock is taken. */
  async function tryToEnter(userId: number): Promise<Hold | null> {
    const ticket = randomUUID();
    const admission = await store.acquire({ userId, ticket, leaseMs: LOCK_LEASE_MS, asksOnce: true });
    if (admission.outcome !== 'held') return null;
    held.set(ticket, { userId, renewal: Promise.resolve() });
    return admission.hold;
  }

  async function leave(hold: Hold, note: ReleaseNote): Promise<void> {
    const renewal = held.get(hold.token)?.renewal;
    held.delete(hold.token);
    try {
      // A renewal that arrives after the release would take the lock again, and no holder would give it back.
      await renewal;
      await store.release(hold, note);
    } finally {
      for (const wake of sleepers.get(hold.userId) ?? []) wake();
    }
  }

  async function wakeOrTimeout(userId: number, ms: number): Promise<void> {
    const wakeUp = new AbortController();
    const wake = () => wakeUp.abort();
    const others = sleepers.get(userId) ?? new Set();
    sleepers.set(userId, others.add(wake));
    try {
      await delay(ms * (0.75 + Math.random() / 2), undefined, { signal: wakeUp.signal });
    } catch {
      // Woken early: the one reason why this delay rejects.
    } finally {
      others.delete(wake);
      if (others.size === 0) sleepers.delete(userId);
    }
  }

  function renew(): void {
    for (const [ticket, hold] of held) {
      const { renewal: before } = hold;
      // One that fails is made up for by the next, or by the compare-and-set of the save. None is over before those
      // before it are: on several connections a slow one may be heard last.
      hold.renewal = store
        .acquire({ userId: hold.userId, ticket, leaseMs: LOCK_LEASE_MS })
        .catch(() => undefined)
        .then(() => before);
    }
  }
}
