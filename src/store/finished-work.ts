import type { Json } from '../engine/json.ts';
import type { Sql } from './database.ts';

/** What paid work has delivered under its key, as long as it is on record. Never begins it again. */
export const makeFinishedWork =
  (sql: Sql) =>
  async <Result extends Json>(userId: number, key: string): Promise<Result | null> => {
    const [row] = await sql<{ result: { ok: boolean; result?: Result } | null }[]>`
      select result from operations where key = ${key} and user_id = ${userId} and status = 'done'`;
    return row?.result?.ok ? (row.result.result ?? null) : null;
  };
