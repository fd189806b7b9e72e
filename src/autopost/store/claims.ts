import { randomUUID } from 'node:crypto';
import type { Json } from '../../engine/json.ts';
import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { Sql } from '../../store/database.ts';
import { asJson, type NormalizedError, type PostMeta, type PostPayload } from './delivery.ts';

/** One delivery in a worker's hands, with everything its adapter needs. */
export type ClaimedDelivery = {
  workspaceId: string;
  deliveryId: string;
  /** Every word about this delivery carries it: of another claim, it is not believed. */
  claimToken: string;
  messageId: string;
  channelId: string;
  platform: ChannelPlatform;
  targetId: string;
  authRef: string;
  rateGroup: string;
  settings: { [name: string]: Json };
  payload: PostPayload;
  renderedText: string | null;
  renderMeta: PostMeta & { series_progress?: Json };
  /** Attempts before this one. */
  attempt: number;
  traceId: string | null;
  /** Its slot, from now on: by the database's clock, so that no other clock matters. */
  waitMs: number;
  /** Its group was failing: whether the platform answers again is asked before this one is sent. */
  isProbe: boolean;
};

type ClaimOptions = {
  limit?: number;
  perChannel?: number;
  /** How far ahead slots are given away. */
  horizonMs?: number;
  now?: Date;
};

/**
 * What may be done with a claimed delivery now. `sending`: call the provider in `waitMs`, the attempt is on record.
 * `wait`: still ours, ask again in `waitMs`; without it, when another one of its channel is done. `returned`, `lost`: not
 * ours any more.
 */
export type Beginning = {
  deliveryId: string;
  outcome: 'sending' | 'wait' | 'returned' | 'lost';
  waitMs: number | null;
  attempt: number | null;
};

type Held = { workspaceId: string; claimToken: string; deliveryIds: readonly string[]; now?: Date };

export type Claims = ReturnType<typeof makeClaims>;

export function makeClaims(sql: Sql) {
  return { nextWorkspaces, claim, begin, beginCall, failProbe, heartbeat, giveBack };

  /** Workspaces with something waiting, in turn. Dispatchers under one name share one round. */
  function nextWorkspaces(dispatcher: string, count: number): Promise<string[]> {
    return ids(sql<{ id: string }[]>`select id from next_workspaces(${dispatcher}, ${count}) as id`);
  }

  /** A token of its own for every claim: two claims of one worker must not speak for each other. */
  function claim(workspaceId: string, runId: string, options: ClaimOptions = {}): Promise<ClaimedDelivery[]> {
    const { limit = 100, perChannel = 5, horizonMs = 1000, now = null } = options;
    const token = `${runId}:${randomUUID()}`;
    return sql<ClaimedDelivery[]>`
      select ${workspaceId} as "workspaceId", delivery_id as "deliveryId", ${token} as "claimToken",
        message_id as "messageId", channel_id as "channelId", platform, target_id as "targetId", auth_ref as "authRef",
        rate_group as "rateGroup", settings, payload, rendered_text as "renderedText", render_meta as "renderMeta",
        attempt, trace_id as "traceId", wait_ms as "waitMs", is_probe as "isProbe"
      from claim_due(${workspaceId}, ${token}, ${limit}, ${perChannel},
        ${horizonMs} * interval '1 ms', ${now})`;
  }

  /**
   * Records the attempts right before their calls. `leadMs`: how long before its slot one may be begun. `unprepared`:
   * those that have files to bring first, and say with `beginCall` when they come to their call.
   */
  function begin(
    workspaceId: string,
    held: readonly Pick<ClaimedDelivery, 'deliveryId' | 'claimToken'>[],
    {
      leadMs = 0,
      unprepared = [],
      now,
    }: { leadMs?: number; unprepared?: readonly string[]; now?: Date } = {},
  ): Promise<Beginning[]> {
    return sql<Beginning[]>`
      select delivery_id as "deliveryId", outcome, wait_ms as "waitMs", attempt
      from begin_attempts(${workspaceId}, ${held.map(({ claimToken }) => claimToken)}::text[],
        ${held.map(({ deliveryId }) => deliveryId)}::uuid[], ${leadMs} * interval '1 ms', ${now ?? null},
        ${[...unprepared]}::uuid[])`;
  }

  /** False: not ours any more, so nothing may be sent. */
  async function beginCall({ workspaceId, deliveryId, claimToken }: ClaimedDelivery): Promise<boolean> {
    const [row] = await sql<[{ ours: boolean }]>`
      select begin_call(${workspaceId}, ${deliveryId}, ${claimToken}) as ours`;
    return row.ours;
  }

  /** The platform still does not answer: the delivery goes back unsent, its group waits longer. */
  async function failProbe(delivery: ClaimedDelivery, error: NormalizedError): Promise<void> {
    const { workspaceId, deliveryId, claimToken } = delivery;
    await sql`select fail_probe(${workspaceId}, ${deliveryId}, ${claimToken}, ${asJson(error)}::text::jsonb)`;
  }

  /** Renews the leases; returns those that are still ours. */
  function heartbeat({ workspaceId, claimToken, deliveryIds, now }: Held): Promise<string[]> {
    return ids(sql<{ id: string }[]>`
      select id from heartbeat_deliveries(${workspaceId}, ${claimToken}, ${[...deliveryIds]}::uuid[], ${now ?? null}) as id`);
  }

  /** Claimed and not begun: back to the queue, before a worker stops. */
  function giveBack({ workspaceId, claimToken, deliveryIds, now }: Held): Promise<string[]> {
    return ids(sql<{ id: string }[]>`
      select id from return_claims(${workspaceId}, ${claimToken}, ${[...deliveryIds]}::uuid[], ${now ?? null}) as id`);
  }
}

const ids = async (rows: Promise<readonly { id: string }[]>): Promise<string[]> =>
  (await rows).map(({ id }) => id);
