import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import {
  type AcquireRequest,
  type Hold,
  type SaveRequest,
  SEEN_UPDATES_KEPT,
  type SessionStore,
  WAITER_TTL_MS,
} from '../../src/engine/session-store.ts';
import { forEachSessionStore } from '../support/stores.ts';

const LONG_MS = 60_000;
const DAY_SECONDS = 24 * 60 * 60;
const FUTURE = Date.now() + 365 * DAY_SECONDS * 1_000;

let lastUserId = 5_000_000_000; // beyond 32 bits, as Telegram's are
const somebody = () => ++lastUserId;

const request = (userId: number, more: Partial<AcquireRequest> = {}): AcquireRequest => ({
  userId,
  ticket: randomUUID(),
  leaseMs: LONG_MS,
  ...more,
});

const record = (more: Partial<SaveRequest> = {}): SaveRequest => ({
  session: '{"flow":null}',
  attention: null,
  ttlSeconds: DAY_SECONDS,
  ...more,
});

/** Acquires what must be free, as a person's first or next update would. */
async function hold(store: SessionStore, userId: number, more: Partial<AcquireRequest> = {}): Promise<Hold> {
  const admission = await store.acquire(request(userId, more));
  if (admission.outcome !== 'held' && admission.outcome !== 'repeat') {
    throw new Error(`expected to get the lock, got "${admission.outcome}"`);
  }
  return admission.hold;
}

async function saved(store: SessionStore, held: Hold, more: Partial<SaveRequest> = {}): Promise<Hold> {
  const next = await store.save(held, record(more));
  if (!next) throw new Error('expected the save to be accepted');
  return next;
}

const read = async (store: SessionStore, userId: number) => {
  const held = await hold(store, userId);
  await store.release(held, {});
  return held;
};

/** Asks with one ticket until it is let in, as the engine does. */
async function queue(store: SessionStore, asked: AcquireRequest) {
  for (;;) {
    const admission = await store.acquire(asked);
    if (admission.outcome !== 'wait') return admission;
    await delay(10);
  }
}

