import { z } from 'zod';
import type { Json } from '../../engine/json.ts';
import type { Operations } from '../../engine/operations.ts';
import type { Job, JobHandler } from '../../store/jobs.ts';
import type { ScheduleStore } from '../../store/schedules.ts';
import { cronOf, lastSlot } from './cron.ts';
import type { createFairGate } from './fair-gate.ts';
import type { makeRunSlot, RunReport, Slot } from './run-slot.ts';

export const SCHEDULED_RUN = 'scheduled-run';

const slotCall = z.object({
  schedule_id: z.number().int().positive(),
  user_id: z.number().int().positive(),
  time: z.string().regex(/^\d{2}:\d{2}$/u),
  attempt: z.literal(1).optional(),
});

/** A trigger may come a little before its minute: clocks differ. */
const EARLY_MS = 2 * 60_000;
/** The draft of a schedule that asks first is written this long before its slot. */
export const ASKS_BEFORE_MS = 60 * 60_000;
/** Missed for longer than this, a slot is skipped. The second try comes an hour after the first. */
const LATEST_MS = 60 * 60_000;
const LATEST_SECOND_TRY_MS = 3 * LATEST_MS;
/** By then this process is at work, or dead: jobs of its kind are taken over when their lease has ended. */
const TAKE_OVER_MS = 60_000;
const PATIENCE_MS = 300_000;

type Deps<Tx> = {
  store: Pick<ScheduleStore, 'find'>;
  operations: Pick<Operations<Tx>, 'withStages'>;
  enqueue(job: Job): Promise<unknown>;
  gate: ReturnType<typeof createFairGate>;
  run: ReturnType<typeof makeRunSlot>;
  /** Told once, however often the trigger comes. */
  tellMissed(scheduleId: number, at: number): Promise<void>;
  stopping: AbortSignal;
  now(): number;
};

export type TakeSlotCall = (body: unknown) => Promise<RunReport | 'nonsense'>;

/**
 * From a trigger to the run of its slot. The key is schedule and slot, whatever the delivery is called: however often
 * and however late the same trigger comes, it is one run, and everyone who asks gets its report.
 */
export function makeTakeSlotCall<Tx>(deps: Deps<Tx>): { take: TakeSlotCall; job: JobHandler } {
  const { store, operations, enqueue, gate, run, tellMissed, stopping, now } = deps;
  return { take, job };

  async function take(body: unknown): Promise<RunReport | 'nonsense'> {
    const parsed = slotCall.safeParse(body);
    if (!parsed.success) return 'nonsense';
    const { schedule_id: scheduleId, user_id: userId, time, attempt } = parsed.data;
    const schedule = await store.find(scheduleId);
    // Deleted, switched off or planned anew since the trigger was made (E11).
    if (!schedule?.isOn || !schedule.times.includes(time))
      return { status: 'skipped', reason: 'schedule_disabled' };
    const ahead = schedule.asksFirst ? ASKS_BEFORE_MS : 0;
    const at = lastSlot(cronOf(schedule.days, time), schedule.timeZone, now() + EARLY_MS + ahead);
    const isSecondTry = attempt !== undefined;
    if (now() - at > (isSecondTry ? LATEST_SECOND_TRY_MS : LATEST_MS)) {
      await tellMissed(scheduleId, at);
      return { status: 'skipped', reason: 'missed' };
    }
    const slot: Slot = { scheduleId, at, isSecondTry };
    const key = `schedule:${scheduleId}:${at}${isSecondTry ? ':again' : ''}`;
    const its = { key, kind: SCHEDULED_RUN, userId, payload: slot as Json };
    return gate.within(userId, PATIENCE_MS, async () => {
      await enqueue({ ...its, runAfter: now() + TAKE_OVER_MS });
      const request = { kind: SCHEDULED_RUN, payload: slot as Json };
      const call = { key, userId, request, signal: stopping };
      return operations.withStages(
        call,
        (stage, signal) => run(slot, { key, stage, signal }) as Promise<Json>,
      );
    }) as Promise<RunReport>;
  }

  /** A run whose process died. */
  function job({ key, payload }: Parameters<JobHandler>[0], { stage, signal }: Parameters<JobHandler>[1]) {
    return run(payload as Slot, { key, stage, signal }) as Promise<Json>;
  }
}
