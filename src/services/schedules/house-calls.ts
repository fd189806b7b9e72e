import type { RecurringCall } from './schedules.ts';

const MOSCOW = 'Europe/Moscow';

export const cleanupPath = '/api/cleanup';
export const notifyPath = '/api/notify';
export const rankPath = '/api/rank';

const notify = (id: string, cron: string, type: string): RecurringCall => ({
  id: `house-notify-${id}`,
  path: notifyPath,
  cron,
  timeZone: MOSCOW,
  body: { action: 'notify', type, idempotency_key: `notify_${type}` },
});

/** What the product does by itself at fixed hours. The ids are fixed too: every start sets the same calls again. */
export const houseCalls: readonly RecurringCall[] = [
  {
    id: 'house-cleanup',
    path: cleanupPath,
    cron: '0 3 * * *',
    timeZone: MOSCOW,
    body: { action: 'cleanup', idempotency_key: 'cleanup' },
  },
  // Before the digest, which tells of positions.
  {
    id: 'house-rank',
    path: rankPath,
    cron: '0 6 * * 1',
    timeZone: MOSCOW,
    body: { action: 'rank', idempotency_key: 'rank' },
  },
  notify('low-balance', '0 10 * * *', 'low_balance'),
  notify('digest', '0 9 * * 1', 'weekly_digest'),
  notify('reactivation', '0 12 * * 3', 'reactivation'),
];
