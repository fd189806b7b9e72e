import type { ErrorEntry } from '../services/monitor/error-lines.ts';
import type { Sql } from './database.ts';

const KEPT_DAYS = 7;
const MOST_IN_FILE = 20_000;

/** What went wrong in any process, for the owner. */
export function makeErrorLog(sql: Sql, process: string) {
  return { add, list, countSince, purge };

  async function add(entries: readonly ErrorEntry[]): Promise<void> {
    const rows = entries.map(({ at, level, message, code, userId, correlation, stack }) => ({
      ...{ ts: at, level, message, code, user_id: userId, correlation, stack, process },
    }));
    await sql`insert into error_log ${sql(rows)}`;
  }

  /** The newest first. */
  async function list(days: number): Promise<(ErrorEntry & { process: string })[]> {
    return sql<(ErrorEntry & { process: string })[]>`
      select ts as at, level, message, code, user_id as "userId", correlation, stack, process from error_log
      where ts >= now() - ${days} * interval '1 day' order by ts desc limit ${MOST_IN_FILE}`;
  }

  async function countSince(hours: number): Promise<{ errors: number; warnings: number }> {
    const [row] = await sql<[{ errors: number; warnings: number }]>`
      select count(*) filter (where level = 'error')::int as errors,
        count(*) filter (where level <> 'error')::int as warnings
      from error_log where ts >= now() - ${hours} * interval '1 hour'`;
    return row;
  }

  async function purge(): Promise<void> {
    await sql`delete from error_log where ts < now() - ${KEPT_DAYS} * interval '1 day'`;
  }
}
