import { createHash } from 'node:crypto';
import type { Json } from '../../engine/json.ts';
import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { Sql } from '../../store/database.ts';
import type { Sealing } from '../../store/sealing.ts';
import { asJson } from './delivery.ts';

export type EndpointKind = 'webhook_push' | 'bot_webhook';

type WorkspaceStatus = 'active' | 'paused' | 'disabled';

export type NewEndpoint = {
  endpointId: string;
  kind: EndpointKind;
  secret: string;
  ingressRps?: number;
  maxPayloadBytes?: number;
  hashDropWindowSec?: number;
};

export type RouteFilter = {
  include_any?: readonly string[];
  include_all?: readonly string[];
  exclude?: readonly string[];
};

/** Days as `mon` … `sun`, each a list of local times: `[['09:00', '18:00']]`. */
export type PostingWindow = Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>;

export type NewChannel = {
  channelId: string;
  platform: ChannelPlatform;
  targetId: string;
  authRef: string;
  rateGroup?: string;
  title?: string | null;
  sendMode?: 'text' | 'media' | 'mixed';
  /** 0 or null: no limit. */
  rateRps?: number | null;
  maxParallel?: number;
  timezone?: string;
  postingWindow?: PostingWindow | null;
  dedupTtlHours?: number | null;
  /** How long a post may wait for its turn; null: for ever. */
  expireHours?: number | null;
  allowDuplicates?: boolean;
  settings?: Json;
  tags?: readonly string[];
  routeFilter?: RouteFilter | null;
};

export type Admission =
  | { outcome: 'accepted'; workspaceId: string; endpointId: string }
  | {
      outcome: 'ingress_payload_rejected' | 'ingress_rate_limited' | 'ingress_dedup_dropped';
      workspaceId: string;
      endpointId: string;
    }
  | { outcome: 'unknown_endpoint'; workspaceId: null; endpointId: null };

export type Workspaces = ReturnType<typeof makeWorkspaces>;

