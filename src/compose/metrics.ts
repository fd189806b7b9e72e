import type { AutopostHealth } from '../autopost/store/health.ts';
import type { Log } from '../log.ts';
import type { NoteCost } from '../services/ai/ask.ts';
import type { Metrics, SharedFigures } from '../services/monitor/metrics.ts';
import { makeApiCosts } from '../store/api-costs.ts';
import type { Sql } from '../store/database.ts';
import { makeProcesses } from '../store/processes.ts';
import { makeWorkload } from '../store/workload.ts';

/** What suppliers took goes into the ledger and into the numbers of this process. */
export function composeCosts(sql: Sql, metrics: Metrics): NoteCost {
  const note = makeApiCosts(sql);
  return async (cost) => {
    metrics.cost(cost.operation.replace(/^api_/u, ''), cost.costUsd);
    await note(cost);
  };
}

/** Null while the database is away: the numbers of this process are told all the same. */
export async function sharedFigures(
  sql: Sql,
  autopost: () => Promise<AutopostHealth>,
  log: Log,
): Promise<SharedFigures | null> {
  try {
    const asked = performance.now();
    await sql`select 1`;
    const poolWaitSeconds = (performance.now() - asked) / 1000;
    const [load, health, processes] = await Promise.all([
      makeWorkload(sql)(),
      autopost(),
      makeProcesses(sql).list(),
    ]);
    return {
      operations: load.jobs,
      deliveries: health.byStatus as Record<string, number>,
      queueAgeSeconds: (health.oldestDueMs ?? 0) / 1000,
      scheduleLagSeconds: Math.max(load.schedules.lateSeconds, load.schedules.silentSeconds),
      unknownPublications: load.unknown,
      poolWaitSeconds,
      processes: processes.filter(({ isAlive }) => isAlive).length,
    };
  } catch (err) {
    log.warn({ err }, 'the figures of the stores are missing in the metrics');
    return null;
  }
}
