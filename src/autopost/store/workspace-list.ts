import type { Sql } from '../../store/database.ts';

type WorkspaceLine = { id: string; name: string; status: string; channels: number; enabled: number };

/** All of them, in the order of their ids. */
export const makeListWorkspaces = (sql: Sql) => (): Promise<WorkspaceLine[]> =>
  sql<WorkspaceLine[]>`
    select w.workspace_id as id, w.name, w.status, count(c.channel_id)::integer as channels,
      (count(c.channel_id) filter (where c.enabled))::integer as enabled
    from workspaces w left join channels c on c.workspace_id = w.workspace_id
    group by w.workspace_id order by w.workspace_id`;
