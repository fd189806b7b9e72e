import type { Weekday } from '../../machines/week.ts';
import type { Platform } from '../platforms/platforms.ts';
import type { Sql, TransactionSql } from './database.ts';
import { shownName } from './shown-name.ts';

/** A schedule with everything that a trigger, a page or a run needs to know of it. */
export type Schedule = {
  id: number;
  userId: number;
  projectId: number;
  projectName: string;
  timeZone: string;
  categoryId: number;
  categoryName: string;
  connectionId: number;
  platform: Platform;
  /** What the person knows the connection by, and what the platform does. */
  place: string;
  target: string;
  days: Weekday[];
  times: string[];
  isOn: boolean;
  status: 'active' | 'error';
  /** Drafts are shown and wait for a yes. */
  asksFirst: boolean;
  errorCount: number;
  /** Why it was switched off by itself. */
  pausedFor: 'tokens' | null;
  triggers: string[];
  lastPostAt: Date | null;
};

/** Where something may be scheduled, and what is. */
export type ScheduleSlot = Omit<Schedule, keyof ScheduleRow | 'id'> & {
  connectionStatus: 'active' | 'error' | 'disconnected';
  takesPictures: boolean;
  schedule: Schedule | null;
};
type ScheduleRow = Pick<
  Schedule,
  'days' | 'times' | 'isOn' | 'status' | 'asksFirst' | 'errorCount' | 'pausedFor' | 'triggers' | 'lastPostAt'
>;

export type ScheduleStore = ReturnType<typeof makeSchedules>;

