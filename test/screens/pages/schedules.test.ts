import { expect, it } from 'vitest';
import { toHtml } from '../../../src/messengers/telegram/to-html.ts';
import {
  deleteScheduleScreen,
  type PlannedPlace,
  type PlannedSchedule,
  projectScheduleScreen,
  scheduleSavedScreen,
  scheduleScreen,
} from '../../../src/screens/pages/schedules.ts';

const schedule: PlannedSchedule = {
  ...{ id: 7, days: ['mon', 'wed', 'fri'], times: ['10:00'], isOn: true, status: 'active' },
  ...{ asksFirst: false, pausedFor: null, lastPostAt: null, next: Date.parse('2026-11-23T07:00:00Z') },
};
const place: PlannedPlace = {
  ...{
    projectId: 5,
    projectName: 'Ромашка',
    timeZone: 'Europe/Moscow',
    categoryId: 3,
    categoryName: 'Букеты',
  },
  ...{ connectionId: 4, platform: 'telegram', place: '@flowers', connectionStatus: 'active', price: 40 },
  ...{ phrases: 50, articleTopics: 5, schedule },
};
const shown = (changes: Partial<PlannedSchedule>) =>
  toHtml(
    scheduleScreen(
      { ...place, schedule: { ...schedule, ...changes } },
      { balance: 1_500, isAdmin: false, now: Date.parse('2026-11-18T07:00:00Z') },
    ).text,
  );

it('tells what a schedule spends while it is on', () => {
  expect(shown({})).toContain('Расход: до 120 токенов в неделю');
  expect(shown({ isOn: false, next: null })).not.toContain('Расход');
});

it('says of a schedule that would be deleted how much goes with it, and in which time', () => {
  expect(toHtml(deleteScheduleScreen({ ...place, schedule }).text)).toContain(
    'Больше не будут выходить:\n• 3 публикации в неделю',
  );
});

it('says whose weeks the balance was counted for: other projects live of it too', () => {
  const planning = { balance: 1_500, isAdmin: false, now: Date.parse('2026-11-18T07:00:00Z') };
  expect(toHtml(scheduleSavedScreen(place, planning).text)).toContain(
    'этому расписанию хватит примерно на 12 недель',
  );
  const categories = { items: [{ id: 3, name: 'Букеты' }], page: 1, pages: 1, count: 1 };
  const { text } = projectScheduleScreen(place, { ...planning, places: [place] }, categories);
  expect(toHtml(text)).toContain('этому проекту хватит примерно на 12 недель');
});

it('does not call texts repeated that will not come out at all: without a phrase for articles each is skipped (E40)', () => {
  const article = { ...place, platform: 'wordpress' as const };
  const warned = (articleTopics: number) =>
    toHtml(scheduleScreen({ ...article, articleTopics }, { balance: 1_500, isAdmin: false, now: 0 }).text);
  expect(warned(0)).toContain('Публикации будут пропускаться');
  expect(warned(2)).toContain('тексты начнут повторяться');
});
