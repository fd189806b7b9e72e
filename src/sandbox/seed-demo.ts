import { asJson } from '../autopost/store/delivery.ts';
import type { Workspaces } from '../autopost/store/workspaces.ts';
import type { Sql } from '../store/database.ts';
import { demoBots, demoChannels, demoEndpoint, demoLimits, demoWorkspace } from './demo-channels.ts';

const platforms = ['telegram', 'max'] as const;

/**
 * The workspace of the demo, if it is not there yet; what somebody changed in it stays. Few statements, because a
 * newcomer waits for them.
 */
export async function seedDemo(sql: Sql, workspaces: Workspaces): Promise<void> {
  const { workspaceId, name } = demoWorkspace;
  const { endpointId, secret } = demoEndpoint;
  const seeded = await sql`
    select from workspace_endpoints where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}`;
  if (seeded.length > 0) return;

  await workspaces.save(workspaceId, name);
  for (const platform of platforms) {
    const { authRef, token } = demoBots[platform];
    await workspaces.saveCredential(workspaceId, authRef, platform, { token });
    await workspaces.saveLimit(workspaceId, platform, authRef, demoLimits[platform]);
  }
  await insertChannels(sql, workspaceId);
  // Last, because it tells that all the rest is there.
  await workspaces.saveEndpoint(workspaceId, { endpointId, kind: 'webhook_push', secret });
}

async function insertChannels(sql: Sql, workspaceId: string): Promise<void> {
  const rows = demoChannels.map((channel) => ({
    ...channel,
    authRef: demoBots[channel.platform].authRef,
  }));
  await sql`
    insert into channels (workspace_id, channel_id, platform, target_id, auth_ref, rate_group, title, rate_rps,
      max_parallel, tags, route_filter)
    select ${workspaceId}, r."channelId", r.platform, r."targetId", r."authRef", r."authRef", r.title, r."rateRps",
      r."maxParallel", canonical_tags(r.tags), nullif(r."routeFilter", 'null')
    from jsonb_to_recordset(${asJson(rows)}::text::jsonb) as r ("channelId" text, platform text, "targetId" text,
      "authRef" text, title text, "rateRps" double precision, "maxParallel" integer, tags jsonb, "routeFilter" jsonb)
    on conflict do nothing`;
}
