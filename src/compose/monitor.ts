import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createSentry } from '../clients/sentry.ts';
import { type Log, tapErrors } from '../log.ts';
import type { MonitorData } from '../menu/monitor.ts';
import { productVersion } from '../product-version.ts';
import type { SentryAddress } from '../sentry-dsn.ts';
import type { CheckServices } from '../services/monitor/check-services.ts';
import { createErrorBuffer, readErrorLine } from '../services/monitor/error-lines.ts';
import type { AdminStore } from '../store/admin.ts';
import type { Sql } from '../store/database.ts';
import { makeErrorLog } from '../store/error-log.ts';
import { makeProcesses } from '../store/processes.ts';
import { makeWorkload } from '../store/workload.ts';

/** Which processes live, what they do and what went wrong in them. */
export function composeMonitor({
  sql,
  checkServices,
  note,
  role = 'bot',
  sentry: address,
  busy,
  log,
}: {
  sql: Sql;
  checkServices: CheckServices;
  note: AdminStore['note'];
  role?: string;
  sentry: SentryAddress | null;
  busy(): number;
  log: Log;
}) {
  const id = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const startedAt = new Date();
  const errors = makeErrorLog(sql, id);
  const buffer = createErrorBuffer(errors.add);
  const sentry = address && createSentry({ ...address, release: productVersion, server: hostname() });
  const untap = tapErrors(log, (line) => {
    buffer.take(line);
    const entry = sentry && readErrorLine(line);
    if (entry?.level === 'error') sentry?.report(entry);
  });
  const processes = makeProcesses(sql);
  const workload = makeWorkload(sql);
  const pages: MonitorData = {
    async monitor() {
      const [services, list, load, counts] = await Promise.all([
        checkServices(),
        processes.list(),
        workload(),
        errors.countSince(24),
      ]);
      return { services, processes: list, ...load, errors: counts };
    },
    async errorFile(adminId, days) {
      await note({ adminId, action: 'error-file', details: { days } });
      await buffer.flush();
      return errors.list(days);
    },
  };
  return { pages, workload, beat, writeErrors: buffer.flush, purge: errors.purge, close };

  async function beat(): Promise<void> {
    const memoryMb = Math.round(process.memoryUsage().rss / 1_048_576);
    await processes.beat({ id, role, version: productVersion, memoryMb, busy: busy(), startedAt });
  }

  async function close(): Promise<void> {
    untap();
    await Promise.all([buffer.flush(), sentry?.idle()]);
    await processes.leave(id).catch((err) => log.warn({ err }, 'the row of this process stays behind'));
  }
}
