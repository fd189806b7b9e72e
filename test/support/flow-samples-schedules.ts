import type { ScheduleOffer, scheduleSetupMachine } from '../../machines/schedule-setup.ts';
import type { FlowSamples } from './flow-events.ts';
import { errors, start } from './sample-errors.ts';

const planned: ScheduleOffer = {
  categoryId: 5,
  categoryName: 'Свадебные букеты',
  connectionId: 9,
  place: '@romashka',
  timeZone: 'Europe/Moscow',
  days: [],
  times: [],
};

export const scheduleSamples: { ScheduleSetup: FlowSamples<typeof scheduleSetupMachine> } = {
  ScheduleSetup: {
    inputs: {
      'nothing planned yet': { ...start, ...planned },
      'planned before': { ...start, ...planned, days: ['mon', 'fri'], times: ['09:00', '18:00'] },
    },
    texts: {},
    presses: [
      { type: 'day.ticked', day: 'mon', isOn: true },
      { type: 'day.ticked', day: 'mon', isOn: false },
      { type: 'days.chosen' },
      { type: 'count.chosen', count: 1 },
      { type: 'count.chosen', count: 2 },
      { type: 'time.ticked', time: '09:00', isOn: true },
      { type: 'time.ticked', time: '10:00', isOn: true },
      { type: 'time.ticked', time: '10:00', isOn: false },
      { type: 'times.chosen' },
      { type: 'returned' },
      { type: 'retried' },
      { type: 'cancelled' },
    ],
    actors: { saveSchedule: { outputs: [{ scheduleId: 3 }], errors } },
  },
};
