import { z } from 'zod';
import type { Operations } from '../engine/operations.ts';
import type { Log } from '../log.ts';
import type { ContentPlanData, Plan } from '../menu/content-plan.ts';
import type { SchedulingData } from '../menu/schedules.ts';
import { takesArticles } from '../platforms/platforms.ts';
import type { AutomationOffer } from '../screens/fragments/automation-offer.ts';
import type { Screen } from '../screens/kit/screen.ts';
import { type RunNews, runNewsScreen } from '../screens/pages/schedule-news.ts';
import type { Told } from '../services/notify/tell-person.ts';
import { placeOf } from '../services/posts/place-of.ts';
import { makeContentPlan } from '../services/schedules/content-plan.ts';
import { cronOf, lastSlot } from '../services/schedules/cron.ts';
import type { Desk, RunPlace } from '../services/schedules/desk.ts';
import { createFairGate } from '../services/schedules/fair-gate.ts';
import { makeKeepSchedules } from '../services/schedules/keep-schedule.ts';
import { makePlannedPlaces } from '../services/schedules/planned-places.ts';
import { makeRunNow } from '../services/schedules/run-now.ts';
import { makeRunSlot, type RunReport } from '../services/schedules/run-slot.ts';
import type { Schedules } from '../services/schedules/schedules.ts';
import { makeTakeSlotCall, SCHEDULED_RUN, slotRunKey } from '../services/schedules/take-slot-call.ts';
import { makeTellReport, REPORT_RUN, type RunToTell } from '../services/schedules/tell-report.ts';
import { makeTriggers, publishPath, REMOVE_TRIGGER, slotCallOf } from '../services/schedules/triggers.ts';
import { drawWeekCard, type WeekCard } from '../services/schedules/week-card.ts';
import { makeAutomationOffers } from '../store/automation-offers.ts';
import { makeBriefs } from '../store/briefs.ts';
import type { Categories } from '../store/categories.ts';
import type { Connections } from '../store/connections.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import { makeHints } from '../store/hints.ts';
import type { Job, JobHandler } from '../store/jobs.ts';
import type { Ledger } from '../store/ledger.ts';
import { makePlannedTopics } from '../store/planned-topics.ts';
import type { Projects } from '../store/projects.ts';
import { makeSchedules } from '../store/schedules.ts';

const AGAIN_SECONDS = 3_600;

