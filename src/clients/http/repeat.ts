import { setTimeout as sleep } from 'node:timers/promises';

type RepeatOptions = {
  /** Beyond the first try. */
  retries: number;
  /** Before the n-th repeat (from 0), when the other side does not say how long. */
  waitMs: (repeat: number) => number;
  mostWaitMs: number;
  signal: AbortSignal | undefined;
  /** False: the failure stands. Otherwise it may pass, after the time the other side named, if it named one. */
  mayPass: (error: unknown) => false | { retryAfterSec: number | null };
};

export const doubling = (repeat: number): number => 1_000 * 2 ** repeat;
export const MOST_WAIT_MS = 60_000;

/** Tries again what failed in a way that may pass. */
export async function repeat<Result>(
  attempt: () => Promise<Result>,
  { retries, waitMs, mostWaitMs, signal, mayPass }: RepeatOptions,
): Promise<Result> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await attempt();
    } catch (error) {
      const passing = repeats < retries && mayPass(error);
      if (!passing) throw error;
      const { retryAfterSec } = passing;
      const wait = retryAfterSec === null ? waitMs(repeats) : retryAfterSec * 1_000;
      await pause(Math.min(wait, mostWaitMs), signal);
    }
  }
}

/** `Retry-After` comes as seconds or as a date. */
export function retryAfterOf(header: string | null | undefined): number | null {
  if (!header) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1_000);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted(); // the caller's own reason, not the timer's word for it
    throw error;
  }
}
