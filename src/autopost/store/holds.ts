import type { Sql } from '../../store/database.ts';

/** Why nothing of a channel goes now, whatever its own pace: by a hand, by its workspace, by its platform. */
export type Hold = 'workspace' | 'off' | 'paused' | 'group';

/** Joins what `hold` looks at, of a channel `c`. */
export const holders = (sql: Sql) => sql`
  join workspaces w on w.workspace_id = c.workspace_id
  left join platform_limits l on l.workspace_id = c.workspace_id and l.platform = c.platform
    and l.rate_group = c.rate_group`;

/** Null: nothing holds it. */
export const hold = (sql: Sql) => sql`
  case when w.status <> 'active' then 'workspace' when not c.enabled then 'off'
    when c.paused_until > clock_timestamp() then 'paused' when l.cooldown_until > clock_timestamp() then 'group' end`;
