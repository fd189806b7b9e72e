import type { Sql } from './database.ts';

export type Workload = {
  /** `lateSeconds`: of the call that is due longest. */
  schedules: { on: number; waiting: number; lateSeconds: number };
  /** Operations that a process has in hand. */
  jobs: number;
  /** Publications whose answer was lost and that are not settled yet. */
  unknown: number;
};

/** What is under way and what waits, of all processes. */
export const makeWorkload = (sql: Sql) => async (): Promise<Workload> => {
  const [row] = await sql<[{ on: number; waiting: number; late: number; jobs: number; unknown: number }]>`
    select (select count(*)::int from platform_schedules where enabled = true) as on,
      (select count(*)::int from queued_calls where not_before <= now()) as waiting,
      (select coalesce(greatest(extract(epoch from now() - min(not_before)), 0), 0)::float8
        from queued_calls where not_before <= now()) as late,
      (select count(*)::int from operations where status = 'running' and lease_until > now()) as jobs,
      (select count(*)::int from publication_logs where status = 'unknown') as unknown`;
  const { on, waiting, late, jobs, unknown } = row;
  return { schedules: { on, waiting, lateSeconds: late }, jobs, unknown };
};
