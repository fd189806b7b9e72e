import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../log.ts';

export type KeepTrying = <Result>(what: string, write: () => Promise<Result>) => Promise<Result>;

type Options = {
  log: Log;
  /** Ends the retries. */
  signal: AbortSignal;
  firstWaitMs?: number;
  mostWaitMs?: number;
};

/**
 * What came of a send exists nowhere but here until it is written, so a database that is away is asked again until it
 * is back. Each of these statements may be made twice: the database believes the token of the claim, once.
 */
export function makeKeepTrying({ log, signal, firstWaitMs = 50, mostWaitMs = 5_000 }: Options): KeepTrying {
  return async (what, write) => {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, mostWaitMs)) {
      signal.throwIfAborted();
      try {
        return await write();
      } catch (error) {
        if (isOurMistake(error)) throw error;
        log.warn({ err: error, waitMs }, `the database is away: ${what} waits`);
      }
      await sleep(waitMs, undefined, { signal });
    }
  };
}

/** Classes of SQLSTATE that say "not like this", whenever it is asked: data, constraints, syntax, a refused move. */
const MISTAKES = ['22', '23', '42', 'P0'];

export function isOurMistake(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: unknown };
  return name === 'PostgresError' && typeof code === 'string' && MISTAKES.includes(code.slice(0, 2));
}
