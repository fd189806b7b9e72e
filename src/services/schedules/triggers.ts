import { hash, randomUUID } from 'node:crypto';
import type { Weekday } from '../../../machines/week.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Job } from '../../store/jobs.ts';
import type { Schedule } from '../../store/schedules.ts';
import { cronOf } from './cron.ts';
import type { Schedules } from './schedules.ts';

/** What a trigger brings back to `/api/publish`. */
type SlotCall = {
  schedule_id: number;
  category_id: number;
  connection_id: number;
  platform_type: string;
  user_id: number;
  project_id: number;
  /** HH:MM of the slot, in the zone of the project. */
  time: string;
  /** For the log. */
  idempotency_key: string;
  /** 1: the second and last try after all models were away. */
  attempt?: 1;
};

export const publishPath = '/api/publish';
export const failurePath = '/api/publish/failure';
/** Unix ms since when a call waits in our own queue for room. QStash sends nothing like it. */
export const waitingSinceHeader = 'x-waiting-since';
export const REMOVE_TRIGGER = 'remove-trigger';

class SchedulerAway extends AppError {
  readonly code = 'SCHEDULER_AWAY';
  readonly userMessage =
    'Планировщик сейчас не отвечает, расписание не изменилось. Попробуйте ещё раз через пару минут.';
  override readonly retryable = true;
}

type Place = Pick<
  Schedule,
  'categoryId' | 'connectionId' | 'platform' | 'userId' | 'projectId' | 'timeZone'
> & { asksFirst?: boolean };

export const slotCallOf = (scheduleId: number, place: Place, time: string): SlotCall => ({
  schedule_id: scheduleId,
  category_id: place.categoryId,
  connection_id: place.connectionId,
  platform_type: place.platform,
  user_id: place.userId,
  project_id: place.projectId,
  time,
  idempotency_key: `pub_${scheduleId}_${time}`,
});

export type Triggers = ReturnType<typeof makeTriggers>;

/** The calls that start a schedule's runs, one per slot. */
export function makeTriggers({
  schedules,
  enqueue,
  log,
}: {
  schedules: Schedules;
  enqueue(job: Job): Promise<unknown>;
  log: Log;
}) {
  return { create, cancel, remove: schedules.remove };

  /**
   * All of them or none. Their ids name the days and the zone too: new triggers stand beside the old ones until the
   * schedule is saved, and a slot that both call is still one run. Those in `standing`, by which it runs now, outlive a
   * failure.
   */
  async function create(
    scheduleId: number,
    place: Place,
    days: readonly Weekday[],
    times: readonly string[],
    standing: readonly string[],
  ): Promise<string[]> {
    const made: string[] = [];
    try {
      for (const time of times) {
        // A draft that waits for a yes is written an hour ahead; slots begin at six, so the day stays the same.
        const cron = cronOf(days, place.asksFirst ? hourBefore(time) : time);
        const mark = hash('sha1', `${cron} ${place.timeZone}`, 'hex').slice(0, 8);
        const id = `schedule-${scheduleId}-${time.replace(':', '')}-${mark}`;
        made.push(id);
        const body = slotCallOf(scheduleId, place, time);
        await schedules.set({ id, path: publishPath, cron, timeZone: place.timeZone, body, failurePath });
      }
      return made;
    } catch (error) {
      log.warn({ err: error, schedule: scheduleId }, 'triggers could not be made');
      await cancel(made.filter((id) => !standing.includes(id)));
      throw new SchedulerAway(`schedule ${scheduleId}`, { cause: error });
    }
  }

  /** Never fails: what cannot be removed now is removed later. A trigger that fires meanwhile finds no schedule. */
  async function cancel(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      try {
        await schedules.remove(id);
      } catch (error) {
        log.warn({ err: error, trigger: id }, 'a trigger will be removed later');
        const key = `${REMOVE_TRIGGER}:${id}:${randomUUID()}`;
        await enqueue({ key, kind: REMOVE_TRIGGER, userId: null, payload: { id } });
      }
    }
  }
}

const hourBefore = (time: string): string =>
  `${String(Number(time.slice(0, 2)) - 1).padStart(2, '0')}${time.slice(2)}`;
