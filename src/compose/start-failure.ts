import { BadConfig } from '../config.ts';
import { PortTaken } from '../http/server.ts';
import { BadCase } from '../services/trainer/case-file.ts';
import { DataDirInUse } from '../store/data-dir-lock.ts';
import { isDatabaseAway } from '../store/database-away.ts';
import { DatabaseTooNew } from '../store/schema.ts';

/** The start-up error for the operator: a sentence if there is something to do, else the whole error. */
export function startFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const known = [BadConfig, BadCase, DataDirInUse, DatabaseTooNew, PortTaken];
  if (known.some((kind) => error instanceof kind)) return error.message;
  return isDatabaseAway(error)
    ? `The database at DATABASE_URL does not answer: ${error.message || String('code' in error && error.code)}`
    : error;
}
