import type { Log } from '../log.ts';

export type RecurringJob = {
  name: string;
  everyMs: number;
  /** `one process`: whichever takes the turn; it is passed on when that process dies. */
  runsIn: 'one process' | 'every process';
  run(): Promise<unknown>;
};

/** Whose turn a job is, of all processes; not before its time. */
export type JobTurns = {
  take(job: string, by: string, everyMs: number, leaseMs: number): Promise<boolean>;
  finish(job: string, by: string, report: null): Promise<void>;
};

// A process that died at a job holds it up for this long.
const LEASE_MS = 10 * 60_000;
// Clocks of two processes differ a little: without it every second turn would come too early and be skipped.
const EARLY_MS = 1_000;

/** Runs every job of the list at its interval, never twice at once. A failure is logged; the next turn tries again. */
export function createRecurring(
  jobs: readonly RecurringJob[],
  { turns, by, log }: { turns: JobTurns; by: string; log: Log },
) {
  const running = new Map<string, Promise<void>>();
  let timers: NodeJS.Timeout[] = [];
  return { start, stop };

  function start(): void {
    timers = jobs.map((job) => setInterval(() => void begin(job), job.everyMs));
  }

  async function begin(job: RecurringJob): Promise<void> {
    if (running.has(job.name)) return;
    const run = oneTurn(job).catch((error) =>
      log.error({ err: error, job: job.name }, 'a recurring job failed'),
    );
    running.set(job.name, run);
    await run;
    running.delete(job.name);
  }

  async function oneTurn({ name, everyMs, runsIn, run }: RecurringJob): Promise<void> {
    if (runsIn === 'every process') return void (await run());
    if (!(await turns.take(name, by, everyMs - EARLY_MS, LEASE_MS))) return;
    try {
      await run();
    } finally {
      await turns.finish(name, by, null);
    }
  }

  /** Resolves when the turns that had begun are over. */
  async function stop(): Promise<void> {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running.values());
  }
}
