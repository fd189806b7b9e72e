import { hostname } from 'node:os';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import {
  type OwnerCondition,
  outageTexts,
  ownerAlerts,
  ownerLimits,
  repeatedAlert,
} from '../screens/pages/owner-alerts.ts';
import type { CheckServices } from '../services/monitor/check-services.ts';
import { freeShare } from '../services/monitor/disk.ts';
import { type ModelKind, modelKinds } from '../services/monitor/model-failures.ts';
import { makeReportConditions } from '../services/monitor/report-conditions.ts';
import { makeWatchServices } from '../services/monitor/watch-services.ts';
import type { Sql } from '../store/database.ts';
import { makeOwnerAlerts } from '../store/owner-alerts.ts';
import { makeWorkload } from '../store/workload.ts';

export type WatchGround = {
  keyValues: KeyValueStore;
  isFirstToTell(what: string): Promise<boolean>;
  queueAgeMs(): Promise<number | null>;
  modelFailures(kind: ModelKind): Promise<number>;
  dataDir: string;
  /** Writes to the owner's chat. */
  tellOwner(text: string): Promise<void>;
};

// Shorter than the interval of the job: one process of a machine looks at its disk.
const DISK_TURN_SECONDS = 240;

/** What the owner is told without asking. */
export function composeOwnerWatch({
  sql,
  checkServices,
  keyValues,
  isFirstToTell,
  queueAgeMs,
  modelFailures,
  dataDir,
  tellOwner: tell,
}: WatchGround & { sql: Sql; checkServices: CheckServices }) {
  const workload = makeWorkload(sql);
  const report = makeReportConditions<OwnerCondition>({
    told: makeOwnerAlerts(sql),
    limits: ownerLimits,
    texts: ownerAlerts,
    repeated: repeatedAlert,
    tell,
  });
  return {
    /** In every process: without its stores, none could take a turn. */
    watchServices: makeWatchServices({ checkServices, isFirstToTell, texts: outageTexts, tell }),
    watchWork,
    watchDisk,
  };

  async function watchWork(): Promise<void> {
    const { schedules, unknown } = await workload();
    await report([
      { kind: 'unknown', amount: unknown },
      { kind: 'lag', amount: schedules.lateSeconds },
      { kind: 'silent', amount: schedules.silent },
      { kind: 'queue', amount: ((await queueAgeMs()) ?? 0) / 1000 },
      ...(await Promise.all(modelKinds.map(async (kind) => ({ kind, amount: await modelFailures(kind) })))),
    ]);
  }

  async function watchDisk(): Promise<void> {
    const of = hostname();
    if (!(await keyValues.setIfAbsent(`owner-alert-turn:${of}`, '1', DISK_TURN_SECONDS))) return;
    const free = await freeShare(dataDir);
    await report([{ kind: 'disk', amount: 1 / Math.max(free, 0.000_1), of }]);
  }
}
