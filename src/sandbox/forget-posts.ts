import type { Sql } from '../store/database.ts';

/** Only the sandbox forgets what was posted: the channels are empty again, so the same post may come again. */
export async function forgetPosts(sql: Sql, workspaceId: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`delete from deliveries where workspace_id = ${workspaceId}`;
    await tx`delete from messages where workspace_id = ${workspaceId}`;
    // The messengers have forgotten their files as well: what was brought there must be brought anew.
    await tx`delete from media_blobs where workspace_id = ${workspaceId}`;
    await tx`delete from events where workspace_id = ${workspaceId}`;
    await tx`delete from ingress_receipts where workspace_id = ${workspaceId}`;
    await tx`
      update channels set enabled = true, paused_until = null, error_streak = 0 where workspace_id = ${workspaceId}`;
    await tx`update platform_limits set cooldown_until = null where workspace_id = ${workspaceId}`;
  });
}
