import type { Sql } from '../../store/database.ts';
import type { DeliveryStatus } from './delivery.ts';
import { hold, holders } from './holds.ts';

export type AutopostHealth = {
  workspaces: number;
  channels: { enabled: number; disabled: number; paused: number };
  /** Of what is not finished well: `sent` and `deduped` would have to be counted row by row. */
  byStatus: Partial<Record<DeliveryStatus, number>>;
  /** How long the delivery that waits longest could have gone: what is held back is told of by its own name. */
  oldestDueMs: number | null;
  recent: {
    sent: number;
    failed: number;
    topErrors: { code: string; count: number }[];
    /** From the moment a delivery was due until the platform had it. */
    latencyMs: { p50: number; p95: number; p99: number } | null;
  };
};

const MOST_MEASURED = 10_000;

/** All workspaces together, cheap enough to be asked every few seconds. */
export const makeAutopostHealth =
  (sql: Sql, { recentMs = 600_000 } = {}) =>
  async (): Promise<AutopostHealth> => {
    const since = sql`clock_timestamp() - ${recentMs} * interval '1 ms'`;
    const [row] = await sql<[AutopostHealth]>`
      with recent as materialized (
        select e.action, e.result, e.error, e.workspace_id, e.delivery_id, e.ts
        from workspaces w join events e on e.workspace_id = w.workspace_id and e.ts > ${since}
      ), measured as (
        select extract(epoch from d.sent_at - greatest(d.created_at, d.scheduled_for)) * 1000 as ms
        from (select * from recent where action = 'sent' order by ts desc limit ${MOST_MEASURED}) s
        join deliveries d on d.workspace_id = s.workspace_id and d.delivery_id = s.delivery_id
        where d.sent_at is not null
      )
      select
        (select count(*)::integer from workspaces where status = 'active') as workspaces,
        (select jsonb_build_object('enabled', count(*) filter (where enabled), 'disabled', count(*) filter (where not enabled),
          'paused', count(*) filter (where enabled and paused_until > clock_timestamp())) from channels) as channels,
        (select coalesce(jsonb_object_agg(status, amount), '{}') from (
          select status, count(*) as amount from deliveries where status not in ('sent', 'deduped') group by status) s
        ) as "byStatus",
        (select extract(epoch from clock_timestamp() - min(greatest(d.not_before, d.next_retry_at))) * 1000
          from deliveries d join channels c on c.workspace_id = d.workspace_id and c.channel_id = d.channel_id
          ${holders(sql)}
          where d.is_waiting and d.not_before <= clock_timestamp()
            and coalesce(d.next_retry_at <= clock_timestamp(), true) and ${hold(sql)} is null)::double precision as "oldestDueMs",
        jsonb_build_object(
          'sent', (select count(*) from recent where action = 'sent'),
          'failed', (select count(*) from recent where action in ('failed_permanent', 'validation_failed', 'dead_letter')),
          'topErrors', (select coalesce(jsonb_agg(jsonb_build_object('code', code, 'count', amount) order by amount desc), '[]')
            from (select coalesce(error ->> 'code', action) as code, count(*) as amount from recent
              where result = 'error' group by 1 order by 2 desc limit 5) e),
          'latencyMs', (select case when count(*) > 0 then jsonb_build_object(
            'p50', round(percentile_cont(0.5) within group (order by ms)),
            'p95', round(percentile_cont(0.95) within group (order by ms)),
            'p99', round(percentile_cont(0.99) within group (order by ms))) end from measured)
        ) as recent`;
    return row;
  };