forEachSessionStore((store) => {
  it('starts a person without a session at revision 0', async () => {
    const userId = somebody();
    expect(await store().acquire(request(userId, { ticket: 'first' }))).toEqual({
      outcome: 'held',
      hold: { userId, token: 'first', revision: 0, session: null, shown: null, attention: null },
    });
  });

  it('gives back what was saved, one revision on', async () => {
    const userId = somebody();
    const first = await hold(store(), userId);
    const attention = { at: FUTURE, owner: 'process-1' };
    const next = await store().save(first, record({ session: '{"flow":"статья"}', attention }));
    const expected = { ...first, revision: 1, session: '{"flow":"статья"}', attention };
    expect(next).toEqual(expected);
    await store().release(first, {});
    const again = await hold(store(), userId);
    expect(again).toEqual({ ...expected, token: again.token });
  });

  it('gives a damaged session back as it is', async () => {
    const userId = somebody();
    const damaged = '{"flow": {"flow": "Project\\u0000Create", \'half an emoji: \\ud83d';
    await saved(store(), await hold(store(), userId, { ticket: 'a' }), { session: damaged });
    expect(await hold(store(), userId, { ticket: 'a' })).toMatchObject({ session: damaged });
  });

  it('lets one person in at a time, and others meanwhile', async () => {
    const [one, other] = [somebody(), somebody()];
    const held = await hold(store(), one);
    expect(await store().acquire(request(one))).toEqual({ outcome: 'wait' });
    expect(await store().acquire(request(other))).toMatchObject({ outcome: 'held' });
    await store().release(held, {});
    expect(await store().acquire(request(one))).toMatchObject({ outcome: 'held' });
  });

  it('lets the holder ask again, whoever may be waiting', async () => {
    const userId = somebody();
    await hold(store(), userId, { ticket: 'holder', order: 2 });
    await store().acquire(request(userId, { order: 1 }));
    expect(await hold(store(), userId, { ticket: 'holder', order: 2 })).toMatchObject({ token: 'holder' });
  });

  it('lets the next one in when a lease has expired', async () => {
    const userId = somebody();
    await hold(store(), userId, { leaseMs: 50 });
    const next = request(userId);
    await vi.waitFor(
      async () => expect(await store().acquire(next)).toMatchObject({ outcome: 'held' }),
      10_000,
    );
  });

  it('does not let a holder whose lease expired free the lock of the next one', async () => {
    const userId = somebody();
    const late = await hold(store(), userId, { leaseMs: 50 });
    const next = request(userId);
    await vi.waitFor(
      async () => expect(await store().acquire(next)).toMatchObject({ outcome: 'held' }),
      10_000,
    );
    await store().release(late, {});
    expect(await store().acquire(request(userId))).toEqual({ outcome: 'wait' });
  });

  it('refuses the late save of a holder whose session was changed meanwhile', async () => {
    const userId = somebody();
    const late = await hold(store(), userId, { leaseMs: 50 });
    const next = await queue(store(), request(userId));
    if (next.outcome !== 'held') throw new Error(next.outcome);
    await saved(store(), next.hold, { session: '"newer"' });
    expect(await store().save(late, record({ session: '"older"', updateId: 7 }))).toBeNull();
    await store().release(next.hold, {});
    expect(await store().acquire(request(userId, { updateId: 7 }))).toMatchObject({
      outcome: 'held',
      hold: { revision: 1, session: '"newer"' },
    });
  });

  it('accepts the late save of a holder whose session nobody changed', async () => {
    const userId = somebody();
    const late = await hold(store(), userId, { leaseMs: 50 });
    const next = await queue(store(), request(userId));
    if (next.outcome !== 'held') throw new Error(next.outcome);
    await store().release(next.hold, {});
    expect(await store().save(late, record())).toMatchObject({ revision: 1 });
  });

  it('accepts only one of two saves of the same revision', async () => {
    const held = await saved(store(), await hold(store(), somebody()));
    const outcomes = await Promise.all([store().save(held, record()), store().save(held, record())]);
    expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1);
  });

  it('accepts only one of two first saves', async () => {
    const held = { ...(await hold(store(), somebody())), userId: somebody() };
    const outcomes = await Promise.all([store().save(held, record()), store().save(held, record())]);
    expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1);
  });

  it('never lets two of fifty in at once, and the lowest order first', async () => {
    const userId = somebody();
    const first = await hold(store(), userId);
    const orders = Array.from({ length: 50 }, (_, index) => 1_000 + ((index * 37) % 50));
    const requests = orders.map((order) => request(userId, { order }));
    for (const waiter of requests) expect(await store().acquire(waiter)).toEqual({ outcome: 'wait' });

    let inside = 0;
    const admitted: number[] = [];
    const waiting = requests.map(async (waiter) => {
      const admission = await queue(store(), waiter);
      if (admission.outcome !== 'held') throw new Error(admission.outcome);
      expect(++inside).toBe(1);
      admitted.push(waiter.order ?? 0);
      const next = await saved(store(), admission.hold);
      inside -= 1;
      await store().release(next, {});
    });
    await store().release(first, {});
    await Promise.all(waiting);
    expect(admitted).toEqual(orders.toSorted((a, b) => a - b));
    expect(await read(store(), userId)).toMatchObject({ revision: 50 });
  });

  it('puts one without an order behind everybody that has one', async () => {
    const userId = somebody();
    const held = await hold(store(), userId);
    const update = request(userId, { order: 900_000_000 });
    const background = request(userId);
    expect(await store().acquire(background)).toEqual({ outcome: 'wait' });
    expect(await store().acquire(update)).toEqual({ outcome: 'wait' });
    await store().release(held, {});
    expect(await store().acquire(background)).toEqual({ outcome: 'wait' });
    const next = await hold(store(), userId, update);
    await store().release(next, {});
    expect(await store().acquire(background)).toMatchObject({ outcome: 'held' });
  });

  it('does not wait for a waiter that has died', async () => {
    const userId = somebody();
    const held = await hold(store(), userId);
    await store().acquire(request(userId, { order: 1 }));
    await store().release(held, {});
    const behind = request(userId, { order: 2 });
    expect(await store().acquire(behind)).toEqual({ outcome: 'wait' });
    await vi.waitFor(async () => expect(await store().acquire(behind)).toMatchObject({ outcome: 'held' }), {
      timeout: WAITER_TTL_MS * 5,
      interval: 200,
    });
  });

  it('recognises an update that was applied with a save', async () => {
    const userId = somebody();
    const held = await hold(store(), userId, { updateId: 41 });
    await saved(store(), held, { updateId: 41 });
    await store().release(held, {});
    expect(await store().acquire(request(userId, { updateId: 41 }))).toMatchObject({
      outcome: 'repeat',
      hold: { revision: 1 },
    });
  });

  it('recognises an update that was done with at a release, also of a person without a session', async () => {
    const userId = somebody();
    await store().release(await hold(store(), userId), { updateId: 42 });
    const repeat = await store().acquire(request(userId, { updateId: 42 }));
    expect(repeat).toMatchObject({ outcome: 'repeat', hold: { revision: 0 } });
    if (repeat.outcome === 'repeat') await store().release(repeat.hold, {});
    expect(await store().acquire(request(userId, { updateId: 43 }))).toMatchObject({ outcome: 'held' });
  });

  it('tells whether an update was applied, without a lock', async () => {
    const userId = somebody();
    await saved(store(), await hold(store(), userId), { updateId: 8 });
    expect(await store().hasSeen(userId, 8)).toBe(true);
    expect(await store().hasSeen(userId, 9)).toBe(false);
    expect(await store().hasSeen(somebody(), 8)).toBe(false);
  });

  it("keeps one person's updates apart from another's", async () => {
    await store().release(await hold(store(), somebody()), { updateId: 44 });
    expect(await store().acquire(request(somebody(), { updateId: 44 }))).toMatchObject({ outcome: 'held' });
  });

  it('remembers the newest updates and forgets the oldest', async () => {
    const userId = somebody();
    const held = await hold(store(), userId, { ticket: 'one' });
    for (let id = 1_000; id <= 1_000 + SEEN_UPDATES_KEPT; id++) {
      await store().release(held, { updateId: id });
    }
    const outcomeOf = async (updateId: number) =>
      (await store().acquire(request(userId, { ticket: 'one', updateId }))).outcome;
    expect(await outcomeOf(1_000)).toBe('held');
    expect(await outcomeOf(1_001)).toBe('repeat');
    expect(await outcomeOf(1_000 + SEEN_UPDATES_KEPT)).toBe('repeat');
  });

  it('turns away what exceeds the limit, and counts a waiting ticket once', async () => {
    const userId = somebody();
    const throttlePerMinute = 3;
    const held = await hold(store(), userId, { throttlePerMinute });
    const waiter = request(userId, { throttlePerMinute });
    for (let i = 0; i < 5; i++) expect(await store().acquire(waiter)).toEqual({ outcome: 'wait' });
    await store().release(held, {});
    const second = await hold(store(), userId, waiter);
    expect(await hold(store(), userId, waiter)).toMatchObject({ token: waiter.ticket }); // asks again, is not counted
    await store().release(second, {});
    await store().release(await hold(store(), userId, { throttlePerMinute }), {});
    expect(await store().acquire(request(userId, { throttlePerMinute }))).toEqual({ outcome: 'throttled' });
    expect(await store().acquire(request(userId))).toMatchObject({ outcome: 'held' });
  });

  it('does not count an update that will come again', async () => {
    const userId = somebody();
    const limited = { throttlePerMinute: 1 };
    await store().release(await hold(store(), userId, limited), { isUncounted: true });
    await store().release(await hold(store(), userId, limited), {});
    expect(await store().acquire(request(userId, limited))).toEqual({ outcome: 'throttled' });
  });

  it('does not let somebody who was turned away block those behind', async () => {
    const userId = somebody();
    const held = await hold(store(), userId, { throttlePerMinute: 1 });
    const flood = request(userId, { order: 1, throttlePerMinute: 1 });
    expect(await store().acquire(flood)).toEqual({ outcome: 'throttled' });
    await store().release(held, {});
    expect(await store().acquire(request(userId, { order: 2 }))).toMatchObject({ outcome: 'held' });
  });

  it('notes what was shown, and never goes back to an older screen', async () => {
    const userId = somebody();
    const held = await hold(store(), userId);
    const next = await saved(store(), await saved(store(), held));
    await store().release(next, { shown: { revision: 2, messageId: 77 } });
    await store().release(next, { shown: { revision: 1, messageId: 66 } });
    expect(await read(store(), userId)).toMatchObject({ shown: { revision: 2, messageId: 77 } });
    await store().release(next, { shown: { revision: 2, messageId: 88 } });
    const again = await hold(store(), userId);
    expect(again).toMatchObject({ shown: { revision: 2, messageId: 88 } });
    expect(await saved(store(), again)).toMatchObject({ shown: { revision: 2, messageId: 88 } });
  });

  it('notes nothing shown for a person without a session', async () => {
    const userId = somebody();
    await store().release(await hold(store(), userId), { shown: { revision: 1, messageId: 5 } });
    expect(await read(store(), userId)).toMatchObject({ revision: 0, shown: null });
  });

  it('forgets a session, its screen and its attention when it expires', async () => {
    const userId = somebody();
    const held = await hold(store(), userId, { ticket: 'one' });
    const attention = { at: 1, owner: 'me' };
    const next = await saved(store(), held, { ttlSeconds: 0.3, attention });
    await store().release(next, { shown: { revision: 1, messageId: 9 }, updateId: 5 });
    const reader = request(userId, { ticket: 'reader', updateId: 5 });
    await vi.waitFor(async () => {
      expect(await store().acquire(reader)).toEqual({
        outcome: 'repeat', // updates are remembered longer than the session
        hold: { userId, token: 'reader', revision: 0, session: null, shown: null, attention: null },
      });
    }, 10_000);
    expect(await store().due(FUTURE, 1_000)).not.toContain(userId);
    expect(await store().postpone(userId, attention)).toBe(false);
    expect(await store().save(next, record())).toBeNull();
    expect(await saved(store(), { ...next, revision: 0 })).toMatchObject({ revision: 1, shown: null });
    expect(await store().due(FUTURE, 1_000)).not.toContain(userId);
  });

  it('counts the time to live from the last save', async () => {
    const userId = somebody();
    const held = await hold(store(), userId, { ticket: 'one' });
    await saved(store(), await saved(store(), held, { ttlSeconds: 3 }), { session: '"second"' });
    await delay(3_200);
    expect(await hold(store(), userId, { ticket: 'one' })).toMatchObject({
      revision: 2,
      session: '"second"',
    });
  });

  it('lets somebody look at what is stored while another holds it', async () => {
    const userId = somebody();
    expect(await store().peek(userId)).toBeNull();
    await saved(store(), await hold(store(), userId), { session: '{"flow":"looked at"}' });
    expect(await store().peek(userId)).toBe('{"flow":"looked at"}');
  });

  it('forgets a person who asked for it, but not which updates were applied', async () => {
    const userId = somebody();
    const attention = { at: FUTURE, owner: 'somebody' };
    const held = await saved(store(), await hold(store(), userId), { attention, updateId: 77 });
    await store().release(held, {});
    await store().forget(userId);
    expect(await store().peek(userId)).toBeNull();
    expect(await store().due(FUTURE, 1_000)).not.toContain(userId);
    const admission = await store().acquire(request(userId, { updateId: 77 }));
    expect(admission).toMatchObject({ outcome: 'repeat', hold: { revision: 0, session: null } });
  });

  it('finds the sessions that want attention, the longest due first', async () => {
    const [late, later, notYet, never] = [somebody(), somebody(), somebody(), somebody()];
    const owner = 'me';
    await saved(store(), await hold(store(), later), { attention: { at: 2_000_000, owner } });
    await saved(store(), await hold(store(), late), { attention: { at: 1_000_000, owner } });
    await saved(store(), await hold(store(), notYet), { attention: { at: 3_000_001, owner } });
    await saved(store(), await hold(store(), never));
    const ours = (ids: number[]) => ids.filter((id) => [late, later, notYet, never].includes(id));
    expect(ours(await store().due(3_000_000, 1_000))).toEqual([late, later]);
    expect(await store().due(3_000_001, 2)).toHaveLength(2);
  });

  it('stops wanting attention when a save says so', async () => {
    const userId = somebody();
    const held = await saved(store(), await hold(store(), userId), { attention: { at: 5, owner: 'me' } });
    expect(await saved(store(), held)).toMatchObject({ attention: null });
    expect(await store().due(FUTURE, 1_000)).not.toContain(userId);
  });

  it('changes the attention at a release only of the revision that was held', async () => {
    const userId = somebody();
    const attention = { at: 5, owner: 'me' };
    const first = await saved(store(), await hold(store(), userId), { attention });
    await store().release(first, {});
    expect(await read(store(), userId)).toMatchObject({ attention });
    await store().release({ ...first, revision: 0 }, { attention: null });
    expect(await read(store(), userId)).toMatchObject({ attention });
    await store().release(first, { attention: { at: 6, owner: 'you' } });
    expect(await read(store(), userId)).toMatchObject({ attention: { at: 6, owner: 'you' } });
    expect(await store().due(6, 1_000)).toContain(userId);
    await store().release(first, { attention: null });
    expect(await read(store(), userId)).toMatchObject({ attention: null });
    expect(await store().due(FUTURE, 1_000)).not.toContain(userId);
  });

  it('lets only the owner of running work postpone the attention', async () => {
    const userId = somebody();
    await saved(store(), await hold(store(), userId), { attention: { at: 5, owner: 'me' } });
    expect(await store().postpone(userId, { at: FUTURE, owner: 'you' })).toBe(false);
    expect(await store().due(5, 1_000)).toContain(userId);
    expect(await store().postpone(userId, { at: FUTURE, owner: 'me' })).toBe(true);
    expect(await store().due(FUTURE - 1, 1_000)).not.toContain(userId);
    expect(await store().due(FUTURE, 1_000)).toContain(userId);
    expect(await store().postpone(somebody(), { at: FUTURE, owner: 'me' })).toBe(false);
  });
});
