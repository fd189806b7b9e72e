import { setTimeout as sleep } from 'node:timers/promises';

export type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

/** Waits until the time is over or the caller aborts. */
export const pause: Pause = async (ms, signal) => {
  await sleep(ms, undefined, signal && { signal });
};
