import type { Operations } from '../engine/operations.ts';
import type { Log } from '../log.ts';
import type { SchedulingData } from '../menu/schedules.ts';
import { makeKeepSchedules } from '../services/schedules/keep-schedule.ts';
import { makePlannedPlaces } from '../services/schedules/planned-places.ts';
import type { Schedules } from '../services/schedules/schedules.ts';
import { makeTriggers, REMOVE_TRIGGER } from '../services/schedules/triggers.ts';
import { makeBriefs } from '../store/briefs.ts';
import type { Categories } from '../store/categories.ts';
import type { Connections } from '../store/connections.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import type { Job, JobHandler } from '../store/jobs.ts';
import type { Ledger } from '../store/ledger.ts';
import type { Projects } from '../store/projects.ts';
import { makeSchedules } from '../store/schedules.ts';

type Ground = {
  sql: Sql;
  operations: Operations<TransactionSql>;
  ledger: Ledger;
  projects: Projects;
  categories: Categories;
  connections: Pick<Connections, 'remove'>;
  schedules: Schedules;
  enqueue(job: Job): Promise<unknown>;
  log: Log;
  now?: () => number;
};

/** Schedules: their pages, what changes them, and what their triggers start. */
export function composeSchedules({
  sql,
  operations,
  ledger,
  projects,
  categories,
  connections,
  schedules,
  enqueue,
  log,
  now = Date.now,
}: Ground) {
  const store = makeSchedules(sql);
  const briefs = makeBriefs(sql);
  const triggers = makeTriggers({ schedules, enqueue, log });
  const keep = makeKeepSchedules({ operations, store, triggers, setTimezone: projects.setTimezone });
  const plannedPlaces = makePlannedPlaces({ briefOf: briefs.ofCategory, now });

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
    setAsksFirst: store.setAsksFirst,
    remove: keep.remove,
    resumeAll: keep.resumeAll,
    now,
  };
  const removeTrigger: JobHandler = async ({ payload }) => {
    await schedules.remove((payload as { id: string }).id);
    return null;
  };

  return {
    pages,
    services: { saveSchedule: keep.save },
    jobs: { [REMOVE_TRIGGER]: removeTrigger },
    // What takes triggers along: they go before the rows that they would look for (E11, E24).
    projects: {
      setTimezone: keep.moveTo,
      async remove(userId: number, projectId: number) {
        await cancelTriggers(userId, { projectId });
        return projects.remove(userId, projectId);
      },
    },
    categories: {
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

  async function cancelTriggers(userId: number, whose: Parameters<typeof store.triggersOf>[1]) {
    await triggers.cancel(await store.triggersOf(userId, whose));
  }

  async function onePlace(userId: number, categoryId: number, connectionId: number) {
    const slot = await store.place(userId, categoryId, connectionId);
    const [place] = slot ? await plannedPlaces(userId, [slot]) : [];
    return place ?? null;
  }

  async function planned(userId: number, slots: ReturnType<typeof store.ofProject>) {
    return plannedPlaces(userId, await slots);
  }
}
