import type { Sql } from './database.ts';

type Workload = {
  /**
   * `lateSeconds`: of the call that is due longest. `silent`: schedules whose last slot, of the past day, passed without
   * a call; their own lateness is `silentSeconds`. The tables of an outside scheduler cannot be looked into.
   */
  schedules: { on: number; waiting: number; lateSeconds: number; silent: number; silentSeconds: number };
  /** Operations that a process has in hand. */
  jobs: number;
  /** Publications whose answer was lost and that are not settled yet. */
  unknown: number;
};

// As late as calls may be before the owner is told; and as early as they may come, because clocks differ.
const LATE = '5 minutes';
const EARLY = '2 minutes';

/** What is under way and what waits, of all processes. */
export const makeWorkload = (sql: Sql) => async (): Promise<Workload> => {
  const [row] = await sql<
    [Pick<Workload, 'jobs' | 'unknown'> & Omit<Workload['schedules'], 'lateSeconds'> & { late: number }]
  >`
    with planned as materialized (
      select s.id, s.planned_at, s.called_at, s.schedule_days as days, s.asks_first, t.time,
        coalesce(p.timezone, 'Europe/Moscow') as zone
      from platform_schedules s
      join categories c on c.id = s.category_id join projects p on p.id = c.project_id
      cross join unnest(s.schedule_times) as t(time)
      where s.enabled
    ), slots as materialized (
      -- Moments are worked out once for all who share a zone and an hour: the conversion is what takes long.
      select zone, time, asks_first, to_char(day, 'dy') as weekday, at
      from (select distinct zone, time, asks_first from planned) each
      cross join generate_series(0, 1) as ago
      cross join lateral (select (now() at time zone zone)::date - ago as day) d
      -- A draft that is shown first is called for an hour ahead.
      cross join lateral (select (day + time::time) at time zone zone - asks_first::int * interval '1 hour' as at) m
      where at between now() - interval '1 day' and now() - ${LATE}::interval
    ), silent as (
      select p.id, s.at from planned p join slots s using (zone, time, asks_first)
      where s.weekday = any(p.days) and s.at > p.planned_at
        and s.at - ${EARLY}::interval > coalesce(p.called_at, '-infinity'::timestamptz)
    )
    select (select count(distinct id)::int from silent) as silent,
      (select coalesce(extract(epoch from now() - min(at)), 0)::float8 from silent) as "silentSeconds",
      (select count(*)::int from platform_schedules where enabled = true) as on,
      (select count(*)::int from queued_calls where not_before <= now()) as waiting,
      (select coalesce(greatest(extract(epoch from now() - min(not_before)), 0), 0)::float8
        from queued_calls where not_before <= now()) as late,
      (select count(*)::int from operations where status = 'running' and lease_until > now()) as jobs,
      (select count(*)::int from publication_logs where status = 'unknown') as unknown`;
  const { on, waiting, late, silent, silentSeconds, jobs, unknown } = row;
  return { schedules: { on, waiting, lateSeconds: late, silent, silentSeconds }, jobs, unknown };
};
