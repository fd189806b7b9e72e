import type { Json } from '../../engine/json.ts';
import type { Sql } from '../../store/database.ts';

type BotEndpoint = {
  workspaceId: string;
  workspaceName: string;
  endpointId: string;
  enabled: boolean;
  meta: Json;
};

export type BotEndpoints = ReturnType<typeof makeBotEndpoints>;

/** Webhooks of bots, among the endpoints of all workspaces. */
export function makeBotEndpoints(sql: Sql) {
  return { settings, list, saveMeta };

  /** With the hash by which a process knows that what it has read is the present. Null: there is no such endpoint. */
  async function settings(
    workspaceId: string,
    endpointId: string,
  ): Promise<{ hash: string; meta: Json } | null> {
    const [row] = await sql<{ hash: string; meta: Json }[]>`
      select hashtextextended(meta::text, 0)::text as hash, meta from workspace_endpoints
      where workspace_id = ${workspaceId} and endpoint_id = ${endpointId} and kind = 'bot_webhook'`;
    return row ?? null;
  }

  function list(workspaceId?: string): Promise<BotEndpoint[]> {
    return sql`
      select e.workspace_id as "workspaceId", w.name as "workspaceName", e.endpoint_id as "endpointId", e.enabled, e.meta
      from workspace_endpoints e join workspaces w on w.workspace_id = e.workspace_id and w.status <> 'disabled'
      where e.kind = 'bot_webhook' ${workspaceId === undefined ? sql`` : sql`and e.workspace_id = ${workspaceId}`}
      order by e.enabled desc, e.created_at desc`;
  }

  async function saveMeta(workspaceId: string, endpointId: string, meta: Json): Promise<void> {
    await sql`
      update workspace_endpoints set meta = ${JSON.stringify(meta)}::text::jsonb, updated_at = now()
      where workspace_id = ${workspaceId} and endpoint_id = ${endpointId} and kind = 'bot_webhook'`;
  }
}
