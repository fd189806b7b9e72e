import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { Sql } from '../../store/database.ts';

/** Something of a workspace that a person should know, with the few worst cases of it. */
export type Condition = {
  workspaceId: string;
  workspaceName: string;
  amount: number;
  newestAt: Date | null;
  cases: readonly ConditionCase[];
};

export type ConditionCase = {
  /** Of the channel; of the group; of the source. */
  id: string;
  title: string;
  platform: ChannelPlatform | null;
  code: string | null;
  message: string | null;
  amount: number;
  /** Until it ends by itself. */
  waitMs?: number;
};

export type Conditions = ReturnType<typeof makeConditions>;

/** One statement for all workspaces: a watchman with a thousand of them asks no more often than with one. */
export function makeConditions(sql: Sql, { cases = 5 } = {}) {
  return { dead, expired, failing, unknown, paused, disabled, cooling, outage, pull, unpostable };

  /** Dead after their last attempt; an operator's own decision needs no alert. */
  function dead(options?: { withinMs?: number }): Promise<Condition[]> {
    return ended(sql`d.last_error ->> 'code' is distinct from 'expired'`, options);
  }

  /** Waited longer than their channel lets a post wait. */
  function expired(options?: { withinMs?: number }): Promise<Condition[]> {
    return ended(sql`d.last_error ->> 'code' = 'expired'`, options);
  }

  function ended(how: ReturnType<Sql>, { withinMs = 7 * 86_400_000 } = {}): Promise<Condition[]> {
    return gathered(sql`
      select d.workspace_id, d.channel_id as id, d.channel_id, d.last_error as error, d.updated_at as at
      from workspaces w join deliveries d on d.workspace_id = w.workspace_id and d.status = 'dead'
      where d.updated_at > ${since(withinMs)} and ${how} and not exists (
        select from events e
        where e.workspace_id = d.workspace_id and e.delivery_id = d.delivery_id and e.action = 'dead_letter'
          and e.meta -> 'operator' is not null)`);
  }

  function failing({ withinMs = 600_000 } = {}): Promise<Condition[]> {
    return gathered(sql`
      select e.workspace_id, e.channel_id as id, e.channel_id, e.error, e.ts as at
      from workspaces w join events e on e.workspace_id = w.workspace_id
        and e.action in ('failed_permanent', 'validation_failed') and e.ts > ${since(withinMs)}`);
  }

  function unknown(): Promise<Condition[]> {
    return gathered(sql`
      select d.workspace_id, d.channel_id as id, d.channel_id, d.last_error as error, d.updated_at as at
      from workspaces w join deliveries d on d.workspace_id = w.workspace_id and d.status = 'unknown'`);
  }

  function paused(): Promise<Condition[]> {
    return gathered(sql`
      select c.workspace_id, c.channel_id as id, c.channel_id, why.error, coalesce(why.ts, c.updated_at) as at
      from channels c ${latest(sql`e.action = 'channel_paused'`)}
      where c.enabled and c.paused_until > clock_timestamp()`);
  }

  /** Switched off for their failures, not by hand. */
  function disabled(): Promise<Condition[]> {
    return gathered(sql`
      select c.workspace_id, c.channel_id as id, c.channel_id, why.error, why.ts as at
      from channels c ${latest(sql`e.action in ('channel_disabled', 'channel_enabled')`)}
      where not c.enabled and why.action = 'channel_disabled' and why.meta -> 'manual' is null`);
  }

  /** Groups that a platform made wait for so long. Told from its word, which says how long that was at first. */
  function cooling({ longerThanMs = 600_000 } = {}): Promise<Condition[]> {
    return sql`
      with groups as (
        select l.workspace_id, l.rate_group, l.platform, why.error, why.ts,
          extract(epoch from l.cooldown_until - clock_timestamp()) * 1000 as wait_ms,
          (select count(*) from channels c where c.workspace_id = l.workspace_id and c.platform = l.platform
            and c.rate_group = l.rate_group and c.enabled) as channels,
          row_number() over (partition by l.workspace_id order by l.cooldown_until desc, l.rate_group) as place
        from platform_limits l join lateral (
          select e.error, e.ts from events e
          where e.workspace_id = l.workspace_id and e.action = 'group_cooldown'
            and e.meta ->> 'platform' = l.platform and e.meta ->> 'rate_group' = l.rate_group
            and (e.meta ->> 'until')::timestamptz > greatest(clock_timestamp(), e.ts + ${longerThanMs} * interval '1 ms')
          order by e.ts desc limit 1
        ) why on true
        where l.cooldown_until > clock_timestamp()
      )
      select w.workspace_id as "workspaceId", w.name as "workspaceName", count(*)::integer as amount,
        max(g.ts) as "newestAt",
        jsonb_agg(jsonb_build_object('id', g.rate_group, 'title', g.rate_group, 'platform', g.platform,
          'code', g.error -> 'code', 'message', g.error -> 'message', 'amount', g.channels, 'waitMs', g.wait_ms)
          order by g.place) filter (where g.place <= ${cases}) as cases
      from groups g join workspaces w on w.workspace_id = g.workspace_id and w.status <> 'disabled'
      where g.channels > 0
      group by w.workspace_id, w.name order by w.workspace_id`;
  }

  /** Groups whose platform has not answered for so long. */
  function outage({ longerThanMs = 300_000 } = {}): Promise<Condition[]> {
    return sql`
      with groups as (
        select l.*, why.error, row_number() over (partition by l.workspace_id order by l.failing_since) as place,
          (select count(*) from deliveries d join channels c
            on c.workspace_id = d.workspace_id and c.channel_id = d.channel_id
            where d.workspace_id = l.workspace_id and d.is_waiting and c.platform = l.platform
              and c.rate_group = l.rate_group) as waiting
        from platform_limits l left join lateral (
          select e.error from events e
          where e.workspace_id = l.workspace_id and e.action = 'group_cooldown'
            and e.meta ->> 'platform' = l.platform and e.meta ->> 'rate_group' = l.rate_group
          order by e.ts desc limit 1
        ) why on true
        where l.failures > 0 and l.failing_since < ${since(longerThanMs)}
      )
      select w.workspace_id as "workspaceId", w.name as "workspaceName", count(*)::integer as amount,
        max(g.failing_since) as "newestAt",
        jsonb_agg(jsonb_build_object('id', g.rate_group, 'title', g.rate_group, 'platform', g.platform,
          'code', g.error -> 'code', 'message', g.error -> 'message', 'amount', g.waiting) order by g.place)
          filter (where g.place <= ${cases}) as cases
      from groups g join workspaces w on w.workspace_id = g.workspace_id and w.status <> 'disabled'
      where g.waiting > 0
      group by w.workspace_id, w.name order by w.workspace_id`;
  }

  /** Items that sources brought lately and that can never be posted. */
  function unpostable({ withinMs = 86_400_000 } = {}): Promise<Condition[]> {
    return sql`
      with items as (
        select e.workspace_id, e.meta ->> 'source_id' as source_id, count(*) as amount, max(e.ts) as at,
          (array_agg(e.error order by e.ts desc))[1] as error,
          row_number() over (partition by e.workspace_id order by max(e.ts) desc) as place
        from workspaces w join events e on e.workspace_id = w.workspace_id
          and e.action = 'pull_rejected' and e.ts > ${since(withinMs)}
        group by e.workspace_id, e.meta ->> 'source_id'
      )
      select w.workspace_id as "workspaceId", w.name as "workspaceName", sum(i.amount)::integer as amount,
        max(i.at) as "newestAt",
        jsonb_agg(jsonb_build_object('id', i.source_id, 'title', i.source_id, 'platform', null,
          'code', i.error -> 'code', 'message', i.error -> 'message', 'amount', i.amount) order by i.place)
          filter (where i.place <= ${cases}) as cases
      from items i join workspaces w on w.workspace_id = i.workspace_id and w.status <> 'disabled'
      group by w.workspace_id, w.name order by w.workspace_id`;
  }

  /** Sources that failed so many times running. */
  function pull({ failures = 3 } = {}): Promise<Condition[]> {
    return sql`
      select w.workspace_id as "workspaceId", w.name as "workspaceName", count(*)::integer as amount,
        null as "newestAt",
        jsonb_agg(jsonb_build_object('id', s.source_id, 'title', s.source_id, 'platform', null,
          'code', why.error -> 'code', 'message', why.error -> 'message', 'amount', s.failures) order by s.failures desc)
          filter (where s.place <= ${cases}) as cases
      from (
        select p.*, row_number() over (partition by p.workspace_id order by p.failures desc, p.source_id) as place
        from pull_sources p where p.enabled and p.failures >= ${failures}
      ) s
      join workspaces w on w.workspace_id = s.workspace_id and w.status <> 'disabled'
      left join lateral (
        select e.error from events e
        where e.workspace_id = s.workspace_id and e.action = 'pull_failed' and e.meta ->> 'source_id' = s.source_id
        order by e.ts desc limit 1
      ) why on true
      group by w.workspace_id, w.name order by w.workspace_id`;
  }

  function gathered(hits: ReturnType<Sql>): Promise<Condition[]> {
    return sql`
      with hits as materialized (${hits}), grouped as (
        select h.workspace_id, h.id, c.platform, coalesce(c.title, h.channel_id) as title, h.error ->> 'code' as code,
          max(h.error ->> 'message') as message, count(*)::integer as amount, max(h.at) as at
        from hits h join channels c on c.workspace_id = h.workspace_id and c.channel_id = h.channel_id
        group by h.workspace_id, h.id, h.channel_id, c.platform, c.title, h.error ->> 'code'
      ), ranked as (
        select g.*, row_number() over (partition by g.workspace_id order by g.amount desc, g.at desc, g.id) as place
        from grouped g
      )
      select w.workspace_id as "workspaceId", w.name as "workspaceName", sum(r.amount)::integer as amount,
        max(r.at) as "newestAt",
        jsonb_agg(jsonb_build_object('id', r.id, 'title', r.title, 'platform', r.platform, 'code', r.code,
          'message', r.message, 'amount', r.amount) order by r.place) filter (where r.place <= ${cases}) as cases
      from ranked r join workspaces w on w.workspace_id = r.workspace_id
      where w.status <> 'disabled'
      group by w.workspace_id, w.name order by w.workspace_id`;
  }

  function latest(what: ReturnType<Sql>) {
    return sql`left join lateral (
        select e.action, e.error, e.meta, e.ts from events e
        where e.workspace_id = c.workspace_id and e.channel_id = c.channel_id and ${what}
        order by e.ts desc, e.id desc limit 1
      ) why on true`;
  }

  function since(ms: number) {
    return sql`clock_timestamp() - ${ms} * interval '1 ms'`;
  }
}
