import type { Log } from '../../log.ts';
import type { Monitor, Released } from '../store/monitor.ts';

/** Heartbeats come three times as often. */
export const CLAIMED_LEASE_MS = 30_000;
/**
 * Twice the claimed lease: a false release asks a person to look. Calls may take longer, as long as their worker lives and
 * sends heartbeats. With a sweep every 10 s a channel moves again 70 s after its worker was killed; 300 s, as it once
 * was, held channels for five minutes.
 */
const SENDING_LEASE_MS = 60_000;

/** After how long a worker that says nothing loses what it holds. */
export type LeaseOptions = { claimedLeaseMs?: number; sendingLeaseMs?: number };

export type SweepLeases = () => Promise<Released[]>;

type Deps = LeaseOptions & {
  monitor: Pick<Monitor, 'releaseStale'>;
  log: Log;
  /** Called for those that became unknown. */
  onUnknown?: (released: Released) => void;
};

/** Takes deliveries from workers that gave no sign of life. Any number of processes may do so at once. */
export function makeSweepLeases(deps: Deps): SweepLeases {
  const {
    monitor,
    log,
    onUnknown,
    claimedLeaseMs = CLAIMED_LEASE_MS,
    sendingLeaseMs = SENDING_LEASE_MS,
  } = deps;
  return async () => {
    const released = await monitor.releaseStale({ claimedLeaseMs, sendingLeaseMs });
    for (const one of released) {
      const { workspaceId: workspace, deliveryId: delivery, was, became } = one;
      log.warn({ workspace, delivery, was, became }, 'a worker gave no sign of life');
      if (became === 'unknown') onUnknown?.(one);
    }
    return released;
  };
}
