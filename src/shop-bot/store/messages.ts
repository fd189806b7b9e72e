import type { Json } from '../../engine/json.ts';
import type { Sql } from '../../store/database.ts';
import type { OutgoingAnswer } from '../compose-answers.ts';
import { gather } from '../gather.ts';

const PROVIDER = 'max';

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

type OpenChat = {
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

/**
 * The two statements of a message: everything a decision needs, and everything that comes of it. Messages that come at
 * once share them, so a crowd costs few commits.
 */
export function makeMessageStore(sql: Sql, { graceMs = GRACE_MS } = {}) {
  return { open: gather(openAll), settle: gather(settleAll) };

  function openAll(requests: OpenRequest[]): Promise<Opened[]> {
    const rows = requests.map(({ message, ...gate }) => ({ ...gate, ...message }));
    return sql`
      select o.outcome, o.workspace_id as "workspaceId", o.retry_after_ms as "retryAfterMs",
        o.settings_hash as "settingsHash", o.rule_set as "ruleSet", o.chat_id as "chatId", o.state, o.context,
        o.expires_at as "expiresAt", o.revision, o.at
      from open_bot_messages(${PROVIDER}, ${storable(rows)}::text::jsonb) o order by o.place`;
  }

  function settleAll(requests: SettleRequest[]): Promise<Settled[]> {
    return sql`
      select s.outcome, s.answers
      from settle_bot_messages(${PROVIDER}, ${storable(requests)}::text::jsonb, ${graceMs} * interval '1 ms') s
      order by s.place`;
  }
}

/** `JSON.stringify` writes them as escapes; an escaped backslash before the `u` makes a harmless second look. */
const unstorable = /\\u(?:0000|d[89a-f])/u;

/** PostgreSQL stores no NUL and no half of a surrogate pair; people's messages may hold either, and seldom do. */
function storable(value: unknown): string {
  const json = JSON.stringify(value);
  if (!unstorable.test(json)) return json;
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? inner.toWellFormed().replaceAll('\0', '') : inner,
  );
}
