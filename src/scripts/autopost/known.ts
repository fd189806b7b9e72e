import type { Sql } from '../../store/database.ts';
import { NothingFound } from './subcommand.ts';

export async function knownWorkspace(sql: Sql, workspaceId: string): Promise<void> {
  const [row] = await sql`select from workspaces where workspace_id = ${workspaceId}`;
  if (!row) throw new NothingFound(`No workspace "${workspaceId}".`);
}

export function someChannels(channelIds: readonly string[], what: string): readonly string[] {
  if (channelIds.length === 0) throw new NothingFound(`No ${what}.`);
  return channelIds;
}
