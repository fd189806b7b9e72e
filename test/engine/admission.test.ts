import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAdmission } from '../../src/engine/admission.ts';
import { NotAdmitted } from '../../src/engine/not-applied.ts';
import type { AcquireRequest, Hold, SessionStore } from '../../src/engine/session-store.ts';
import { toasts } from '../../src/screens/kit/system.ts';
import { createMemorySessionStore } from '../../src/store/session-store-memory.ts';
import { eventually } from './eventually.ts';
import { openStage } from './stage.ts';

const gates: { close(): void }[] = [];
afterEach(() => {
  for (const gate of gates.splice(0)) gate.close();
  vi.useRealTimers();
});

function admission(store: SessionStore, throttlePerMinute = 1_000) {
  const gate = createAdmission(store, throttlePerMinute);
  gates.push(gate);
  return { ...gate, held };

  /** Goes in and tells how to come out. */
  async function held(userId: number, updateId?: number): Promise<() => Promise<void>> {
    const admitted = await gate.enter(userId, updateId);
    if (admitted.outcome === 'throttled') throw new Error('throttled');
    return () => gate.leave(admitted.hold, {});
  }
}

describe('one person, one event at a time', () => {
  it('lets one event in at a time', async () => {
    const gate = admission(createMemorySessionStore());
    const leave = await gate.held(7, 1);
    const events: string[] = [];
    const second = gate.held(7, 2).then((out) => {
      events.push('second is in');
      return out;
    });
    await turns(20);
    events.push('first leaves');
    await leave();
    await (await second)();
    expect(events).toEqual(['first leaves', 'second is in']);
  });

  it('goes by the ids of the updates, not by who came first', async () => {
    const gate = admission(createMemorySessionStore());
    const leave = await gate.held(7, 1);
    const order: (number | undefined)[] = [];
    const waiting = [5, 3, undefined, 4, 2].map(async (updateId) => {
      const out = await gate.held(7, updateId);
      order.push(updateId);
      await out();
    });
    await turns(20);
    await leave();
    await Promise.all(waiting);
    expect(order).toEqual([2, 3, 4, 5, undefined]);
  });

  it('keeps to that order where the first to ask is heard last, as on another connection', async () => {
    const store = createMemorySessionStore();
    let slow = true;
    const acquire = async (request: AcquireRequest) => {
      if (slow) {
        slow = false;
        await turns(20);
      }
      return store.acquire(request);
    };
    const gate = admission({ ...store, acquire });
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3].map(async (updateId) => {
        const out = await gate.held(7, updateId);
        order.push(updateId);
        await out();
      }),
    );
    expect(order).toEqual([1, 2, 3]);
  });

  it('does not let one person wait for another', async () => {
    const gate = admission(createMemorySessionStore());
    await gate.held(7, 1);
    const leave = await gate.held(8, 2);
    await leave();
  });

  it('wakes the next one by leaving: it does not sleep until it would have asked again', async () => {
    const gate = admission(createMemorySessionStore());
    const leave = await gate.held(7, 1);
    let entered = false;
    const second = gate.held(7, 2).then((out) => {
      entered = true;
      return out;
    });
    await turns(50);
    await leave();
    await turns(50); // promises alone: no timer has had its turn
    expect(entered).toBe(true);
    await (await second)();
  });

  it('asks again by and by when the one inside is another process', async () => {
    const store = createMemorySessionStore();
    const [here, there] = [admission(store), admission(store)];
    const leave = await there.held(7, 1);
    const entered = here.held(7, 2);
    await turns(50);
    await leave();
    await (await entered)();
  });
});

