import type { Sql } from '../../store/database.ts';

/** The alerts of a workspace that were sent and are not over yet. */
export type ToldAlert = {
  workspaceId: string;
  workspaceName: string;
  condition: string;
  amount: number;
  newestAt: Date | null;
  /** By the database's clock. */
  agoMs: number;
};

export type ToldAlerts = ReturnType<typeof makeToldAlerts>;

export function makeToldAlerts(sql: Sql) {
  return { list, keep, forget };

  function list(): Promise<ToldAlert[]> {
    return sql`
      select a.workspace_id as "workspaceId", w.name as "workspaceName", a.condition, a.amount,
        a.newest_at as "newestAt", (extract(epoch from clock_timestamp() - a.told_at) * 1000)::double precision as "agoMs"
      from autopost_alerts a join workspaces w on w.workspace_id = a.workspace_id`;
  }

  async function keep(told: Pick<ToldAlert, 'workspaceId' | 'condition' | 'amount' | 'newestAt'>) {
    await sql`
      insert into autopost_alerts (workspace_id, condition, amount, newest_at, told_at)
      values (${told.workspaceId}, ${told.condition}, ${told.amount}, ${told.newestAt}, clock_timestamp())
      on conflict (workspace_id, condition) do update
      set amount = excluded.amount, newest_at = excluded.newest_at, told_at = excluded.told_at`;
  }

  async function forget({ workspaceId, condition }: Pick<ToldAlert, 'workspaceId' | 'condition'>) {
    await sql`delete from autopost_alerts where workspace_id = ${workspaceId} and condition = ${condition}`;
  }
}
