import { createHash } from 'node:crypto';
import type { ChannelPlatform } from '../../platforms/platforms.ts';
import type { Sql } from '../../store/database.ts';
import { asJson } from './delivery.ts';
import { type Enqueued, type NewMessage, toRaw } from './enqueue.ts';

export type PushRequest = {
  secret: string;
  /** As it came over the wire. */
  bytes: number;
  /** By which it is known again when it has no `sourceRef`. */
  content: string;
  sourceRef: string | null;
  /** How far it has come, in the words of `admit_ingress`. */
  step: 'whole' | 'gate' | 'receipt' | 'invalid';
  message?: NewMessage;
};

export type Rejection = { platform: ChannelPlatform; reason: string };

type Entrance = { workspaceId: string; endpointId: string };
export type Pushed =
  | ({ outcome: 'accepted'; rejections: Rejection[] | null } & Entrance & Omit<Enqueued, 'contentHash'>)
  | ({ outcome: 'ingress_payload_rejected' | 'ingress_dedup_dropped' } & Entrance)
  | ({ outcome: 'ingress_rate_limited'; retryAfterMs: number } & Entrance)
  | { outcome: 'unknown_endpoint' };

export type Push = ReturnType<typeof makePush>;

/** A pushed request, in one statement. Accepted without a message, it has only passed the gate. */
export function makePush(sql: Sql) {
  return async (request: PushRequest): Promise<Pushed> => {
    const { secret, bytes, content, sourceRef, step, message } = request;
    const [row] = await sql<[Pushed]>`
      select outcome, workspace_id as "workspaceId", endpoint_id as "endpointId", retry_after_ms as "retryAfterMs",
        message_id as "messageId", queued, suppressed, rejected, rejections
      from ingest_push(${sha256(secret)}, ${bytes}, ${sha256(content)}, ${sourceRef}, ${step},
        ${asJson(message && toRaw(message))}::text::jsonb)`;
    return row;
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
