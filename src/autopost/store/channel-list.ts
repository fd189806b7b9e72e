import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { Sql } from '../../store/database.ts';
import type { RouteFilter } from './workspaces.ts';

export type ChannelLine = {
  channelId: string;
  title: string | null;
  platform: ChannelPlatform;
  targetId: string;
  authRef: string;
  rateGroup: string;
  rateRps: number | null;
  enabled: boolean;
  /** Null after the deadline. */
  pausedUntil: Date | null;
  /** Asked of its whole group by the platform; also only while it lies ahead. */
  groupWaitsUntil: Date | null;
  errorStreak: number;
  tags: string[];
  routeFilter: RouteFilter | null;
  waiting: number;
  unknown: number;
  lastSendAt: Date | null;
};

export const makeListChannels =
  (sql: Sql) =>
  (workspaceId: string): Promise<ChannelLine[]> =>
    sql<ChannelLine[]>`
      select c.channel_id as "channelId", c.title, c.platform, c.target_id as "targetId", c.auth_ref as "authRef",
        c.rate_group as "rateGroup", c.rate_rps as "rateRps", c.enabled,
        case when c.paused_until > clock_timestamp() then c.paused_until end as "pausedUntil",
        (select l.cooldown_until from platform_limits l where l.workspace_id = c.workspace_id
          and l.platform = c.platform and l.rate_group = c.rate_group
          and l.cooldown_until > clock_timestamp()) as "groupWaitsUntil",
        c.error_streak as "errorStreak", c.tags, c.route_filter as "routeFilter", c.last_send_at as "lastSendAt",
        (select count(*)::integer from deliveries d where d.workspace_id = c.workspace_id
          and d.channel_id = c.channel_id and d.is_waiting) as waiting,
        (select count(*)::integer from deliveries d where d.workspace_id = c.workspace_id
          and d.channel_id = c.channel_id and d.status = 'unknown') as unknown
      from channels c where c.workspace_id = ${workspaceId} order by c.channel_id`;
