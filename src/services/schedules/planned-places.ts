import type { Platform } from '../../platforms/platforms.ts';
import type { PlannedPlace, PlannedSchedule } from '../../screens/pages/schedules.ts';
import type { CategoryBrief } from '../../store/briefs.ts';
import type { Schedule, ScheduleSlot } from '../../store/schedules.ts';
import { isFlatList, type Keywords } from '../quality/choose-cluster.ts';
import { cronOf, nextSlot } from './cron.ts';
import { runPrice } from './forecast.ts';

type Deps = {
  briefOf(userId: number, categoryId: number, platform: Platform): Promise<CategoryBrief | null>;
  now(): number;
};

/** Places with what a publication would cost there, what it would be about, and when the next one comes. */
export const makePlannedPlaces =
  ({ briefOf, now }: Deps) =>
  async (userId: number, slots: readonly ScheduleSlot[]): Promise<PlannedPlace[]> => {
    const briefs = new Map<string, Promise<CategoryBrief | null>>();
    const places = await Promise.all(slots.map(planned));
    return places.filter((place) => place !== null);

    async function planned(slot: ScheduleSlot): Promise<PlannedPlace | null> {
      const { categoryId, platform } = slot;
      const name = `${categoryId}:${platform}`;
      if (!briefs.has(name)) briefs.set(name, briefOf(userId, categoryId, platform));
      const brief = await briefs.get(name);
      if (!brief) return null; // deleted since
      return {
        projectId: slot.projectId,
        projectName: slot.projectName,
        timeZone: slot.timeZone,
        categoryId,
        categoryName: slot.categoryName,
        connectionId: slot.connectionId,
        platform,
        place: slot.place,
        connectionStatus: slot.connectionStatus,
        price: runPrice(slot, brief),
        ...countsOf(brief.keywords),
        schedule: slot.schedule && toPlanned(slot.schedule, now()),
      };
    }
  };

function toPlanned(schedule: Schedule, now: number): PlannedSchedule {
  const { id, days, times, isOn, status, asksFirst, pausedFor, lastPostAt } = schedule;
  return { id, days, times, isOn, status, asksFirst, pausedFor, lastPostAt, next: nextRun(schedule, now) };
}

/** Of all its slots the nearest; null while it is off. */
export function nextRun({ isOn, days, times, timeZone }: Schedule, now: number): number | null {
  if (!isOn || times.length === 0) return null;
  return Math.min(...times.map((time) => nextSlot(cronOf(days, time), timeZone, now)));
}

function countsOf(keywords: Keywords): Pick<PlannedPlace, 'phrases' | 'articleTopics'> {
  if (isFlatList(keywords)) return { phrases: keywords.length, articleTopics: keywords.length };
  const articles = keywords.filter((each) => 'cluster_type' in each && each.cluster_type === 'article');
  return {
    phrases: keywords.reduce((sum, each) => sum + ('phrases' in each ? each.phrases.length : 0), 0),
    articleTopics: articles.length,
  };
}
