import type { Sql } from './database.ts';
import { assertNotOutdated, DatabaseTooNew, readSchema } from './schema.ts';

/** Notices that another process has made a change which this one cannot work with: it has to stop. */
export function createSchemaWatch(sql: Sql) {
  const outdated = new AbortController();
  const own = readSchema();
  return { outdated: outdated.signal, look };

  async function look(): Promise<void> {
    try {
      await assertNotOutdated(sql, await own);
    } catch (error) {
      if (!(error instanceof DatabaseTooNew)) throw error;
      outdated.abort(error.message);
    }
  }
}
