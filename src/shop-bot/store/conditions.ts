import type { Sql } from '../../store/database.ts';

export type ShopCondition = { workspaceId: string; workspaceName: string; amount: number };

export type ShopConditions = ReturnType<typeof makeShopConditions>;

/** What a person should know of the shops, each as one statement for all of them. Shares are in percent. */
export function makeShopConditions(sql: Sql) {
  return { unknown, errors, misses };

  function unknown(): Promise<ShopCondition[]> {
    return sql`
      select w.workspace_id as "workspaceId", w.name as "workspaceName", count(*)::integer as amount
      from bot_outbox o join workspaces w on w.workspace_id = o.workspace_id
      where o.status = 'unknown' group by w.workspace_id`;
  }

  /** Of the answers of the last 15 minutes, those that did not go out or may not have. */
  function errors(): Promise<ShopCondition[]> {
    return sql`
      select w.workspace_id as "workspaceId", w.name as "workspaceName",
        (100 * count(*) filter (where o.status in ('failed', 'unknown')) / count(*))::integer as amount
      from bot_outbox o join workspaces w on w.workspace_id = o.workspace_id
      where o.created_at > clock_timestamp() - interval '15 minutes' group by w.workspace_id`;
  }

  /** Of the messages of the last hour, those that no rule fitted. Fewer than 20 say nothing. */
  function misses(): Promise<ShopCondition[]> {
    return sql`
      select w.workspace_id as "workspaceId", w.name as "workspaceName", (100 * count(*) filter (
        where l.meta ->> 'reply' in ('clarify', 'ask_again', 'escalate:no_match')) / count(*))::integer as amount
      from bot_logs l join workspaces w on w.workspace_id = l.workspace_id
      where l.ts > clock_timestamp() - interval '1 hour' group by w.workspace_id having count(*) >= 20`;
  }
}
