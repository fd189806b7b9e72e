import { assign, setup } from 'xstate';
import { type Failure, failedAgain } from './failure.ts';
import type { Cancelled, FlowInput } from './flow-input.ts';
import { port } from './ports.ts';
import { isWeekday, MOST_POSTS_A_DAY, slotTimes, ticked, type Weekday, weekdays } from './week.ts';

/** What is scheduled where: loaded before the first question. */
export type ScheduleOffer = {
  categoryId: number;
  categoryName: string;
  connectionId: number;
  /** What the person knows the connection by. */
  place: string;
  timeZone: string;
  /** Of the schedule that is there already; empty where there is none. */
  days: Weekday[];
  times: string[];
};

export type SaveScheduleInput = {
  key: string;
  userId: number;
  categoryId: number;
  connectionId: number;
  days: Weekday[];
  times: string[];
};

type Context = FlowInput &
  ScheduleOffer & {
    count: number | null;
    /** Why the latest press was not taken. */
    misfit: 'no-day' | 'wrong-number-of-times' | null;
    failure: Failure | null;
  };
type Event =
  | Cancelled
  | { type: 'day.ticked'; day: string; isOn: boolean }
  | { type: 'days.chosen' }
  | { type: 'count.chosen'; count: number }
  | { type: 'time.ticked'; time: string; isOn: boolean }
  | { type: 'times.chosen' }
  | { type: 'returned' }
  | { type: 'retried' };

export const scheduleSetupMachine = setup({
  types: {} as { context: Context; events: Event; input: FlowInput & ScheduleOffer; tags: 'busy' },
  actors: {
    saveSchedule: port<{ scheduleId: number }, SaveScheduleInput>('saveSchedule'),
  },
  guards: {
    isDay: (_, { day }: { day: string }) => isWeekday(day),
    hasDay: ({ context }) => context.days.length > 0,
    isCount: (_, { count }: { count: number }) =>
      Number.isInteger(count) && count >= 1 && count <= MOST_POSTS_A_DAY,
    /** Taking a chosen time away is always possible; one more only while there is room. */
    fitsCount: ({ context }, { time, isOn }: { time: string; isOn: boolean }) =>
      slotTimes.includes(time) &&
      (!isOn || context.times.includes(time) || context.times.length < context.count!),
    hasAllTimes: ({ context }) => context.times.length === context.count,
  },
  actions: {
    tickDay: assign({
      days: ({ context }, { day, isOn }: { day: string; isOn: boolean }) =>
        ticked(context.days, day as Weekday, isOn, weekdays),
      misfit: null,
    }),
    rejectDays: assign({ misfit: 'no-day' }),
    rememberCount: assign(({ context }, { count }: { count: number }) => ({
      count,
      times: context.times.slice(0, count),
      misfit: null,
    })),
    tickTime: assign({
      times: ({ context }, { time, isOn }: { time: string; isOn: boolean }) =>
        ticked(context.times, time, isOn, slotTimes),
      misfit: null,
    }),
    rejectTimes: assign({ misfit: 'wrong-number-of-times' }),
    forgetMisfit: assign({ misfit: null }),
    rememberFailure: assign({
      failure: ({ context }, { error }: { error: unknown }) => failedAgain(context.failure, error),
    }),
  },
}).createMachine({
  id: 'ScheduleSetup',
  context: ({ input }) => ({ ...input, count: null, misfit: null, failure: null }),
  initial: 'select_days',
  states: {
    select_days: {
      on: {
        'day.ticked': {
          guard: { type: 'isDay', params: ({ event }) => event },
          actions: { type: 'tickDay', params: ({ event }) => event },
        },
        'days.chosen': [
          { guard: 'hasDay', target: 'select_count', actions: 'forgetMisfit' },
          { actions: 'rejectDays' },
        ],
        cancelled: 'cancelled',
      },
    },
    select_count: {
      on: {
        'count.chosen': {
          guard: { type: 'isCount', params: ({ event }) => event },
          target: 'select_times',
          actions: { type: 'rememberCount', params: ({ event }) => event },
        },
        returned: 'select_days',
        cancelled: 'cancelled',
      },
    },
    select_times: {
      on: {
        'time.ticked': [
          {
            guard: { type: 'fitsCount', params: ({ event }) => event },
            actions: { type: 'tickTime', params: ({ event }) => event },
          },
          { actions: 'rejectTimes' },
        ],
        'times.chosen': [{ guard: 'hasAllTimes', target: 'saving' }, { actions: 'rejectTimes' }],
        returned: { target: 'select_count', actions: 'forgetMisfit' },
        cancelled: 'cancelled',
      },
    },
    saving: {
      tags: 'busy',
      invoke: {
        id: 'saveSchedule',
        src: 'saveSchedule',
        input: ({ context }) => ({
          key: `${context.run}:saveSchedule`,
          userId: context.userId,
          categoryId: context.categoryId,
          connectionId: context.connectionId,
          days: context.days,
          times: context.times,
        }),
        onDone: 'saved',
        onError: {
          target: 'save_failed',
          actions: { type: 'rememberFailure', params: ({ event }) => event },
        },
      },
    },
    save_failed: {
      on: { retried: 'saving', cancelled: 'cancelled' },
    },
    saved: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
