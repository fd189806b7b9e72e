import { ApiRefused } from '../clients/http/api-refused.ts';
import { pause } from './pause.ts';

/** A longer wait is not made in a chat: the person is told when to try again. */
const MOST_WAIT_MS = 60_000;
const TOO_MANY_REQUESTS = 429;

/** Asked to be patient for a short while, waits once and tries again: a refused call has created nothing (X11). */
export async function waitOnce<Result>(
  attempt: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof ApiRefused) || error.status !== TOO_MANY_REQUESTS) throw error;
    if (error.retryAfterMs === null || error.retryAfterMs > MOST_WAIT_MS) throw error;
    await pause(error.retryAfterMs, signal);
    return attempt();
  }
}
