import { describe, expect, it } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { scheduleSetupMachine } from '../../machines/schedule-setup.ts';

/** Up to the choice of times, with three posts a day. */
function atTimes(saved: unknown[] = []) {
  const machine = scheduleSetupMachine.provide({
    actors: {
      saveSchedule: fromPromise(async ({ input }: { input: unknown }) => {
        saved.push(input);
        return { scheduleId: 1 };
      }) as never,
    },
  });
  const actor = createActor(machine, {
    input: {
      ...{ userId: 1, run: 'r', categoryId: 9, categoryName: 'Кухни', connectionId: 3, place: 'romashka.ru' },
      ...{ timeZone: 'Europe/Moscow', days: [], times: [] },
    } as never,
  }).start();
  actor.send({ type: 'day.ticked', day: 'mon', isOn: true });
  actor.send({ type: 'days.chosen' });
  actor.send({ type: 'count.chosen', count: 3 });
  const ticks = (...times: string[]) => {
    for (const time of times) actor.send({ type: 'time.ticked', time, isOn: true });
  };
  return { actor, ticks, state: () => actor.getSnapshot() };
}

describe('X23: a schedule of three posts a day', () => {
  it('cannot be saved with fewer times than that', () => {
    const { actor, ticks, state } = atTimes();
    ticks('09:00', '12:00');
    actor.send({ type: 'times.chosen' });
    expect(state().value).toBe('select_times');
    expect(state().context.misfit).toBe('wrong-number-of-times');
  });

  it('takes no fourth time, and is saved with exactly three', () => {
    const saved: { times: string[] }[] = [];
    const { actor, ticks, state } = atTimes(saved);
    ticks('09:00', '12:00', '18:00', '20:00');
    expect(state().context.times).toEqual(['09:00', '12:00', '18:00']);
    expect(state().context.misfit).toBe('wrong-number-of-times');
    actor.send({ type: 'times.chosen' });
    expect(state().value).toBe('saving');
    expect(saved[0]!.times).toEqual(['09:00', '12:00', '18:00']);
  });

  it('drops the times that are too many when fewer posts are chosen afterwards', () => {
    const { actor, ticks, state } = atTimes();
    ticks('09:00', '12:00', '18:00');
    actor.send({ type: 'returned' });
    actor.send({ type: 'count.chosen', count: 1 });
    expect(state().context.times).toEqual(['09:00']);
  });
});
