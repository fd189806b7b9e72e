import type { Json } from '../../engine/json.ts';
import type { Sql } from '../../store/database.ts';
import type { OutgoingAnswer } from '../compose-answers.ts';

export const PROVIDER = 'max';

export type OpenRequest = {
  endpointId: string;
  secretHash: string;
  bytes: number;
  /** Null: nothing in it is to be answered. */
  message: { id: string; chatId: string | null; userId: string } | null;
  /** Passed the gate before: its first decision came too late. */
  again: boolean;
};

export type Opened =
  | { outcome: 'unknown_endpoint' }
  | { outcome: 'ingress_payload_rejected' | 'ingress_dedup_dropped'; workspaceId: string }
  | { outcome: 'ingress_rate_limited'; workspaceId: string; retryAfterMs: number }
  | ({ outcome: 'accepted'; workspaceId: string } & OpenChat);

export type OpenChat = {
  settingsHash: string;
  ruleSet: number;
  chatId: string;
  /** Null: never heard of. */
  state: string | null;
  context: Json;
  expiresAt: Date | null;
  revision: number;
  /** By the database's clock, the only one that all processes share. */
  at: Date;
};

export type SettleRequest = {
  workspaceId: string;
  chatId: string;
  userId: string;
  messageId: string;
  revision: number;
  state: string;
  context: Json;
  expiresAt: Date | null;
  log: LogLine;
  answers: readonly OutgoingAnswer[];
};

export type LogLine = {
  text: string;
  rule_id: string | null;
  rule_version: number | null;
  state_before: string;
  state_after: string;
  preview: string;
  meta: Json;
};

export type Settled =
  | { outcome: 'settled'; answers: { id: number; ready: boolean }[] }
  /** Another message of the chat came first: nothing is written. */
  | { outcome: 'stale' };

/** So long an answer is left to the process that decided it; then a sweep takes it for forgotten. */
const GRACE_MS = 10_000;

export type MessageStore = ReturnType<typeof makeMessageStore>;

/** The two statements of a message: everything a decision needs, and everything that comes of it. */
export function makeMessageStore(sql: Sql, { graceMs = GRACE_MS } = {}) {
  return { open, settle };

  async function open({ endpointId, secretHash, bytes, message, again }: OpenRequest): Promise<Opened> {
    const [row] = await sql<[Opened]>`
      select outcome, workspace_id as "workspaceId", retry_after_ms as "retryAfterMs", settings_hash as "settingsHash",
        rule_set as "ruleSet", chat_id as "chatId", state, context, expires_at as "expiresAt", revision, at
      from open_bot_message(${endpointId}, ${secretHash}, ${bytes}, ${PROVIDER}, ${message?.chatId ?? null},
        ${message?.userId ?? null}, ${message?.id ?? null}, ${again})`;
    return row;
  }

  async function settle(request: SettleRequest): Promise<Settled> {
    const { workspaceId, chatId, userId, messageId, revision, state, expiresAt } = request;
    const [row] = await sql<[Settled]>`
      select outcome, answers from settle_bot_message(${workspaceId}, ${PROVIDER}, ${chatId}, ${userId}, ${messageId},
        ${revision}, ${state}, ${JSON.stringify(request.context)}::text::jsonb, ${expiresAt},
        ${storable(request.log)}::text::jsonb, ${storable(request.answers)}::text::jsonb,
        ${graceMs} * interval '1 ms')`;
    return row;
  }
}

/** PostgreSQL stores no NUL and no half of a surrogate pair; people's messages may hold either. */
const storable = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? inner.toWellFormed().replaceAll('\0', '') : inner,
  );
