import type { Json } from '../../engine/json.ts';
import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { Sql, TransactionSql } from '../../store/database.ts';
import { asJson } from './delivery.ts';
import type { Released } from './monitor.ts';

/** Who acted by hand, and why: every such act is an event. */
export type By = { operator: string; reason: string };

/** What an operator may do by hand. None of it counts as an attempt. */
export function makeOperators(sql: Sql) {
  return {
    requeue,
    confirmSent,
    abandon,
    pauseChannel,
    resumeChannel,
    disableChannel,
    disableGroup,
    enableGroup,
    rotateAuth,
    coolGroupDown,
    resumeGroup,
    releaseStale,
    noteConfigured,
  };

  /** `duplicate`: the same content is on its way or was sent; `refused`: not in a status a person may change. */
  function requeue(
    workspaceId: string,
    deliveryIds: readonly string[],
    { operator, reason }: By,
    { attempts = 5 } = {},
  ): Promise<{ deliveryId: string; outcome: 'retry' | 'duplicate' | 'refused' }[]> {
    return sql`
      select delivery_id as "deliveryId", outcome
      from requeue_deliveries(${workspaceId}, ${[...deliveryIds]}::uuid[], ${operator}, ${reason}, ${attempts})`;
  }

  /** An unknown delivery was found in its channel. False: it is not unknown (any more). */
  async function confirmSent(
    workspaceId: string,
    deliveryId: string,
    operator: string,
    providerMessageId: string | null = null,
    reason: string | null = null,
  ): Promise<boolean> {
    const [row] = await sql<[{ moved: boolean }]>`
      select confirm_sent(${workspaceId}, ${deliveryId}, ${operator}, ${providerMessageId}, ${reason}) as moved`;
    return row.moved;
  }

  /** Gives up what waits or is unknown; returns what was given up. */
  async function abandon(workspaceId: string, deliveryIds: readonly string[], { operator, reason }: By) {
    const rows = await sql<{ id: string }[]>`
      select id from abandon_deliveries(${workspaceId}, ${[...deliveryIds]}::uuid[], ${operator}, ${reason}) as id`;
    return rows.map(({ id }) => id);
  }

  function pauseChannel(workspaceId: string, channelId: string, ms: number, by: By): Promise<string[]> {
    return noted(
      'channel_paused',
      by,
      sql`update channels set paused_until = clock_timestamp() + ${ms} * interval '1 ms', updated_at = clock_timestamp()
        where workspace_id = ${workspaceId} and channel_id = ${channelId}`,
    );
  }

  /** Also takes a channel out of quarantine. */
  function resumeChannel(workspaceId: string, channelId: string, by: By): Promise<string[]> {
    return noted(
      'channel_enabled',
      by,
      sql`update channels set enabled = true, paused_until = null, error_streak = 0, updated_at = clock_timestamp()
        where workspace_id = ${workspaceId} and channel_id = ${channelId}`,
    );
  }

  function disableChannel(workspaceId: string, channelId: string, by: By): Promise<string[]> {
    return noted(
      'channel_disabled',
      by,
      sql`update channels set enabled = false, updated_at = clock_timestamp()
        where workspace_id = ${workspaceId} and channel_id = ${channelId}`,
    );
  }

  function disableGroup(workspaceId: string, rateGroup: string, by: By): Promise<string[]> {
    return noted(
      'channel_disabled',
      by,
      sql`update channels set enabled = false, updated_at = clock_timestamp()
        where workspace_id = ${workspaceId} and rate_group = ${rateGroup}`,
      { rate_group: rateGroup },
    );
  }

  function enableGroup(workspaceId: string, rateGroup: string, by: By): Promise<string[]> {
    return noted(
      'channel_enabled',
      by,
      sql`update channels set enabled = true, paused_until = null, error_streak = 0, updated_at = clock_timestamp()
        where workspace_id = ${workspaceId} and rate_group = ${rateGroup}`,
      { rate_group: rateGroup },
    );
  }

  /**
   * Switches a channel to other credentials while nothing of it is being sent. Otherwise the channel is paused for
   * `drainMs` and the answer is `busy`: ask again.
   */
  async function rotateAuth(
    workspaceId: string,
    channelId: string,
    { authRef, rateGroup = null }: { authRef: string; rateGroup?: string | null },
    { operator, reason, drainMs = 120_000 }: By & { drainMs?: number },
  ): Promise<'rotated' | 'busy' | 'not_found'> {
    return sql.begin(async (tx) => {
      const [channel] = await tx<{ authRef: string }[]>`
        select auth_ref as "authRef" from channels
        where workspace_id = ${workspaceId} and channel_id = ${channelId} for no key update`;
      if (!channel) return 'not_found';
      if (await isSending(tx, workspaceId, channelId)) {
        await noted(
          'channel_paused',
          { operator, reason },
          tx`update channels
            set paused_until = greatest(paused_until, clock_timestamp() + ${drainMs} * interval '1 ms')
            where workspace_id = ${workspaceId} and channel_id = ${channelId}`,
          { new_auth_ref: authRef },
          tx,
        );
        return 'busy';
      }
      await tx`
        insert into channel_auth (workspace_id, channel_id, auth_ref) values (${workspaceId}, ${channelId}, ${authRef})
        on conflict (workspace_id, channel_id) do update
        set auth_ref = excluded.auth_ref, rotated_at = excluded.rotated_at, updated_at = excluded.updated_at`;
      await tx`
        update channels set auth_ref = ${authRef}, rate_group = coalesce(${rateGroup}, rate_group), paused_until = null,
          updated_at = clock_timestamp()
        where workspace_id = ${workspaceId} and channel_id = ${channelId}`;
      const meta = { operator, reason, old_auth_ref: channel.authRef, new_auth_ref: authRef };
      await tx`
        insert into events (workspace_id, id, channel_id, action, meta)
        values (${workspaceId}, ordered_uuid(), ${channelId}, 'auth_rotated',
          masked_json(${asJson(meta)}::text::jsonb))`;
      return 'rotated';
    });
  }

  /** Nothing of the group is begun for so long. */
  async function coolGroupDown(
    workspaceId: string,
    platform: ChannelPlatform,
    rateGroup: string,
    ms: number,
  ): Promise<void> {
    await sql`
      insert into platform_limits as l (workspace_id, platform, rate_group, cooldown_until)
      values (${workspaceId}, ${platform}, ${rateGroup}, clock_timestamp() + ${ms} * interval '1 ms')
      on conflict (workspace_id, platform, rate_group) do update set cooldown_until = excluded.cooldown_until`;
  }

  /** Ends a group's wait, named by the platform or by its breaker. Returns the platforms on which it waited. */
  async function resumeGroup(
    workspaceId: string,
    rateGroup: string,
    platform: ChannelPlatform | null,
    { operator, reason }: By,
  ): Promise<ChannelPlatform[]> {
    const rows = await sql<{ platform: ChannelPlatform }[]>`
      select platform from resume_group(${workspaceId}, ${rateGroup}, ${platform}, ${operator}, ${reason}) as platform`;
    return rows.map((row) => row.platform);
  }

  /** Releases expired leases at once, with the rules of the sweep. */
  function releaseStale(
    workspaceId: string,
    olderThanMs: number,
    { operator, reason }: By,
  ): Promise<Omit<Released, 'workspaceId'>[]> {
    const age = sql`${olderThanMs} * interval '1 ms'`;
    return sql`
      with released as materialized (select * from release_stale(${workspaceId}, ${age}, ${age})), noted as (
        insert into events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, meta)
        select d.workspace_id, ordered_uuid(), d.delivery_id, d.message_id, d.channel_id, clock_timestamp(),
          'manual_requeue', d.attempt,
          jsonb_build_object('operator', ${operator}::text, 'reason', ${reason}::text, 'from_status', r.was,
            'to', r.became)
        from released r join deliveries d on d.workspace_id = r.workspace_id and d.delivery_id = r.delivery_id
      )
      select delivery_id as "deliveryId", was, became from released`;
  }

  /** For changes of the tables that configure a workspace. Nothing secret may be in `what`. */
  async function noteConfigured(
    workspaceId: string,
    channelId: string | null,
    what: { [name: string]: Json },
    { operator, reason }: By,
  ): Promise<void> {
    await sql`
      insert into events (workspace_id, id, channel_id, action, meta)
      values (${workspaceId}, ordered_uuid(), ${channelId}, 'configured',
        masked_json(${asJson({ ...what, operator, reason })}::text::jsonb))`;
  }

  async function noted(
    action: string,
    { operator, reason }: By,
    change: ReturnType<Sql>,
    more: { [name: string]: string } = {},
    on: Sql | TransactionSql = sql,
  ): Promise<string[]> {
    const meta = asJson({ ...more, operator, reason, manual: true });
    const rows = await on<{ channelId: string }[]>`
      with changed as (${change} returning workspace_id, channel_id), noted as (
        insert into events (workspace_id, id, channel_id, action, meta)
        select workspace_id, ordered_uuid(), channel_id, ${action}, masked_json(${meta}::text::jsonb) from changed
      )
      select channel_id as "channelId" from changed`;
    return rows.map(({ channelId }) => channelId);
  }
}

async function isSending(tx: TransactionSql, workspaceId: string, channelId: string): Promise<boolean> {
  const rows = await tx`
    select from deliveries
    where workspace_id = ${workspaceId} and channel_id = ${channelId} and is_in_hand and status = 'sending' limit 1`;
  return rows.length > 0;
}