describe('a lock', () => {
  it('that stays taken is not waited for for ever', async () => {
    let asked = 0;
    const gate = admission({
      ...createMemorySessionStore(),
      async acquire() {
        asked += 1;
        return { outcome: 'wait' as const };
      },
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    const outcome = gate.enter(7, 1).catch((error: unknown) => error);
    vi.advanceTimersByTime(44_000);
    const before = asked;
    await eventually(() => asked).toBeGreaterThan(before + 1);
    vi.advanceTimersByTime(2_000);
    expect(await outcome).toBeInstanceOf(NotAdmitted);
  });

  it('is kept for as long as it takes, by renewing it', async () => {
    vi.useFakeTimers();
    const store = createMemorySessionStore();
    const leave = await admission(store).held(7, 1);
    for (let second = 0; second < 30; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await other(store)).toBe('wait');
    }
    await leave();
    expect(await other(store)).toBe('held');
  });

  it('of a process that died is free after its lease', async () => {
    vi.useFakeTimers();
    const store = createMemorySessionStore();
    const dead = admission(store);
    await dead.held(7, 1);
    dead.close();
    await vi.advanceTimersByTimeAsync(4_900);
    expect(await other(store)).toBe('wait');
    await vi.advanceTimersByTimeAsync(200);
    expect(await other(store)).toBe('held');
  });

  it('is not taken again by a renewal that was on its way when it was given back', async () => {
    vi.useFakeTimers();
    const store = createMemorySessionStore();
    let renewing: (() => void) | null = null;
    const gate = admission({
      ...store,
      async acquire(request: AcquireRequest) {
        if (request.updateId === undefined) await new Promise<void>((go) => (renewing = go));
        return store.acquire(request);
      },
    });
    const leave = await gate.held(7, 1);
    await vi.advanceTimersByTimeAsync(1_600);
    const left = leave();
    await turns(20);
    renewing!();
    await left;
    expect(await other(store)).toBe('held');
  });

  it('is not taken again by an older renewal either, which a newer one has overtaken on another connection', async () => {
    vi.useFakeTimers();
    const store = createMemorySessionStore();
    const renewals: (() => void)[] = [];
    const gate = admission({
      ...store,
      async acquire(request: AcquireRequest) {
        if (request.updateId === undefined) await new Promise<void>((go) => renewals.push(go));
        return store.acquire(request);
      },
    });
    const leave = await gate.held(7, 1);
    await vi.advanceTimersByTimeAsync(3_100);
    const [older, newer] = renewals;
    newer!();
    const left = leave();
    await turns(20);
    older!();
    await left;
    await turns(20);
    expect(await other(store)).toBe('held');
  });

  it('is given back, and the next one woken, although the store failed to note it', async () => {
    const store = createMemorySessionStore();
    let failures = 1;
    const gate = admission({
      ...store,
      async release(hold: Hold, note) {
        await store.release(hold, note);
        if (failures-- > 0) throw new Error('connection lost');
      },
    });
    const leave = await gate.held(7, 1);
    const second = gate.held(7, 2);
    await expect(leave()).rejects.toThrow('connection lost');
    await (await second)();
  });
});

describe('ten thousand people who came and went', () => {
  it('leave no timer and nothing to renew', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let asked = 0;
    const gate = admission(
      observed(createMemorySessionStore(), () => {
        asked += 1;
      }),
    );
    const idle = timers();
    for (let userId = 1; userId <= 10_000; userId += 100) {
      const people = Array.from({ length: 100 }, (_, each) => userId + each);
      const visits = people.flatMap((id) => [gate.held(id, 2 * id), gate.held(id, 2 * id + 1)]);
      await Promise.all(visits.map(async (visit) => (await visit)()));
    }
    expect(timers()).toBeLessThanOrEqual(idle);
    const before = asked;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toBe(before);
  });
});

describe('more updates a minute than a person may send', () => {
  it('are dropped: a press is answered with a word, typed ones with one message a minute (X20)', async () => {
    const stage = openStage({ throttlePerMinute: 3 });
    const anna = stage.person(stage.start());
    const boris = stage.person(stage.start(), 8);
    for (let update = 0; update < 3; update += 1) await anna.commands('start');
    const shown = stage.shows.length;
    const noop = { kind: 'press', link: { pattern: 'nav:projects', params: {} }, messageId: '1' } as const;
    expect(await anna.does(noop)).toEqual([toasts.tooFast]);
    expect(stage.shows).toHaveLength(shown);
    await anna.says('Ау');
    await anna.says('Ау!');
    expect(stage.shows).toHaveLength(shown + 1);
    expect(anna.sees()).toMatch(/^Слишком много сообщений за минуту/u);
    await boris.commands('start');
    expect(boris.sees()).toBe('Добро пожаловать');

    stage.pass(60_000);
    await anna.commands('start');
    expect(stage.shows).toHaveLength(shown + 3);
    await stage.close();
  });
});

/** How somebody else would fare at the door. */
const other = async (store: SessionStore) =>
  (await store.acquire({ userId: 7, ticket: 'somebody else', leaseMs: 1_000 })).outcome;

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

function observed(store: SessionStore, onAcquire: (request: AcquireRequest) => void): SessionStore {
  return {
    ...store,
    acquire(request) {
      onAcquire(request);
      return store.acquire(request);
    },
  };
}

/** Lets everything run that waits for promises alone. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}
