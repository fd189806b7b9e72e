import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { Sql } from '../../store/database.ts';
import { type Hold, hold, holders } from './holds.ts';
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
  /** What keeps it from sending now. */
  hold: Hold | null;
  /** Null after the deadline. */
  pausedUntil: Date | null;
  /** Asked of its whole group by the platform; also only while it lies ahead. */
  groupWaitsUntil: Date | null;
  /** Of a closed posting window; null: it is open, or never opens again. */
  opensAt: Date | null;
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
        ${hold(sql)} as hold,
        case when c.paused_until > clock_timestamp() then c.paused_until end as "pausedUntil",
        case when l.cooldown_until > clock_timestamp() then l.cooldown_until end as "groupWaitsUntil",
        case when c.window_mode = 'windowed' and opening.at > asked.at and isfinite(opening.at) then opening.at end
          as "opensAt",
        c.error_streak as "errorStreak", c.tags, c.route_filter as "routeFilter", c.last_send_at as "lastSendAt",
        (select count(*)::integer from deliveries d where d.workspace_id = c.workspace_id
          and d.channel_id = c.channel_id and d.is_waiting) as waiting,
        (select count(*)::integer from deliveries d where d.workspace_id = c.workspace_id
          and d.channel_id = c.channel_id and d.status = 'unknown') as unknown
      from channels c ${holders(sql)}
      cross join (select now() as at) as asked
      cross join lateral (select next_window_start(c.timezone, c.posting_window, asked.at) as at) as opening
      where c.workspace_id = ${workspaceId} order by c.channel_id`;
