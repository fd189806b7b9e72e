import type { ContentPlanData, Plan } from '../menu/content-plan.ts';
import { makeContentPlan } from '../services/schedules/content-plan.ts';
import { timeOf } from '../services/schedules/cron.ts';
import { drawWeekCard, type WeekCard } from '../services/schedules/week-card.ts';
import type { makeBriefs } from '../store/briefs.ts';
import type { makePlannedTopics } from '../store/planned-topics.ts';
import type { makeSchedules } from '../store/schedules.ts';

type Ground = {
  store: ReturnType<typeof makeSchedules>;
  briefs: ReturnType<typeof makeBriefs>;
  topics: ReturnType<typeof makePlannedTopics>;
  /** A category's channel or site, with its schedule and what a text costs there. */
  onePlace(
    userId: number,
    categoryId: number,
    connectionId: number,
  ): Promise<Omit<Plan['where'], 'scheduleId'> | null>;
  now(): number;
};

/** What a schedule is going to write about, which its owner may change. */
export function composeContentPlan({ store, briefs, topics, onePlace, now }: Ground): ContentPlanData {
  const contentPlan = makeContentPlan({
    neighbours: async ({ userId, projectId }) =>
      (await store.ofProject(userId, projectId)).flatMap(({ schedule }) => schedule ?? []),
    keywordsOf: ({ userId, categoryId, platform }) => briefs.ofCategory(userId, categoryId, platform),
    usesOf: briefs.uses,
    chosen: topics.of,
    now,
  });

  return {
    plan: planOf,
    async ofPlace(userId, categoryId, connectionId) {
      const slot = await store.place(userId, categoryId, connectionId);
      if (!slot) return null;
      return (slot.schedule && (await planOf(userId, slot.schedule.id))) ?? 'off';
    },
    async draw({ where, topics: planned }) {
      const bytes = await drawWeekCard(toWeekCard(where, planned, now()));
      return { bytes, name: 'plan.png' };
    },
    choose: topics.choose,
    forget: topics.forget,
    now,
  };

  async function planOf(userId: number, scheduleId: number): Promise<Plan | null> {
    const schedule = await store.ofPerson(userId, scheduleId);
    const place = schedule?.isOn && (await onePlace(userId, schedule.categoryId, schedule.connectionId));
    if (!place) return null;
    return { where: { ...place, scheduleId }, ...(await contentPlan(schedule)) };
  }
}

const DAY_MS = 86_400_000;

/** Seven days from today, as the calendar stands in the project's zone. */
function toWeekCard(
  { categoryName, place, timeZone }: Plan['where'],
  topics: Plan['topics'],
  now: number,
): WeekCard {
  const dayOf = (moment: number) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(moment);
  const label = new Intl.DateTimeFormat('ru-RU', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
  return {
    title: `План на неделю · ${categoryName} → ${place}`,
    days: Array.from({ length: 7 }, (_, i) => now + i * DAY_MS).map((moment, i) => ({
      label: label.format(moment),
      isToday: i === 0,
      topics: topics
        .filter(({ at }) => dayOf(at) === dayOf(moment))
        .map(({ at, phrase }) => ({ time: timeOf(at, timeZone), phrase: phrase ?? '—' })),
    })),
  };
}
