import type { Json } from '../../engine/json.ts';
import type { Sql } from '../../store/database.ts';

type LogEntry = {
  id: number;
  ts: Date;
  chatId: string;
  text: string;
  ruleId: string | null;
  ruleVersion: number | null;
  stateBefore: string;
  stateAfter: string;
  response: string;
  meta: { reply?: string; trace_id?: string; warnings?: string[] };
};

type StateLine = { state: string; context: Json; expiresAt: Date | null };

export function makeLogs(sql: Sql) {
  return { list, stateOf };

  /** The newest first. */
  function list(
    workspaceId: string,
    { chatId, limit = 20 }: { chatId?: string | undefined; limit?: number } = {},
  ): Promise<LogEntry[]> {
    return sql`
      select id, ts, chat_id as "chatId", message_text as text, matched_rule_id as "ruleId",
        rule_version as "ruleVersion", state_before as "stateBefore", state_after as "stateAfter",
        response_preview as response, meta
      from bot_logs where workspace_id = ${workspaceId} ${chatId === undefined ? sql`` : sql`and chat_id = ${chatId}`}
      order by id desc limit ${limit}`;
  }

  async function stateOf(workspaceId: string, chatId: string): Promise<StateLine | null> {
    const [row] = await sql<StateLine[]>`
      select state, context, expires_at as "expiresAt" from bot_state
      where workspace_id = ${workspaceId} and chat_id = ${chatId}`;
    return row ?? null;
  }
}
