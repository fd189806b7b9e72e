import { setMaxListeners } from 'node:events';

/** The work was given so many milliseconds, and they are over. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
  constructor(ms: number) {
    super(`took more than ${ms} ms`);
  }
}

/**
 * Ended by the caller, who gets their own reason back, or by the clock. Not `AbortSignal.any([signal,
 * AbortSignal.timeout(ms)])`: on Node 20 such a timeout may be collected as garbage before it fires.
 */
export async function withDeadline<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  if (signal) setMaxListeners(0, signal); // many calls at once may be made in one caller's name
  const ended = new AbortController();
  const leave = () => ended.abort(signal?.reason);
  const timer = setTimeout(() => ended.abort(new DeadlinePassed(ms)), ms);
  signal?.addEventListener('abort', leave, { once: true });
  try {
    return await work(ended.signal);
  } catch (error) {
    // Whatever the aborted work made of it, this is why it ended.
    if (ended.signal.aborted) throw ended.signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}
