import {
  type AcquireRequest,
  type Admission,
  type Attention,
  type DueRequest,
  type Hold,
  SEEN_UPDATES_KEPT,
  SEEN_UPDATES_TTL_SECONDS,
  type SessionStore,
  type Shown,
  WAITER_TTL_MS,
} from '../engine/session-store.ts';

type Person = {
  record: Stored | null;
  lock: { token: string; until: number } | null;
  waiters: Map<string, { order: number; askedAt: number }>;
  throttle: { count: number; until: number };
  /** Update id → when it was seen; the oldest first. */
  seen: Map<number, number>;
};

type Stored = {
  revision: number;
  session: string;
  shown: Shown | null;
  attention: readonly Attention[];
  /** Handed out by `due` until then. */
  claimedUntil: number;
  expiresAt: number;
};

const MINUTE_MS = 60_000;

/** Sessions that last as long as the process: for tests, and to read what a store has to do. */
export function createMemorySessionStore(clock: () => number = Date.now): SessionStore {
  const people = new Map<number, Person>();
  return { acquire, save, release, hasSeen, due, postpone, peek, forget };

  async function acquire(request: AcquireRequest): Promise<Admission> {
    const now = clock();
    const person = personOf(request.userId);
    const { ticket, order = Number.POSITIVE_INFINITY } = request;

    const counted = person.waiters.has(ticket) || person.lock?.token === ticket;
    if (request.throttlePerMinute !== undefined && !counted) {
      if (person.throttle.until <= now) person.throttle = { count: 0, until: now + MINUTE_MS };
      if (person.throttle.count >= request.throttlePerMinute) return { outcome: 'throttled' };
      person.throttle.count += 1;
    }

    const locked = person.lock !== null && person.lock.until > now;
    const holds = locked && person.lock?.token === ticket;
    if (!holds && (locked || someoneIsBefore(person, order, now))) {
      forgetDeadWaiters(person, now);
      if (!request.asksOnce) person.waiters.set(ticket, { order, askedAt: now });
      return { outcome: 'wait' };
    }

    person.lock = { token: ticket, until: now + request.leaseMs };
    person.waiters.delete(ticket);
    const outcome = isSeen(person, request.updateId, now) ? 'repeat' : 'held';
    return { outcome, hold: holdOf(request.userId, ticket, live(person, now)) };
  }

  async function save(
    hold: Hold,
    { session, attention, updateId, ttlSeconds }: Parameters<SessionStore['save']>[1],
  ) {
    const now = clock();
    const person = personOf(hold.userId);
    const stored = live(person, now);
    if ((stored?.revision ?? 0) !== hold.revision) return null;
    if (updateId !== undefined && someoneIsBefore(person, updateId, now)) return null;
    person.record = {
      revision: hold.revision + 1,
      session,
      shown: stored?.shown ?? null,
      attention,
      claimedUntil: 0,
      expiresAt: now + ttlSeconds * 1_000,
    };
    noteSeen(person, updateId, now);
    return holdOf(hold.userId, hold.token, person.record);
  }

  async function release(
    hold: Hold,
    { shown, attention, updateId, isUncounted }: Parameters<SessionStore['release']>[1],
  ) {
    const now = clock();
    const person = personOf(hold.userId);
    const stored = live(person, now);
    if (stored && shown && shown.revision >= (stored.shown?.revision ?? 0)) stored.shown = shown;
    if (stored && attention !== undefined && stored.revision === hold.revision)
      Object.assign(stored, { attention, claimedUntil: 0 });
    noteSeen(person, updateId, now);
    if (isUncounted) person.throttle.count = Math.max(0, person.throttle.count - 1);
    if (person.lock?.token === hold.token) person.lock = null;
  }

  async function hasSeen(userId: number, updateId: number) {
    return isSeen(personOf(userId), updateId, clock());
  }

  async function due({ until, limit, claimUntil }: DueRequest) {
    const found = [...people]
      .flatMap(([userId, person]) => {
        const stored = live(person, clock());
        if (!stored || stored.attention.length === 0) return [];
        const at = Math.max(stored.claimedUntil, Math.min(...stored.attention.map((part) => part.at)));
        return at <= until ? [{ userId, stored, at }] : [];
      })
      .sort((a, b) => a.at - b.at)
      .slice(0, limit);
    for (const { stored } of found) stored.claimedUntil = claimUntil;
    return found.map(({ userId }) => userId);
  }

  async function postpone(userId: number, attention: Attention) {
    const stored = live(personOf(userId), clock());
    const isIt = ({ of, owner }: Attention) => of === attention.of && owner === attention.owner;
    if (!stored?.attention.some(isIt)) return false;
    stored.attention = stored.attention.map((part) => (isIt(part) ? attention : part));
    stored.claimedUntil = 0;
    return true;
  }

  async function peek(userId: number) {
    return live(personOf(userId), clock())?.session ?? null;
  }

  async function forget(userId: number) {
    personOf(userId).record = null;
  }

  function personOf(userId: number) {
    const known = people.get(userId);
    if (known) return known;
    const person: Person = {
      record: null,
      lock: null,
      waiters: new Map(),
      throttle: { count: 0, until: 0 },
      seen: new Map(),
    };
    people.set(userId, person);
    return person;
  }
}

function live(person: Person, now: number) {
  if (person.record && person.record.expiresAt <= now) person.record = null;
  return person.record;
}

function holdOf(userId: number, token: string, stored: Stored | null): Hold {
  return {
    userId,
    token,
    revision: stored?.revision ?? 0,
    session: stored?.session ?? null,
    shown: stored?.shown ?? null,
    attention: stored?.attention ?? [],
  };
}

function someoneIsBefore(person: Person, order: number, now: number) {
  for (const waiter of person.waiters.values()) {
    if (waiter.order < order && waiter.askedAt > now - WAITER_TTL_MS) return true;
  }
  return false;
}

/** Kept for a minute, not for WAITER_TTL_MS: one that slept and asks again was counted already. */
function forgetDeadWaiters(person: Person, now: number) {
  for (const [ticket, { askedAt }] of person.waiters) {
    if (askedAt <= now - MINUTE_MS) person.waiters.delete(ticket);
  }
}

function isSeen(person: Person, updateId: number | undefined, now: number) {
  const seenAt = updateId === undefined ? undefined : person.seen.get(updateId);
  return seenAt !== undefined && seenAt > now - SEEN_UPDATES_TTL_SECONDS * 1_000;
}

function noteSeen({ seen }: Person, updateId: number | undefined, now: number) {
  if (updateId === undefined) return;
  seen.delete(updateId);
  seen.set(updateId, now);
  for (const oldest of seen.keys()) {
    if (seen.size <= SEEN_UPDATES_KEPT) break;
    seen.delete(oldest);
  }
}