type Ground = {
  sql: Sql;
  /** Where texts are written and published, by the kind of content. */
  desks: { article: Desk; post: Desk };
  tell(userId: number, screen: Screen): Promise<Told>;
  operations: Operations<TransactionSql>;
  ledger: Ledger;
  projects: Projects;
  categories: Categories;
  connections: Pick<Connections, 'remove' | 'find'>;
  schedules: Schedules;
  enqueue(job: Job): Promise<unknown>;
  /** How many run at once in this process, and how long a call may wait for its turn. */
  runs: { most: number; patienceMs: number };
  log: Log;
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
  const contentPlan = makeContentPlan({
    neighbours: async ({ userId, projectId }) =>
      (await store.ofProject(userId, projectId)).flatMap(({ schedule }) => schedule ?? []),
    keywordsOf: ({ userId, categoryId, platform }) => briefs.ofCategory(userId, categoryId, platform),
    usesOf: briefs.uses,
    chosen: topics.of,
    now,
  });

  const plan: ContentPlanData = {
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
    await schedules.remove((payload as { id: string }).id);
    return null;
  };

  const gate = createFairGate({ most: runs.most });
  const halt = new AbortController();
  const runNow = makeRunNow({ operations, enqueue, now });
  const tellReport = makeTellReport({ screenOf, tell });
  const { take, job } = makeTakeSlotCall({
    ...{ store, runNow, gate, halted: halt.signal, now, hasBegun, tellMissed },
    patienceMs: runs.patienceMs,
    run: makeRunSlot({
      ...{ store, log, report },
      countFailure: (key, { id, userId }) =>
        operations.inTransaction({ key: `${key}:failure`, userId, request: { id } }, (tx) =>
          store.noteFailure(id, tx),
        ),
      noteSuccess: async (key, { id, userId }) =>
        void (await operations.inTransaction({ key: `${key}:success`, userId, request: { id } }, (tx) =>
          store.noteSuccess(id, tx),
        )),
      connectionStatus: async (userId, connectionId) =>
        (await connections.find(userId, connectionId))?.status ?? null,
      async placeUrl(userId, connectionId) {
        const connection = await connections.find(userId, connectionId);
        return connection && placeOf(connection).url;
      },
      deskOf: ({ platform }) => (takesArticles(platform) ? desks.article : desks.post),
      plannedPhrase: topics.phraseAt,
      heldPhrases: topics.heldAfter,
      switchOff: keep.switchOff,
      callAgain,
      balanceOf: ledger.balance,
    }),
  });

  return {
    pages,
    plan,
    automation,
    hints,
    services: { saveSchedule: keep.save },
    jobs: { [REMOVE_TRIGGER]: removeTrigger, [SCHEDULED_RUN]: job, [REPORT_RUN]: tellReport },
    takeSlotCall: take,
    pausedCount: async (userId: number) => (await store.pausedForTokens(userId)).length,
    noteGivenUp,
    busy: gate.busy,
    stop,
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

  async function callAgain(schedule: RunPlace, at: number): Promise<void> {
    const time = timeOf(at, schedule.timeZone);
    const body = { ...slotCallOf(schedule.id, schedule, time), attempt: 1 };
    const id = `again-${schedule.id}-${at}`;
    await schedules.later({ id, path: publishPath, body, delaySeconds: AGAIN_SECONDS });
  }

  /** X21: no new runs; those under way may finish. Another process goes on with what does not. */
  async function stop(graceMs: number): Promise<void> {
    await gate.close(graceMs);
    halt.abort(new Error('the process stops'));
  }

  async function report(runKey: string, schedule: RunPlace, its: RunReport): Promise<void> {
    // Every slot of a dead connection would say the same: one word a day.
    const isDaily = its.status === 'skipped' && its.reason === 'connection_inactive' && !its.isStopped;
    const day = new Date(now()).toISOString().slice(0, 10);
    const key = `${isDaily ? `schedule:${schedule.id}:inactive:${day}` : runKey}:report`;
    if (isDaily && (await hasBegun(key))) return;
    const payload = { schedule, report: its };
    const job = { key, kind: REPORT_RUN, userId: schedule.userId, payload };
    try {
      await runNow(job, tellReport);
    } catch (error) {
      log.warn({ err: error, schedule: schedule.id }, 'the report of a run will be told later');
    }
  }

  function screenOf({ schedule, report: its }: RunToTell, isRepeat: boolean): Screen | null {
    const news = toNews(its, now());
    return news && runNewsScreen(schedule, news, { isRepeat });
  }

  async function tellMissed(scheduleId: number, at: number): Promise<void> {
    const key = `schedule:${scheduleId}:${at}:missed`;
    const schedule = await store.find(scheduleId);
    if (!schedule || (await hasBegun(`${key}:report`))) return;
    const { lastPostAt: _, ...its } = schedule;
    await report(key, its, { status: 'skipped', reason: 'missed', at });
  }

  async function hasBegun(key: string): Promise<boolean> {
    const found = await sql`select from operations where key = ${key}`;
    return found.length > 0;
  }

  /** All retries of a delivery failed: the slot is lost, and its owner is told. */
  async function noteGivenUp(body: unknown): Promise<void> {
    const call = sourceOf(body);
    const schedule = call && (await store.find(call.schedule_id));
    if (!call || !schedule?.isOn) return;
    const at = lastSlot(cronOf(schedule.days, call.time), schedule.timeZone, now());
    log.warn({ schedule: schedule.id, at }, 'a slot was given up');
    // A run that has begun tells of itself: only its deliveries were lost.
    const key = slotRunKey({ scheduleId: schedule.id, at, isSecondTry: call.attempt !== undefined });
    if (!(await hasBegun(key))) await tellMissed(schedule.id, at);
  }

  async function cancelTriggers(userId: number, whose: Parameters<typeof store.triggersOf>[1]) {
    await triggers.cancel(await store.triggersOf(userId, whose));
  }

  async function planOf(userId: number, scheduleId: number): Promise<Plan | null> {
    const schedule = await store.ofPerson(userId, scheduleId);
    const place = schedule?.isOn && (await onePlace(userId, schedule.categoryId, schedule.connectionId));
    if (!place) return null;
    return { where: { ...place, scheduleId }, ...(await contentPlan(schedule)) };
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

/** HH:MM of a moment, as the clock stands in that zone. */
const timeOf = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at);

const givenUp = z.object({ sourceBody: z.string() });
const lostCall = z.object({ schedule_id: z.number(), time: z.string(), attempt: z.number().optional() });

/** What a failure callback is about; null for what is none. */
function sourceOf(body: unknown): z.infer<typeof lostCall> | null {
  const parsed = givenUp.safeParse(body);
  if (!parsed.success) return null;
  try {
    const source: unknown = JSON.parse(Buffer.from(parsed.data.sourceBody, 'base64').toString());
    return lostCall.safeParse(source).data ?? null;
  } catch {
    return null; // not ours: no JSON
  }
}

/** Null: nothing that its owner would want to hear. */
function toNews(its: RunReport, now: number): RunNews | null {
  if (its.status === 'error') return { ...its, kind: 'failed' };
  if (its.status === 'ok') return { url: null, left: null, draftId: null, placeUrl: null, ...its };
  switch (its.reason) {
    case 'schedule_disabled':
      return null;
    case 'missed':
      return its.at === undefined ? null : { kind: 'missed', at: its.at, now };
    case 'insufficient_balance':
      return { kind: 'no-tokens', needed: its.needed ?? 0, balance: its.balance ?? 0 };
    default:
      return { kind: 'skipped', reason: its.reason, isStopped: its.isStopped ?? false };
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
