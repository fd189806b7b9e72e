import type { Json } from '../../engine/json.ts';
import type { Sql } from '../../store/database.ts';
import { asJson } from './delivery.ts';

type JobRun = { job: string; ranBy: string; ranAt: Date; busyUntil: Date | null; report: Json };

export type Jobs = ReturnType<typeof makeJobs>;

/** Recurring jobs of all processes: one process at a time runs each, and not before its time. */
export function makeJobs(sql: Sql) {
  return { take, finish, list };

  /** False: done lately, or being done. The job of a dead process is free again after `leaseMs`. */
  async function take(job: string, by: string, everyMs: number, leaseMs: number): Promise<boolean> {
    const { count } = await sql`
      insert into autopost_jobs as j (job, ran_by, ran_at, busy_until)
      values (${job}, ${by}, clock_timestamp(), clock_timestamp() + ${leaseMs} * interval '1 ms')
      on conflict (job) do update
      set ran_by = excluded.ran_by, ran_at = excluded.ran_at, busy_until = excluded.busy_until
      where coalesce(j.busy_until <= clock_timestamp(), true)
        -- Done in the future: a clock was set back, and that must not stop the job until then.
        and (j.ran_at <= clock_timestamp() - ${everyMs} * interval '1 ms' or j.ran_at > clock_timestamp())`;
    return count === 1;
  }

  async function finish(job: string, by: string, report: Json): Promise<void> {
    await sql`
      update autopost_jobs set busy_until = null, report = ${asJson(report)}::text::jsonb
      where job = ${job} and ran_by = ${by}`;
  }

  function list(): Promise<JobRun[]> {
    return sql`
      select job, ran_by as "ranBy", ran_at as "ranAt", busy_until as "busyUntil", report
      from autopost_jobs order by job`;
  }
}