/** What people ask for takes their id: a schedule in somebody else's project is not found. */
export function makeSchedules(sql: Sql) {
  return {
    find,
    ofPerson,
    place,
    ofCategory,
    ofProject,
    pausedForTokens,
    withTrigger,
    reserve,
    save,
    switchOff,
    setAsksFirst,
    remove,
    triggersOf,
    noteCall,
    noteSuccess,
    noteFailure,
  };

  /** For the scheduler's own calls: not limited to one person. */
  async function find(scheduleId: number): Promise<Schedule | null> {
    const [row] = await select(sql`s.id = ${scheduleId}`);
    return row ?? null;
  }

  async function ofPerson(userId: number, scheduleId: number): Promise<Schedule | null> {
    const [row] = await select(sql`s.id = ${scheduleId} and p.user_id = ${userId}`);
    return row ?? null;
  }

  /** A category and a connection of one project. */
  async function place(
    userId: number,
    categoryId: number,
    connectionId: number,
  ): Promise<ScheduleSlot | null> {
    const [slot] = await slots(userId, sql`c.id = ${categoryId} and n.id = ${connectionId}`);
    return slot ?? null;
  }

  /** One for every connection of the project, with its schedule if it has one. */
  async function ofCategory(userId: number, categoryId: number): Promise<ScheduleSlot[]> {
    return slots(userId, sql`c.id = ${categoryId}`);
  }

  async function ofProject(userId: number, projectId: number): Promise<ScheduleSlot[]> {
    return slots(userId, sql`p.id = ${projectId}`);
  }

  async function pausedForTokens(userId: number): Promise<Schedule[]> {
    return select(sql`p.user_id = ${userId} and s.paused_for = 'tokens' and not s.enabled`);
  }

  /** The schedule that runs by this trigger. */
  async function withTrigger(id: string): Promise<Schedule | null> {
    const [row] = await select(sql`s.qstash_schedule_ids @> array[${id}]::text[] and s.enabled`);
    return row ?? null;
  }

  /** The row of a place, made where there is none; switched off until its triggers exist. */
  async function reserve(categoryId: number, connectionId: number, platform: Platform): Promise<number> {
    const [row] = await sql<[{ id: number }]>`
      insert into platform_schedules (category_id, platform_type, connection_id)
      values (${categoryId}, ${platform}, ${connectionId})
      on conflict (category_id, platform_type, connection_id) do update set category_id = excluded.category_id
      returning id`;
    return row.id;
  }

  /** Switches it on with its new slots. Returns the triggers it had before; null: the row is gone. */
  async function save(
    scheduleId: number,
    {
      days,
      times,
      triggers,
    }: { days: readonly Weekday[]; times: readonly string[]; triggers: readonly string[] },
  ): Promise<string[] | null> {
    const [row] = await sql<{ before: string[] }[]>`
      with before as (select id, qstash_schedule_ids from platform_schedules where id = ${scheduleId} for update)
      update platform_schedules s set schedule_days = ${[...days]}, schedule_times = ${[...times]},
        posts_per_day = ${times.length}, qstash_schedule_ids = ${[...triggers]}, enabled = true, status = 'active',
        error_count = 0, paused_for = null, planned_at = now()
      from before where s.id = before.id
      returning before.qstash_schedule_ids as before`;
    return row?.before ?? null;
  }

  /** Returns the triggers it had; null: there is no such schedule. */
  async function switchOff(
    scheduleId: number,
    why: { status?: 'error'; pausedFor?: 'tokens' } = {},
  ): Promise<string[] | null> {
    const [row] = await sql<{ before: string[] }[]>`
      with before as (select id, qstash_schedule_ids from platform_schedules where id = ${scheduleId} for update)
      update platform_schedules s set enabled = false, qstash_schedule_ids = '{}',
        status = ${why.status ?? 'active'}, paused_for = ${why.pausedFor ?? null}
      from before where s.id = before.id
      returning before.qstash_schedule_ids as before`;
    return row?.before ?? null;
  }

  async function setAsksFirst(userId: number, scheduleId: number, asksFirst: boolean): Promise<boolean> {
    const { count } = await sql`
      update platform_schedules s set asks_first = ${asksFirst} from categories c, projects p
      where s.id = ${scheduleId} and c.id = s.category_id and p.id = c.project_id and p.user_id = ${userId}`;
    return count > 0;
  }

  /** Its triggers must be gone before. */
  async function remove(userId: number, scheduleId: number): Promise<boolean> {
    const { count } = await sql`
      delete from platform_schedules s using categories c, projects p
      where s.id = ${scheduleId} and c.id = s.category_id and p.id = c.project_id and p.user_id = ${userId}`;
    return count > 0;
  }

  /** Of everything that goes when the category, the connection, the project or the person goes. */
  async function triggersOf(
    userId: number,
    whose: { categoryId: number } | { connectionId: number } | { projectId: number } | 'all',
  ): Promise<string[]> {
    const condition =
      whose === 'all'
        ? sql`true`
        : 'categoryId' in whose
          ? sql`s.category_id = ${whose.categoryId}`
          : 'connectionId' in whose
            ? sql`s.connection_id = ${whose.connectionId}`
            : sql`c.project_id = ${whose.projectId}`;
    const rows = await sql<{ id: string }[]>`
      select unnest(s.qstash_schedule_ids) as id from platform_schedules s
      join categories c on c.id = s.category_id join projects p on p.id = c.project_id
      where ${condition} and p.user_id = ${userId}`;
    return rows.map(({ id }) => id);
  }

  /** A trigger of it has come, whatever becomes of the slot. */
  async function noteCall(scheduleId: number): Promise<void> {
    await sql`update platform_schedules set called_at = now() where id = ${scheduleId}`;
  }

  async function noteSuccess(scheduleId: number, on: Sql | TransactionSql = sql): Promise<null> {
    await on`
      update platform_schedules set last_post_at = now(), error_count = 0, status = 'active'
      where id = ${scheduleId}`;
    return null;
  }

  /** How many failures of the platform have followed one another (E55); null: the schedule is gone. */
  async function noteFailure(scheduleId: number, on: Sql | TransactionSql = sql): Promise<number | null> {
    const [row] = await on<{ count: number }[]>`
      update platform_schedules set error_count = error_count + 1 where id = ${scheduleId}
      returning error_count as count`;
    return row?.count ?? null;
  }

  function select(condition: ReturnType<typeof sql>) {
    return sql<Schedule[]>`
      select ${schedule()}, ${surroundings()} from platform_schedules s
      join categories c on c.id = s.category_id join projects p on p.id = c.project_id
      join platform_connections n on n.id = s.connection_id
      where ${condition} order by s.id`;
  }

  async function slots(userId: number, condition: ReturnType<typeof sql>): Promise<ScheduleSlot[]> {
    const rows = await sql<(ScheduleSlot & Omit<Schedule, 'id'> & { id: number | null })[]>`
      select ${schedule()}, ${surroundings()}, n.status as "connectionStatus",
        n.metadata -> 'photos' is distinct from 'false'::jsonb as "takesPictures"
      from categories c join projects p on p.id = c.project_id
      join platform_connections n on n.project_id = p.id
      left join platform_schedules s on s.category_id = c.id and s.connection_id = n.id
      where ${condition} and p.user_id = ${userId}
      order by c.created_at desc, c.id desc, n.created_at, n.id`;
    return rows.map(({ connectionStatus, takesPictures, ...row }) => ({
      ...row,
      connectionStatus,
      takesPictures,
      schedule: row.id === null ? null : (row as Schedule),
    }));
  }

  function schedule() {
    return sql`s.id, s.schedule_days as days, s.schedule_times as times, s.enabled as "isOn", s.status,
      s.asks_first as "asksFirst", s.error_count as "errorCount", s.paused_for as "pausedFor",
      s.qstash_schedule_ids as triggers, s.last_post_at as "lastPostAt"`;
  }

  function surroundings() {
    return sql`p.user_id as "userId", p.id as "projectId", p.name as "projectName",
      coalesce(p.timezone, 'Europe/Moscow') as "timeZone", c.id as "categoryId", c.name as "categoryName",
      n.id as "connectionId", n.platform_type as platform, ${shownName(sql)} as place, n.identifier as target`;
  }
}
