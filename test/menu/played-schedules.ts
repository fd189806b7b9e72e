import type { ContentPlanData, Plan } from '../../src/menu/content-plan.ts';
import type { SchedulingData } from '../../src/menu/schedules.ts';
import type { PlannedPlace, PlannedSchedule } from '../../src/screens/pages/schedules.ts';

export const SCHEDULE = 4;
/** A Wednesday, 12:00 in Moscow. */
export const NOW = Date.UTC(2026, 10, 18, 9);

export const PLANNED_AT = Date.UTC(2026, 10, 20, 7);

export const aSchedule: PlannedSchedule = {
  id: SCHEDULE,
  days: ['mon', 'wed', 'fri'],
  times: ['10:00'],
  isOn: true,
  status: 'active',
  asksFirst: false,
  pausedFor: null,
  lastPostAt: null,
  next: Date.UTC(2026, 10, 20, 7),
};

export const aPlace: PlannedPlace = {
  projectId: 5,
  projectName: 'Ромашка',
  timeZone: 'Europe/Moscow',
  categoryId: 9,
  categoryName: 'Свадебные букеты',
  connectionId: 3,
  platform: 'wordpress',
  place: 'romashka.ru',
  connectionStatus: 'active',
  price: 320,
  phrases: 40,
  articleTopics: 2,
  schedule: aSchedule,
};

/** Schedules of one category on one connection. */
export function playedSchedules(
  isMine: (userId: number, id: number) => boolean,
  changes: Partial<SchedulingData> = {},
  place: PlannedPlace = aPlace,
): SchedulingData {
  const { projectId, projectName, categoryName } = place;
  return {
    project: async (userId, pid) =>
      isMine(userId, pid)
        ? { projectName, categories: [{ id: place.categoryId, name: categoryName }], places: [place] }
        : null,
    category: async (userId, cid) =>
      isMine(userId, cid) ? { projectId, categoryName, places: [place] } : null,
    place: async (userId, cid) => (isMine(userId, cid) ? place : null),
    ofSchedule: async (userId) =>
      isMine(userId, place.categoryId) && place.schedule ? { ...place, schedule: place.schedule } : null,
    balance: async () => 1_500,
    save: async () => undefined,
    switchOn: async () => undefined,
    switchOff: async () => undefined,
    setAsksFirst: async () => true,
    remove: async () => true,
    resumeAll: async () => ({ on: 2, left: 0 }),
    putOffAutomation: async () => undefined,
    now: () => NOW,
    ...changes,
  };
}

/** The plan of that schedule: two slots, the first chosen by its owner. */
export function playedPlan(isMine: (userId: number, id: number) => boolean): ContentPlanData {
  const plan: Plan = {
    where: { ...aPlace, scheduleId: SCHEDULE },
    topics: [
      { at: PLANNED_AT, phrase: 'букет невесты', isChosen: true },
      { at: PLANNED_AT + 7 * 86_400_000, phrase: 'букет из роз', isChosen: false },
    ],
    others: () => ['букет на свадьбу'],
  };
  return {
    plan: async (userId) => (isMine(userId, aPlace.categoryId) ? plan : null),
    ofPlace: async (userId, categoryId) => (isMine(userId, categoryId) ? plan : null),
    draw: async () => ({ bytes: new Uint8Array([1]), name: 'plan.png' }),
    choose: async () => undefined,
    forget: async () => undefined,
    now: () => NOW,
  };
}
