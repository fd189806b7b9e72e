import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Json } from '../../engine/json.ts';
import type { Log } from '../../log.ts';
import { makeCollectMedia } from '../media/collect-media.ts';
import type { MediaShelf } from '../media/media-shelf.ts';
import type { SweepLeases } from '../queue/sweep-leases.ts';
import type { Conditions } from '../store/conditions.ts';
import type { Jobs } from '../store/jobs.ts';
import type { Media } from '../store/media.ts';
import type { Monitor } from '../store/monitor.ts';
import type { ToldAlerts } from '../store/told-alerts.ts';
import { type AlertRules, makeReportConditions, type Tell } from './alerts.ts';
import { makeLookAround, makeReconcile } from './look-around.ts';
import { makeRetention, type RetentionOptions } from './retention.ts';

type WatchmanDeps = {
  jobs: Jobs;
  conditions: Conditions;
  told: ToldAlerts;
  monitor: Monitor;
  media: Media;
  shelf: Pick<MediaShelf, 'remove'>;
  sweepLeases: SweepLeases;
  workspaces(): Promise<{ id: string; name: string }[]>;
  tell: Tell;
  log: Log;
  options?: WatchmanOptions;
};

export type WatchmanOptions = {
  /** The name of this process in the table of jobs. */
  name?: string;
  /** How often it looks whether a job is due. */
  lookEveryMs?: number;
  every?: Partial<Record<JobName, number>>;
  /** The lease of a job: longer than that, its process is taken for dead. */
  leaseMs?: number;
  rules?: AlertRules;
  remindAfterMs?: number;
  retention?: RetentionOptions;
  keepMedia?: { days?: number; largeVideoDays?: number; largeVideoBytes?: number; limit?: number };
};

type JobName = 'leases' | 'alerts' | 'retention' | 'media' | 'integrity';

const HOUR_MS = 3_600_000;
const usually: Readonly<Record<JobName, number>> = {
  leases: 15_000,
  alerts: 60_000,
  retention: HOUR_MS,
  media: HOUR_MS,
  integrity: HOUR_MS,
};

/** A job of a process that died is taken over after this: the first two, on which others wait, within a minute. */
const leases: Readonly<Record<JobName, number>> = {
  leases: 60_000,
  alerts: 60_000,
  retention: 10 * 60_000,
  media: 10 * 60_000,
  integrity: 10 * 60_000,
};

/** Runs the recurring jobs in any number of processes: one process at a time runs each. */
export function makeWatchman(deps: WatchmanDeps) {
  const { jobs, conditions, told, monitor, media, shelf, workspaces, tell, log, options = {} } = deps;
  const { lookEveryMs = 15_000 } = options;
  const name = options.name ?? `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const { rules, remindAfterMs, retention, keepMedia } = options;
  const report = makeReportConditions({
    told,
    tell,
    ...(rules && { rules }),
    ...(remindAfterMs !== undefined && { remindAfterMs }),
  });
  const work: Readonly<Record<JobName, () => Promise<Json>>> = {
    leases: async () => ({ released: (await deps.sweepLeases()).length }),
    alerts: makeLookAround(conditions, report),
    retention: makeRetention(monitor, retention),
    media: makeCollectMedia({
      ...{ media, shelf, log },
      workspaceIds: async () => (await workspaces()).map(({ id }) => id),
      ...(keepMedia && { keep: keepMedia }),
    }),
    integrity: makeReconcile({ monitor, workspaces, report, log }),
  };
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  return { start, stop, look };

  function start(): void {
    timer ??= setInterval(() => void look(), lookEveryMs);
  }

  async function stop(): Promise<void> {
    if (timer) clearInterval(timer);
    timer = null;
    await looking;
  }

  /** Does what is due. A job that fails is told in the log and done again at its next time; the others go on. */
  function look(): Promise<void> {
    looking ??= doDue().finally(() => {
      looking = null;
    });
    return looking;
  }

  async function doDue(): Promise<void> {
    for (const [job, run] of Object.entries(work) as [JobName, () => Promise<Json>][]) {
      try {
        if (
          !(await jobs.take(job, name, options.every?.[job] ?? usually[job], options.leaseMs ?? leases[job]))
        )
          continue;
        await jobs.finish(job, name, await reported(job, run));
      } catch (error) {
        log.error({ err: error, job }, 'a job of the watchman could not be taken or finished');
      }
    }
  }

  async function reported(job: JobName, run: () => Promise<Json>): Promise<Json> {
    try {
      return await run();
    } catch (error) {
      log.error({ err: error, job }, 'a job of the watchman failed');
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  }
}
