import { expect, it } from 'vitest';
import type { Json } from '../../../src/engine/json.ts';
import { createFairGate } from '../../../src/services/schedules/fair-gate.ts';
import { makeTakeSlotCall } from '../../../src/services/schedules/take-slot-call.ts';

const MINUTE = 60_000;
/** A Monday, 10:00 in Moscow. */
const TEN = Date.UTC(2026, 10, 16, 7);
const schedule = { id: 5, userId: 7, isOn: true, times: ['10:00'], days: ['mon'], timeZone: 'Europe/Moscow' };

function aScheduler() {
  const clock = { now: TEN };
  const runs = new Map<string, Json>();
  const missed: number[] = [];
  const { take } = makeTakeSlotCall({
    store: { find: async () => schedule as never, noteCall: async () => undefined },
    gate: createFairGate({ most: 1 }),
    patienceMs: 1_000,
    async runNow({ key }) {
      if (!runs.has(key)) runs.set(key, { status: 'ok', kind: 'published', run: runs.size + 1 });
      return runs.get(key)!;
    },
    run: async () => {
      throw new Error('begun by runNow only');
    },
    hasBegun: async (key) => runs.has(key),
    tellMissed: async (_, at) => void missed.push(at),
    halted: new AbortController().signal,
    now: () => clock.now,
  });
  return { clock, runs, missed, comes: () => take({ schedule_id: 5, time: '10:00' }) };
}

it('E06: the same trigger within a millisecond, after an hour and after a day is one run, and nothing was missed', async () => {
  const { clock, runs, missed, comes } = aScheduler();
  const [first, twin] = await Promise.all([comes(), comes()]);
  expect(twin).toEqual(first);
  for (const later of [59 * MINUTE, 61 * MINUTE, 24 * 60 * MINUTE]) {
    clock.now = TEN + later;
    expect(await comes(), `${later / MINUTE} minutes later`).toEqual(first);
  }
  expect([runs.size, missed]).toEqual([1, []]);
});

it('a slot whose first trigger comes within an hour is run, a later one is skipped and told', async () => {
  const { clock, runs, missed, comes } = aScheduler();
  clock.now = TEN + 61 * MINUTE;
  expect(await comes()).toEqual({ status: 'skipped', reason: 'missed' });
  expect([runs.size, missed]).toEqual([0, [TEN]]);
  clock.now = TEN + 59 * MINUTE;
  expect(await comes()).toMatchObject({ kind: 'published' });
});

it('a clock that is a minute behind the scheduler’s finds the slot that it is called for, not the one before', async () => {
  const { clock, runs, comes } = aScheduler();
  clock.now = TEN - MINUTE;
  await comes();
  expect([...runs.keys()]).toEqual([`schedule:5:${TEN}`]);
});
