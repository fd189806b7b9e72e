import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import {
  type AcquireRequest,
  SEEN_UPDATES_KEPT,
  type SessionStore,
  WAITER_TTL_MS,
} from '../../src/engine/session-store.ts';
import { forEachSessionStore } from '../support/stores.ts';
import { dueAt, FUTURE, hold, lease, read, record, request, saved, somebody } from './session-steps.ts';

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
      hold: { userId, token: 'first', revision: 0, session: null, shown: null, attention: [] },
    });
  });

  it('gives back what was saved, one revision on', async () => {
    const userId = somebody();
    const first = await hold(store(), userId);
    const attention = [
      { of: 'run-1', at: FUTURE, owner: 'process-1' },
      { of: 'screen', at: FUTURE + 5, owner: 'show:0' },
    ];
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

  it('lets the holder ask again, also while others wait', async () => {
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

  it('accepts the late save of a holder whose session is unchanged', async () => {
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
    await store().release(next, { shown: { revision: 2, messageId: '77' } });
    await store().release(next, { shown: { revision: 1, messageId: '66' } });
    expect(await read(store(), userId)).toMatchObject({ shown: { revision: 2, messageId: '77' } });
    await store().release(next, { shown: { revision: 2, messageId: '88' } });
    const again = await hold(store(), userId);
    expect(again).toMatchObject({ shown: { revision: 2, messageId: '88' } });
    expect(await saved(store(), again)).toMatchObject({ shown: { revision: 2, messageId: '88' } });
  });

  it('keeps the id of a message as it is, however a messenger names it', async () => {
    const userId = somebody();
    const next = await saved(store(), await hold(store(), userId));
    const messageId = '110512345678901234567:mid.0f_-A';
    await store().release(next, { shown: { revision: 1, messageId } });
    expect(await read(store(), userId)).toMatchObject({ shown: { revision: 1, messageId } });
  });

  it('notes nothing shown for a person without a session', async () => {
    const userId = somebody();
    await store().release(await hold(store(), userId), { shown: { revision: 1, messageId: '5' } });
    expect(await read(store(), userId)).toMatchObject({ revision: 0, shown: null });
  });

  it('forgets a session, its screen and its attention when it expires', async () => {
    const userId = somebody();
    const held = await hold(store(), userId, { ticket: 'one' });
    const attention = lease(1);
    const next = await saved(store(), held, { ttlSeconds: 0.3, attention: [attention] });
    await store().release(next, { shown: { revision: 1, messageId: '9' }, updateId: 5 });
    const reader = request(userId, { ticket: 'reader', updateId: 5 });
    await vi.waitFor(async () => {
      expect(await store().acquire(reader)).toEqual({
        outcome: 'repeat', // updates are remembered longer than the session
        hold: { userId, token: 'reader', revision: 0, session: null, shown: null, attention: [] },
      });
    }, 10_000);
    expect(await dueAt(store(), FUTURE)).not.toContain(userId);
    expect(await store().postpone(userId, attention)).toBe(false);
    expect(await store().save(next, record())).toBeNull();
    expect(await saved(store(), { ...next, revision: 0 })).toMatchObject({ revision: 1, shown: null });
    expect(await dueAt(store(), FUTURE)).not.toContain(userId);
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
    const attention = [lease(FUTURE)];
    const held = await saved(store(), await hold(store(), userId), { attention, updateId: 77 });
    await store().release(held, {});
    await store().forget(userId);
    expect(await store().peek(userId)).toBeNull();
    expect(await dueAt(store(), FUTURE)).not.toContain(userId);
    const admission = await store().acquire(request(userId, { updateId: 77 }));
    expect(admission).toMatchObject({ outcome: 'repeat', hold: { revision: 0, session: null } });
  });

  it('refuses the save of an update when an earlier one has come meanwhile', async () => {
    const userId = somebody();
    const later = await hold(store(), userId, { order: 6, updateId: 6 });
    const earlier = request(userId, { order: 5, updateId: 5 });
    expect(await store().acquire(earlier)).toEqual({ outcome: 'wait' });
    expect(await store().save(later, record({ updateId: 6 }))).toBeNull();
    await store().release(later, {});
    expect(await store().acquire(request(userId, { order: 6, updateId: 6 }))).toEqual({ outcome: 'wait' });
    const first = await queue(store(), earlier);
    expect(first).toMatchObject({ outcome: 'held', hold: { revision: 0 } });
  });

  it('accepts the save of an update behind which only later ones wait', async () => {
    const userId = somebody();
    const held = await hold(store(), userId, { order: 6, updateId: 6 });
    await store().acquire(request(userId, { order: 7, updateId: 7 }));
    await store().acquire(request(userId));
    expect(await store().save(held, record({ updateId: 6 }))).toMatchObject({ revision: 1 });
  });

  it('does not queue a caller who asks only once', async () => {
    const userId = somebody();
    const held = await hold(store(), userId);
    const once = request(userId, { order: 1, asksOnce: true });
    expect(await store().acquire(once)).toEqual({ outcome: 'wait' });
    await store().release(held, {});
    expect(await store().acquire(request(userId, { order: 2 }))).toMatchObject({ outcome: 'held' });
  });
});
