import { BadConfig } from './config.ts';
import { PortTaken } from './http/server.ts';
import { DataDirInUse } from './store/data-dir-lock.ts';
import { isDatabaseAway } from './store/database-away.ts';

/** What whoever started the bot is told when it could not: words where they know what to do, the whole error elsewhere. */
export function startFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if ([BadConfig, DataDirInUse, PortTaken].some((kind) => error instanceof kind)) return error.message;
  return isDatabaseAway(error)
    ? `The database at DATABASE_URL does not answer: ${error.message || String('code' in error && error.code)}`
    : error;
}
