import { type Pause, pause as pauseFor } from '../../platforms/pause.ts';
import type { PullSources } from '../store/pull-sources.ts';
import { makePullRun, type PullRunDeps } from './pull-run.ts';

type Deps = PullRunDeps & {
  sources: PullSources;
  /** How often due sources are looked for. */
  tickMs?: number;
  /** Sources that are read side by side. */
  atOnce?: number;
  pause?: Pause;
};

/** Fetches posts from the sources that have to be asked, in any number of processes: one at a time reads each source. */
export function makePuller({ tickMs = 5_000, atOnce = 3, pause = pauseFor, ...deps }: Deps) {
  const { sources, log } = deps;
  const run = makePullRun(deps);
  const ending = new AbortController();
  let loop: Promise<void> | null = null;
  return { runDue, start, stop };

  /** Until nothing is due. */
  async function runDue(): Promise<void> {
    const turns = await Promise.allSettled(Array.from({ length: atOnce }, runInTurn));
    const failed = turns.find((turn) => turn.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async function runInTurn(): Promise<void> {
    while (!ending.signal.aborted) {
      const source = await sources.claimDue();
      if (source === null) return;
      await run(source, ending.signal);
    }
  }

  function start(): void {
    loop ??= goOn();
  }

  async function goOn(): Promise<void> {
    while (!ending.signal.aborted) {
      await runDue().catch((error) => log.error({ err: error }, 'sources could not be looked at'));
      await pause(tickMs, ending.signal).catch((error) => {
        if (!ending.signal.aborted) throw error;
      });
    }
  }

  /** What was being read is given back where it was. */
  async function stop(): Promise<void> {
    ending.abort();
    await loop;
  }
}
