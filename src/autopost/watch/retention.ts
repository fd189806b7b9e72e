import { setTimeout as pause } from 'node:timers/promises';
import type { Monitor } from '../store/monitor.ts';

export type RetentionOptions = {
  eventsDays?: number;
  deliveriesDays?: number;
  biteRows?: number;
  /** What is left is eaten the next time. */
  mostBites?: number;
  /** Between two batches, so that other statements get their turn. */
  restMs?: number;
};

/** What is too old goes in small bites; receipts of requests by their own expiry. */
export function makeRetention(monitor: Pick<Monitor, 'purge' | 'purgeRuns'>, options: RetentionOptions = {}) {
  const { eventsDays = 30, deliveriesDays = 90, biteRows = 5000, mostBites = 200, restMs = 50 } = options;
  return async () => {
    const gone = { events: 0, deliveries: 0, messages: 0, receipts: 0, runs: 0 };
    for (let bites = 0; bites < mostBites; bites++) {
      const bite = {
        ...(await monitor.purge({ eventsDays, deliveriesDays, limit: biteRows })),
        runs: await monitor.purgeRuns({ days: eventsDays, limit: biteRows }),
      };
      for (const table of Object.keys(gone) as (keyof typeof gone)[]) gone[table] += bite[table];
      if (Object.values(bite).every((rows) => rows === 0)) break;
      await pause(restMs);
    }
    return gone;
  };
}