/** Tenants, their entrances, channels, limits and credentials: the tables that configure autoposting. */
export function makeWorkspaces(sql: Sql, sealing: Sealing) {
  return { find, save, saveEndpoint, admit, channel, saveChannel, saveLimit, saveCredential, credential };

  async function find(workspaceId: string): Promise<{ name: string; status: WorkspaceStatus } | null> {
    const [row] = await sql<{ name: string; status: WorkspaceStatus }[]>`
      select name, status from workspaces where workspace_id = ${workspaceId}`;
    return row ?? null;
  }

  async function save(workspaceId: string, name: string, status: WorkspaceStatus = 'active'): Promise<void> {
    await sql`
      insert into workspaces (workspace_id, name, status) values (${workspaceId}, ${name}, ${status})
      on conflict (workspace_id) do update set name = excluded.name, status = excluded.status`;
  }

  /** A new secret is a new endpoint: the old one is switched off and kept. */
  async function saveEndpoint(workspaceId: string, endpoint: NewEndpoint): Promise<void> {
    const {
      endpointId,
      kind,
      secret,
      ingressRps = 5,
      maxPayloadBytes = 262_144,
      hashDropWindowSec = 10,
    } = endpoint;
    await sql`
      insert into workspace_endpoints (workspace_id, endpoint_id, kind, secret_hash, ingress_rps, max_payload_bytes,
        hash_drop_window_sec)
      values (${workspaceId}, ${endpointId}, ${kind}, ${sha256(secret)}, ${ingressRps}, ${maxPayloadBytes},
        ${hashDropWindowSec})`;
  }

  /** Whose request this is, and whether it may pass. A workspace named in the request itself counts for nothing. */
  async function admit(request: {
    kind: EndpointKind;
    secret: string;
    body: string;
    sourceRef?: string | null;
    now?: Date;
  }): Promise<Admission> {
    const { kind, secret, body, sourceRef = null, now = null } = request;
    const [row] = await sql<[Admission]>`
      select outcome, workspace_id as "workspaceId", endpoint_id as "endpointId"
      from admit_ingress(${kind}, ${sha256(secret)}, ${Buffer.byteLength(body)}, ${sha256(body)}, ${sourceRef}, ${now})`;
    return row;
  }

  async function channel(workspaceId: string, channelId: string): Promise<Required<NewChannel> | null> {
    const [row] = await sql<Required<NewChannel>[]>`
      select channel_id as "channelId", platform, target_id as "targetId", auth_ref as "authRef",
        rate_group as "rateGroup", title, send_mode as "sendMode", rate_rps as "rateRps", max_parallel as "maxParallel",
        timezone, case window_mode when 'windowed' then posting_window end as "postingWindow",
        dedup_ttl_hours as "dedupTtlHours", expire_hours as "expireHours", allow_duplicates as "allowDuplicates", settings, tags,
        route_filter as "routeFilter"
      from channels where workspace_id = ${workspaceId} and channel_id = ${channelId}`;
    return row ?? null;
  }

  /** Credentials it was switched to before hold no longer. */
  async function saveChannel(workspaceId: string, channel: NewChannel): Promise<void> {
    const { channelId, platform, targetId, authRef, rateGroup = authRef, title = null } = channel;
    const { sendMode = 'mixed', rateRps = 1, maxParallel = 1, dedupTtlHours = 168 } = channel;
    const { timezone = 'UTC', postingWindow = null, allowDuplicates = false } = channel;
    const { settings = {}, tags = [], routeFilter = null, expireHours = 72 } = channel;
    await sql`
      with rotated as (
        delete from channel_auth where workspace_id = ${workspaceId} and channel_id = ${channelId}
          and auth_ref <> ${authRef}
      )
      insert into channels (workspace_id, channel_id, platform, target_id, auth_ref, rate_group, title, send_mode,
        rate_rps, max_parallel, dedup_ttl_hours, expire_hours, timezone, window_mode, posting_window, allow_duplicates, settings, tags,
        route_filter)
      values (${workspaceId}, ${channelId}, ${platform}, ${targetId}, ${authRef}, ${rateGroup}, ${title}, ${sendMode},
        ${rateRps}, ${maxParallel}, ${dedupTtlHours}, ${expireHours}, ${timezone}, ${postingWindow ? 'windowed' : 'immediate'},
        ${asJson(postingWindow)}::text::jsonb, ${allowDuplicates}, ${asJson(settings)}::text::jsonb,
        canonical_tags(${asJson(tags)}::text::jsonb), ${asJson(routeFilter)}::text::jsonb)
      on conflict (workspace_id, channel_id) do update
      set platform = excluded.platform, target_id = excluded.target_id, auth_ref = excluded.auth_ref,
        rate_group = excluded.rate_group, title = excluded.title, send_mode = excluded.send_mode,
        rate_rps = excluded.rate_rps, max_parallel = excluded.max_parallel, dedup_ttl_hours = excluded.dedup_ttl_hours,
        expire_hours = excluded.expire_hours,
        timezone = excluded.timezone, window_mode = excluded.window_mode, posting_window = excluded.posting_window,
        allow_duplicates = excluded.allow_duplicates, settings = excluded.settings, tags = excluded.tags,
        route_filter = excluded.route_filter, updated_at = now()`;
  }

  async function saveLimit(
    workspaceId: string,
    platform: ChannelPlatform,
    rateGroup: string,
    rateRps: number | null,
  ): Promise<void> {
    await sql`
      insert into platform_limits (workspace_id, platform, rate_group, rate_rps)
      values (${workspaceId}, ${platform}, ${rateGroup}, ${rateRps})
      on conflict (workspace_id, platform, rate_group) do update
      set rate_rps = excluded.rate_rps, updated_at = now()`;
  }

  async function saveCredential(
    workspaceId: string,
    authRef: string,
    platform: ChannelPlatform,
    secret: Json,
  ): Promise<void> {
    const sealed = sealing.seal(placeOf(workspaceId, authRef, platform), secret);
    await sql`
      insert into credential_bindings (workspace_id, auth_ref, platform, secret_ref)
      values (${workspaceId}, ${authRef}, ${platform}, ${sealed})
      on conflict (workspace_id, auth_ref, platform) do update
      set secret_ref = excluded.secret_ref, rotated_at = now(), updated_at = now()`;
  }

  /** The one place where it is opened. Null when there is none. */
  async function credential(
    workspaceId: string,
    authRef: string,
    platform: ChannelPlatform,
  ): Promise<unknown> {
    const [row] = await sql<{ sealed: string }[]>`
      select secret_ref as sealed from credential_bindings
      where workspace_id = ${workspaceId} and auth_ref = ${authRef} and platform = ${platform}`;
    return row ? sealing.open(placeOf(workspaceId, authRef, platform), row.sealed) : null;
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const placeOf = (workspaceId: string, authRef: string, platform: ChannelPlatform): string =>
  `autopost:${workspaceId}:${platform}:${authRef}`;
