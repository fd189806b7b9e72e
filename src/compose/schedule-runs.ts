import { z } from 'zod';
import type { Operations } from '../engine/operations.ts';
import type { Log } from '../log.ts';
import { takesArticles } from '../platforms/platforms.ts';
import type { Screen } from '../screens/kit/screen.ts';
import { type RunNews, runNewsScreen } from '../screens/pages/schedule-news.ts';
import type { Told } from '../services/notify/tell-person.ts';
import { placeOf } from '../services/posts/place-of.ts';
import { cronOf, lastSlot, timeOf } from '../services/schedules/cron.ts';
import type { Desk, RunPlace } from '../services/schedules/desk.ts';
import { createFairGate } from '../services/schedules/fair-gate.ts';
import type { makeKeepSchedules } from '../services/schedules/keep-schedule.ts';
import { makeRunNow } from '../services/schedules/run-now.ts';
import { makeRunSlot, type RunReport } from '../services/schedules/run-slot.ts';
import type { Schedules } from '../services/schedules/schedules.ts';
import { makeTakeSlotCall, SCHEDULED_RUN, slotRunKey } from '../services/schedules/take-slot-call.ts';
import { makeTellReport, REPORT_RUN, type RunToTell } from '../services/schedules/tell-report.ts';
import { publishPath, slotCallOf } from '../services/schedules/triggers.ts';
import type { Connections } from '../store/connections.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import type { Job } from '../store/jobs.ts';
import type { Ledger } from '../store/ledger.ts';
import type { makePlannedTopics } from '../store/planned-topics.ts';
import type { makeSchedules } from '../store/schedules.ts';

const AGAIN_SECONDS = 3_600;

export type RunsGround = {
  sql: Sql;
  /** Where texts are written and published, by the kind of content. */
  desks: { article: Desk; post: Desk };
  tell(userId: number, screen: Screen): Promise<Told>;
  operations: Operations<TransactionSql>;
  connections: Pick<Connections, 'find'>;
  schedules: Schedules;
  enqueue(job: Job): Promise<unknown>;
  /** How many run at once in this process, and how long a call may wait for its turn. */
  runs: { most: number; patienceMs: number };
  log: Log;
};

type Ground = RunsGround & {
  store: ReturnType<typeof makeSchedules>;
  switchOff: ReturnType<typeof makeKeepSchedules>['switchOff'];
  topics: Pick<ReturnType<typeof makePlannedTopics>, 'phraseAt' | 'heldAfter'>;
  balanceOf: Ledger['balance'];
  now(): number;
};

/** What the triggers of schedules start: runs, their reports, and what becomes of slots that were missed. */
export function composeScheduleRuns({
  sql,
  desks,
  tell,
  operations,
  connections,
  schedules,
  enqueue,
  runs,
  log,
  store,
  switchOff,
  topics,
  balanceOf,
  now,
}: Ground) {
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
      switchOff,
      callAgain,
      balanceOf,
    }),
  });

  return {
    jobs: { [SCHEDULED_RUN]: job, [REPORT_RUN]: tellReport },
    takeSlotCall: take,
    noteGivenUp,
    busy: gate.busy,
    stop,
  };

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
}

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
