import type { Sql } from '../store/database.ts';

/** Everything that customers said to a shop, and what they were answered. Its rules stay. */
export async function forgetCustomers(sql: Sql, workspaceId: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`delete from bot_outbox where workspace_id = ${workspaceId}`;
    await tx`delete from bot_logs where workspace_id = ${workspaceId}`;
    await tx`delete from bot_inbox where workspace_id = ${workspaceId}`;
    await tx`delete from bot_state where workspace_id = ${workspaceId}`;
  });
}
