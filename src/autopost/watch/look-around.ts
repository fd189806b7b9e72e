import type { Log } from '../../log.ts';
import type { Condition, Conditions } from '../store/conditions.ts';
import type { Monitor } from '../store/monitor.ts';
import type { makeReportConditions } from './alerts.ts';

type Report = ReturnType<typeof makeReportConditions>;

/** What can be seen at a glance, told where it is news. */
export function makeLookAround(conditions: Conditions, report: Report) {
  return async () =>
    report({
      dead: await conditions.dead(),
      expired: await conditions.expired(),
      unknown: await conditions.unknown(),
      failing: await conditions.failing(),
      disabled: await conditions.disabled(),
      paused: await conditions.paused(),
      cooling: await conditions.cooling(),
      outage: await conditions.outage(),
      pull: await conditions.pull(),
      unpostable: await conditions.unpostable(),
    });
}

type ReconcileDeps = {
  monitor: Pick<Monitor, 'orphanEvents'>;
  workspaces(): Promise<{ id: string; name: string }[]>;
  report: Report;
  log: Log;
};

/** The audit has no foreign keys: this finds events of deliveries that no longer exist. */
export function makeReconcile({ monitor, workspaces, report, log }: ReconcileDeps) {
  return async () => {
    const orphans: Condition[] = [];
    for (const { id, name } of await workspaces()) {
      const events = await monitor.orphanEvents(id);
      if (events.length === 0) continue;
      log.warn(
        { workspaceId: id, orphans: events.length, first: events[0] },
        'events of deliveries that do not exist',
      );
      orphans.push({
        workspaceId: id,
        workspaceName: name,
        amount: events.length,
        newestAt: null,
        cases: [],
      });
    }
    await report({ orphans });
    return { orphans: orphans.reduce((sum, { amount }) => sum + amount, 0) };
  };
}
