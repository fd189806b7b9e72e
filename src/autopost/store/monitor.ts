import type { Sql } from '../../store/database.ts';
import type { DeliveryStatus, NormalizedError } from './delivery.ts';

export type Released = {
  workspaceId: string;
  deliveryId: string;
  was: 'claimed' | 'sending';
  became: 'queued' | 'unknown' | 'retry' | 'dead';
};

export type Snapshot = {
  byStatus: Partial<Record<DeliveryStatus, number>>;
  failedRecently: number;
  pausedChannels: number;
  topErrors: { code: string; count: number }[];
};

type ErrorEvent = {
  ts: Date;
  action: string;
  channelId: string | null;
  deliveryId: string | null;
  attempt: number;
  error: Partial<NormalizedError> | null;
  meta: object;
};

/** What happened last, told with the channel it happened to. */
export type RecentEvent = {
  ts: Date;
  action: string;
  messageId: string | null;
  channelId: string | null;
  channel: string | null;
  attempt: number;
  error: Partial<NormalizedError> | null;
  meta: Record<string, unknown>;
};

/** A channel that takes nothing now. */
export type HeldChannel = {
  channelId: string;
  enabled: boolean;
  pausedUntil: Date | null;
  error: Partial<NormalizedError> | null;
};

export type Monitor = ReturnType<typeof makeMonitor>;

/** What the watchman asks for, and the two things it puts right: leases and leftovers. */
export function makeMonitor(sql: Sql) {
  return { releaseStale, snapshot, recent, held, errors, unknown, orphanEvents, purge, purgeRuns };

  /** Of all workspaces, or of one. Those that became `unknown` want a person's eye. */
  function releaseStale({
    workspaceId = null,
    claimedLeaseMs = 30_000,
    sendingLeaseMs = 60_000,
    limit = 1000,
    now = null,
  }: {
    workspaceId?: string | null;
    claimedLeaseMs?: number;
    sendingLeaseMs?: number;
    limit?: number;
    now?: Date | null;
  } = {}): Promise<Released[]> {
    return sql`
      select workspace_id as "workspaceId", delivery_id as "deliveryId", was, became
      from release_stale(${workspaceId}, ${claimedLeaseMs} * interval '1 ms', ${sendingLeaseMs} * interval '1 ms',
        ${limit}, ${now})`;
  }

  async function snapshot(workspaceId: string, { recentMs = 600_000 } = {}): Promise<Snapshot> {
    const [row] = await sql<[Snapshot]>`
      select
        (select coalesce(jsonb_object_agg(status, amount), '{}') from (
          select status, count(*) as amount from deliveries where workspace_id = ${workspaceId} group by status) s
        ) as "byStatus",
        (select count(*)::integer from events where workspace_id = ${workspaceId}
          and action in ('failed_permanent', 'validation_failed') and ts > ${since(recentMs)}) as "failedRecently",
        (select count(*)::integer from channels where workspace_id = ${workspaceId}
          and paused_until > clock_timestamp()) as "pausedChannels",
        (select coalesce(jsonb_agg(jsonb_build_object('code', code, 'count', amount) order by amount desc), '[]') from (
          select coalesce(error ->> 'code', action) as code, count(*) as amount from events
          where workspace_id = ${workspaceId} and result = 'error' and ts > ${since(recentMs)}
          group by 1 order by 2 desc limit 10) e
        ) as "topErrors"`;
    return row;
  }

  /** The newest first. That a try began is left out: its end follows. */
  function recent(workspaceId: string, { limit = 200 } = {}): Promise<RecentEvent[]> {
    return sql`
      select e.ts, e.action, e.message_id as "messageId", e.channel_id as "channelId", c.title as channel, e.attempt,
        e.error, e.meta
      from events e left join channels c on c.workspace_id = e.workspace_id and c.channel_id = e.channel_id
      where e.workspace_id = ${workspaceId} and e.action <> 'send_attempt'
      order by e.ts desc, e.id desc limit ${limit}`;
  }

  /** Paused or switched off, and by what. */
  function held(workspaceId: string): Promise<HeldChannel[]> {
    return sql`
      select c.channel_id as "channelId", c.enabled, c.paused_until as "pausedUntil", (
        select e.error from events e
        where e.workspace_id = c.workspace_id and e.channel_id = c.channel_id and e.action = 'channel_paused'
        order by e.ts desc limit 1) as error
      from channels c
      where c.workspace_id = ${workspaceId} and (not c.enabled or c.paused_until > clock_timestamp())
      order by c.channel_id`;
  }

  /** What broke, the newest first. */
  function errors(workspaceId: string, { recentMs = 1_800_000, limit = 200 } = {}): Promise<ErrorEvent[]> {
    return sql`
      select ts, action, channel_id as "channelId", delivery_id as "deliveryId", attempt, error, meta from events
      where workspace_id = ${workspaceId} and result = 'error' and ts > ${since(recentMs)}
      order by ts desc limit ${limit}`;
  }

  /** Unknown deliveries, the oldest first. */
  function unknown(
    workspaceId: string,
    { limit = 200 } = {},
  ): Promise<
    { deliveryId: string; channelId: string; attempt: number; startedAt: Date; text: string | null }[]
  > {
    return sql`
      select delivery_id as "deliveryId", channel_id as "channelId", attempt, sending_started_at as "startedAt",
        rendered_text as text
      from deliveries where workspace_id = ${workspaceId} and status = 'unknown' order by seq limit ${limit}`;
  }

  /** The audit has no foreign keys, for speed: this finds events that refer to missing rows. */
  function orphanEvents(
    workspaceId: string,
    { recentMs = 86_400_000, limit = 200 } = {},
  ): Promise<{ id: string; action: string; deliveryId: string | null; channelId: string | null }[]> {
    return sql`
      select e.id, e.action, e.delivery_id as "deliveryId", e.channel_id as "channelId" from events e
      where e.workspace_id = ${workspaceId} and e.ts > ${since(recentMs)} and (
        e.delivery_id is not null and not exists (
          select from deliveries d where d.workspace_id = e.workspace_id and d.delivery_id = e.delivery_id)
        or e.message_id is not null and not exists (
          select from messages m where m.workspace_id = e.workspace_id and m.message_id = e.message_id)
        or e.channel_id is not null and not exists (
          select from channels c where c.workspace_id = e.workspace_id and c.channel_id = e.channel_id))
      order by e.ts desc limit ${limit}`;
  }

  /** One bite of what is too old; call it again while it returns anything. */
  async function purge({
    eventsDays = 30,
    deliveriesDays = 90,
    limit = 5000,
    now = null as Date | null,
  } = {}) {
    const [row] = await sql<[{ events: number; deliveries: number; messages: number; receipts: number }]>`
      select * from purge_autopost(${eventsDays} * interval '1 day', ${deliveriesDays} * interval '1 day', ${limit}, ${now})`;
    return row;
  }

  /** Of the statistics of what came in. */
  async function purgeRuns({ days = 30, limit = 5000 } = {}): Promise<number> {
    const { count } = await sql`
      delete from ingest_runs where ctid = any(array(
        select ctid from ingest_runs where started_at < ${since(days * 86_400_000)} limit ${limit}))`;
    return count;
  }

  function since(ms: number) {
    return sql`clock_timestamp() - ${ms} * interval '1 ms'`;
  }
}
