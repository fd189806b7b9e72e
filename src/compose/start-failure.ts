import postgres from 'postgres';
import { BadConfig } from '../config.ts';
import { PortTaken } from '../http/server.ts';
import { BadCase } from '../services/trainer/case-file.ts';
import { DataDirInUse } from '../store/data-dir-lock.ts';
import { isDatabaseAway } from '../store/database-away.ts';
import { DatabaseTooNew } from '../store/schema.ts';

/** A wrong name or password; a database that is not there; rights that are missing. */
const CLOSED_TO_US = /^(?:28\w{3}|3D000|42501)$/u;

/** The start-up error for the operator: a sentence if there is something to do, else the whole error. */
export function startFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const known = [BadConfig, BadCase, DataDirInUse, DatabaseTooNew, PortTaken];
  if (known.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof postgres.PostgresError && CLOSED_TO_US.test(error.code))
    return `The database at DATABASE_URL does not let us in: ${error.message}`;
  const code = 'code' in error ? String(error.code) : '';
  if (isDatabaseAway(error)) return `The database at DATABASE_URL does not answer: ${error.message || code}`;
  return NOT_WRITABLE.includes(code) && 'path' in error
    ? `DATA_DIR must be a folder that the bot may write to: ${error.message}`
    : error;
}

/** The file system's codes for a folder that is read-only, somebody else's, on a full disk, or a file. */
const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST'];
