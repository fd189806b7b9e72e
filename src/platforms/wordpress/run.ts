import type { RunStage } from '../../engine/operations.ts';
import type { Log } from '../../log.ts';
import type { WordPress } from './client.ts';
import { WordPressFailed } from './client-failed.ts';
import type { Access } from './client-request.ts';

/** One publication on its way. */
export type WordPressRun = {
  wordpress: WordPress;
  access: Access;
  /** Names this publication on the site: in the post, and in the names of its files. */
  mark: string;
  stage: RunStage;
  /** An earlier process began it: what it did not write down may be there all the same. */
  resumed: boolean;
  signal: AbortSignal | undefined;
  log: Log;
  /** Waits, unless the caller leaves. */
  pause(ms: number): Promise<void>;
  lookAgainMs: number;
};

const MOST_WAIT_MS = 60_000;

export const mayHaveArrived = (error: unknown): boolean =>
  error instanceof WordPressFailed && error.mayHaveArrived;

/** Asked to wait, waits once, and not for long; what was refused like that was not done. */
export async function patiently<Made>(run: WordPressRun, create: () => Promise<Made>): Promise<Made> {
  try {
    return await create();
  } catch (error) {
    const wait =
      error instanceof WordPressFailed && error.fault === 'busy' ? error.report.retryAfterMs : undefined;
    if (wait === undefined || wait > MOST_WAIT_MS) throw error;
    await run.pause(wait);
    return create();
  }
}

/** Whether a stage has been passed, without passing it. */
export async function isPassed(stage: RunStage, name: string): Promise<boolean> {
  const notYet = new Error('not yet');
  try {
    await stage(name, () => Promise.reject(notYet));
    return true;
  } catch (error) {
    if (error === notYet) return false;
    throw error;
  }
}
