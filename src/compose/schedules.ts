import type { SchedulingData } from '../menu/schedules.ts';
import type { AutomationOffer } from '../screens/fragments/automation-offer.ts';
import { makeKeepSchedules } from '../services/schedules/keep-schedule.ts';
import { makePlannedPlaces } from '../services/schedules/planned-places.ts';
import { makeTriggers, REMOVE_TRIGGER } from '../services/schedules/triggers.ts';
import { makeAutomationOffers } from '../store/automation-offers.ts';
import { makeBriefs } from '../store/briefs.ts';
import type { Categories } from '../store/categories.ts';
import type { Connections } from '../store/connections.ts';
import { makeHints } from '../store/hints.ts';
import type { JobHandler } from '../store/jobs.ts';
import type { Ledger } from '../store/ledger.ts';
import { makePlannedTopics } from '../store/planned-topics.ts';
import type { Projects } from '../store/projects.ts';
import { makeSchedules } from '../store/schedules.ts';
import { composeContentPlan } from './content-plan.ts';
import { composeScheduleRuns, type RunsGround } from './schedule-runs.ts';

type Ground = RunsGround & {
  ledger: Ledger;
  projects: Projects;
  categories: Categories;
  connections: Pick<Connections, 'remove'>;
  now?: () => number;
};

/** Schedules: their pages, what changes them, and what their triggers start. */
export function composeSchedules({
  sql,
  desks,
  tell,
  operations,
  ledger,
  projects,
  categories,
  connections,
  schedules,
  enqueue,
  runs,
  log,
  now = Date.now,
}: Ground) {
  const store = makeSchedules(sql);
  const briefs = makeBriefs(sql);
  const triggers = makeTriggers({ schedules, enqueue, log });
  const keep = makeKeepSchedules({ operations, store, triggers, setTimezone: projects.setTimezone });
  const plannedPlaces = makePlannedPlaces({ briefOf: briefs.ofCategory, now });

  const offers = makeAutomationOffers(sql);
  const hints = makeHints(sql);
  const topics = makePlannedTopics(sql);
  const pages: SchedulingData = {
    async project(userId, projectId) {
      const project = await categories.list(userId, projectId);
      return project && { ...project, places: await planned(userId, store.ofProject(userId, projectId)) };
    },
    async category(userId, categoryId) {
      const place = await categories.place(userId, categoryId);
      return place && { ...place, places: await planned(userId, store.ofCategory(userId, categoryId)) };
    },
    place: onePlace,
    async ofSchedule(userId, scheduleId) {
      const schedule = await store.ofPerson(userId, scheduleId);
      const place = schedule && (await onePlace(userId, schedule.categoryId, schedule.connectionId));
      return place?.schedule ? { ...place, schedule: place.schedule } : null;
    },
    balance: async (userId) => (await ledger.balance(userId)) ?? 0,
    async save(userId, categoryId, connectionId, slots) {
      const key = `schedule:${categoryId}:${connectionId}:${now()}`;
      await keep.save({ key, userId, categoryId, connectionId, ...slots });
    },
    async switchOn(userId, scheduleId) {
      const schedule = await store.ofPerson(userId, scheduleId);
      if (schedule) await keep.switchOn(schedule);
    },
    async switchOff(userId, scheduleId) {
      if (await store.ofPerson(userId, scheduleId)) await keep.switchOff(scheduleId);
    },
    setAsksFirst: keep.setAsksFirst,
    remove: keep.remove,
    resumeAll: keep.resumeAll,
    async putOffAutomation(userId, publicationId) {
      const moment = await offers.due(userId, publicationId);
      if (moment) await offers.putOff(userId, moment);
      // One «Позже» for all that the page suggests.
      await hints.putOff(userId, publicationId);
    },
    now,
  };
  const removeTrigger: JobHandler = async ({ payload }) => {
    await keep.removeTrigger((payload as { id: string }).id);
    return null;
  };

  const { jobs, ...triggered } = composeScheduleRuns({
    ...{ sql, desks, tell, operations, connections, schedules, enqueue, runs, log, now },
    ...{ store, switchOff: keep.switchOff, topics, balanceOf: ledger.balance },
  });
  return {
    pages,
    plan: composeContentPlan({ store, briefs, topics, onePlace, now }),
    automation,
    hints,
    services: { saveSchedule: keep.save },
    jobs: { [REMOVE_TRIGGER]: removeTrigger, ...jobs },
    ...triggered,
    /** Of a person who leaves. */
    cancelAll: (userId: number) => cancelTriggers(userId, 'all'),
    pausedCount: async (userId: number) => (await store.pausedForTokens(userId)).length,
    // What takes triggers along: they go before the rows that they would look for (E11, E24).
    projects: {
      setTimezone: keep.moveTo,
      plans: (userId: number, projectId: number) => plansOf(userId, store.ofProject(userId, projectId)),
      async remove(userId: number, projectId: number) {
        await cancelTriggers(userId, { projectId });
        return projects.remove(userId, projectId);
      },
    },
    categories: {
      plans: (userId: number, categoryId: number) => plansOf(userId, store.ofCategory(userId, categoryId)),
      async remove(userId: number, categoryId: number) {
        await cancelTriggers(userId, { categoryId });
        return categories.remove(userId, categoryId);
      },
    },
    connections: {
      async remove(userId: number, connectionId: number) {
        await cancelTriggers(userId, { connectionId });
        return connections.remove(userId, connectionId);
      },
    },
  };

  async function automation(userId: number, publicationId: number): Promise<AutomationOffer | null> {
    const moment = await offers.due(userId, publicationId);
    const place = moment && (await onePlace(userId, moment.categoryId, moment.connectionId));
    if (!place) return null;
    const { categoryId, connectionId, price } = place;
    return { publicationId, categoryId, connectionId, price };
  }

  async function cancelTriggers(userId: number, whose: Parameters<typeof store.triggersOf>[1]) {
    await triggers.cancel(await store.triggersOf(userId, whose));
  }

  async function onePlace(userId: number, categoryId: number, connectionId: number) {
    const slot = await store.place(userId, categoryId, connectionId);
    const [place] = slot ? await plannedPlaces(userId, [slot]) : [];
    return place ?? null;
  }

  /** Only where something is planned: a card is opened often, and every place is one more read. */
  async function plansOf(userId: number, slots: ReturnType<typeof store.ofProject>) {
    const scheduled = (await slots).filter(({ schedule }) => schedule !== null);
    return { places: await plannedPlaces(userId, scheduled), now: now() };
  }

  async function planned(userId: number, slots: ReturnType<typeof store.ofProject>) {
    return plannedPlaces(userId, await slots);
  }
}
