import { z } from 'zod';
import type { Json } from '../../engine/json.ts';
import type { JobHandler } from '../../store/jobs.ts';
import type { ScheduleStore } from '../../store/schedules.ts';
import { cronOf, lastSlot } from './cron.ts';
import type { FairGate } from './fair-gate.ts';
import type { RunNow } from './run-now.ts';
import type { makeRunSlot, RunReport, Slot } from './run-slot.ts';

export const SCHEDULED_RUN = 'scheduled-run';

const slotCall = z.object({
  schedule_id: z.number().int().positive(),
  time: z.string().regex(/^\d{2}:\d{2}$/u),
  attempt: z.literal(1).optional(),
});

/** A trigger may come a little before its minute: clocks differ. */
const EARLY_MS = 2 * 60_000;
/** The draft of a schedule that asks first is written this long before its slot. */
const ASKS_BEFORE_MS = 60 * 60_000;
/** Missed for longer than this, a slot is skipped. The second try comes an hour after the first. */
const LATEST_MS = 60 * 60_000;
const LATEST_SECOND_TRY_MS = 3 * LATEST_MS;

type Deps = {
  store: Pick<ScheduleStore, 'find' | 'noteCall'>;
  runNow: RunNow;
  gate: FairGate;
  /** How long a call may wait for room. */
  patienceMs: number;
  run: ReturnType<typeof makeRunSlot>;
  /** Whether there is a run under this key, whatever became of it. */
  hasBegun(key: string): Promise<boolean>;
  /** Told once, however often the trigger comes. */
  tellMissed(scheduleId: number, at: number): Promise<void>;
  /** Aborted when a stopping process has waited long enough for its runs. */
  halted: AbortSignal;
  now(): number;
};

export type TakeSlotCall = (body: unknown, waitingSince?: number) => Promise<RunReport | 'nonsense'>;

export const slotRunKey = ({ scheduleId, at, isSecondTry }: Slot): string =>
  `schedule:${scheduleId}:${at}${isSecondTry ? ':again' : ''}`;

/**
 * From a trigger to the run of its slot. The key is schedule and slot, whatever the delivery is called: however often
 * and however late the same trigger comes, it is one run, and everyone who asks gets its report.
 */
export function makeTakeSlotCall(deps: Deps): { take: TakeSlotCall; job: JobHandler } {
  const { store, runNow, gate, patienceMs, run, hasBegun, tellMissed, halted, now } = deps;
  return { take, job };

  /** `waitingSince`: a call that waited for room in our own queue was not missed, however late it comes. */
  async function take(body: unknown, waitingSince?: number): Promise<RunReport | 'nonsense'> {
    const parsed = slotCall.safeParse(body);
    if (!parsed.success) return 'nonsense';
    const { schedule_id: scheduleId, time, attempt } = parsed.data;
    const schedule = await store.find(scheduleId);
    if (schedule) await store.noteCall(scheduleId);
    // Deleted, switched off or planned anew since the trigger was made (E11).
    if (!schedule?.isOn || !schedule.times.includes(time))
      return { status: 'skipped', reason: 'schedule_disabled' };
    const came = Math.min(waitingSince ?? now(), now());
    const ahead = schedule.asksFirst ? ASKS_BEFORE_MS : 0;
    const at = lastSlot(cronOf(schedule.days, time), schedule.timeZone, came + EARLY_MS + ahead);
    const isSecondTry = attempt !== undefined;
    const slot: Slot = { scheduleId, at, isSecondTry };
    const key = slotRunKey(slot);
    const isLate = came - at > (isSecondTry ? LATEST_SECOND_TRY_MS : LATEST_MS);
    // A late repeat of a trigger that came in time gets the report of its run.
    if (isLate && !(await hasBegun(key))) {
      await tellMissed(scheduleId, at);
      return { status: 'skipped', reason: 'missed' };
    }
    const { userId } = schedule;
    const its = { key, kind: SCHEDULED_RUN, userId, payload: slot as Json };
    return gate.within(userId, patienceMs, () => runNow(its, job, halted)) as Promise<RunReport>;
  }

  function job({ key, payload }: Parameters<JobHandler>[0], { stage, signal }: Parameters<JobHandler>[1]) {
    return run(payload as Slot, { key, stage, signal }) as Promise<Json>;
  }
}
