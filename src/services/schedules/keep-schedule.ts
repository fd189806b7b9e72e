import type { SaveScheduleInput } from '../../../machines/schedule-setup.ts';
import type { Operations } from '../../engine/operations.ts';
import { AppError, NotFound } from '../../errors.ts';
import type { Schedule, ScheduleSlot, ScheduleStore } from '../../store/schedules.ts';
import type { Triggers } from './triggers.ts';

class SchedulePlaceGone extends NotFound {
  constructor() {
    super('the category or the connection of a schedule', 'Категории или подключения больше нет.');
  }
}

type Deps<Tx> = {
  operations: Pick<Operations<Tx>, 'withStages'>;
  store: Pick<
    ScheduleStore,
    | 'place'
    | 'reserve'
    | 'save'
    | 'switchOff'
    | 'setAsksFirst'
    | 'remove'
    | 'ofPerson'
    | 'ofProject'
    | 'pausedForTokens'
    | 'withTrigger'
  >;
  triggers: Triggers;
  setTimezone(userId: number, projectId: number, timeZone: string): Promise<boolean>;
};

/** Everything that changes a schedule: its row and its triggers change together, or neither does. */
export function makeKeepSchedules<Tx>({ operations, store, triggers, setTimezone }: Deps<Tx>) {
  return { save, switchOff, switchOn, remove, resumeAll, moveTo, setAsksFirst, removeTrigger };

  /** Triggers first, then the row: a scheduler that is away leaves everything as it was. */
  async function save(
    { key, userId, categoryId, connectionId, days, times }: SaveScheduleInput,
    signal?: AbortSignal,
  ): Promise<{ scheduleId: number }> {
    const request = { categoryId, connectionId, days, times };
    const call = { key, userId, request, ...(signal && { signal }) };
    return operations.withStages(call, async (stage) => {
      const place = await store.place(userId, categoryId, connectionId);
      if (!place) throw new SchedulePlaceGone();
      const scheduleId = await stage('row', () => store.reserve(categoryId, connectionId, place.platform));
      const made = await stage('triggers', () =>
        triggers.create(scheduleId, withMode(place), days, times, place.schedule?.triggers ?? []),
      );
      const before = await store.save(scheduleId, { days, times, triggers: made });
      if (!before) {
        await triggers.cancel(made);
        throw new SchedulePlaceGone();
      }
      await triggers.cancel(before.filter((id) => !made.includes(id)));
      return { scheduleId };
    });
  }

  async function switchOff(
    scheduleId: number,
    why: { status?: 'error'; pausedFor?: 'tokens' } = {},
  ): Promise<void> {
    const before = await store.switchOff(scheduleId, why);
    await triggers.cancel(before ?? []);
  }

  /** On again as it was; clears an error and its counter. */
  async function switchOn(schedule: Schedule): Promise<void> {
    await runBy(schedule, await triggersOf(schedule));
  }

  function triggersOf(schedule: Schedule): Promise<string[]> {
    return triggers.create(schedule.id, schedule, schedule.days, schedule.times, schedule.triggers);
  }

  async function runBy({ id, days, times }: Schedule, made: string[]): Promise<void> {
    const before = await store.save(id, { days, times, triggers: made });
    await triggers.cancel((before ?? made).filter((trigger) => !before || !made.includes(trigger)));
  }

  async function remove(userId: number, scheduleId: number): Promise<boolean> {
    const schedule = await store.ofPerson(userId, scheduleId);
    if (!schedule) return false;
    await switchOff(scheduleId);
    return store.remove(userId, scheduleId);
  }

  /** False: there is no such schedule. Its triggers move by an hour. */
  async function setAsksFirst(userId: number, scheduleId: number, asksFirst: boolean): Promise<boolean> {
    const schedule = await store.ofPerson(userId, scheduleId);
    if (!schedule) return false;
    const made = schedule.isOn ? await triggersOf({ ...schedule, asksFirst }) : null;
    await store.setAsksFirst(userId, scheduleId, asksFirst);
    if (made) await runBy(schedule, made);
    return true;
  }

  /** What was switched off for lack of tokens. */
  async function resumeAll(userId: number): Promise<Resumed> {
    const resumed: Resumed = { on: 0, left: 0 };
    for (const schedule of await store.pausedForTokens(userId))
      try {
        await switchOn(schedule);
        resumed.on += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        resumed.left += 1;
      }
    return resumed;
  }

  /**
   * The zone of the project, and with it the triggers of its schedules: all of them, or the zone stays as it was. False:
   * there is no such project.
   */
  async function moveTo(userId: number, projectId: number, timeZone: string): Promise<boolean> {
    const places = await store.ofProject(userId, projectId);
    const running = places.flatMap(({ schedule }) => (schedule?.isOn ? [schedule] : []));
    const moved: { schedule: Schedule; made: string[] }[] = [];
    try {
      for (const schedule of running)
        moved.push({ schedule, made: await triggersOf({ ...schedule, timeZone }) });
    } catch (error) {
      for (const { schedule, made } of moved)
        await triggers.cancel(made.filter((id) => !schedule.triggers.includes(id)));
      throw error;
    }
    if (!(await setTimezone(userId, projectId, timeZone))) return false;
    for (const { schedule, made } of moved) await runBy(schedule, made);
    return true;
  }

  /** One that could not be removed at once. A schedule may run by it again by now: planned anew, it has the same id. */
  async function removeTrigger(id: string): Promise<void> {
    if (await store.withTrigger(id)) return;
    await triggers.remove(id);
    const since = await store.withTrigger(id);
    if (since) await switchOn(since);
  }
}

/** How many run again, and how many the scheduler did not take. */
type Resumed = { on: number; left: number };

/** A schedule that is planned anew keeps asking, or not asking, as it did. */
const withMode = ({ schedule, ...place }: ScheduleSlot) => ({
  ...place,
  asksFirst: schedule?.asksFirst ?? false,
});
