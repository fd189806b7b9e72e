import {
  type Attention,
  type DueRequest,
  type Hold,
  SEEN_UPDATES_KEPT,
  SEEN_UPDATES_TTL_SECONDS,
  type SessionStore,
  type Shown,
  WAITER_TTL_MS,
} from '../engine/session-store.ts';
import type { Sql } from './database.ts';

type AcquiredRow = {
  outcome: 'held' | 'repeat' | 'throttled' | 'wait';
  revision: number;
  session: string | null;
  shownRevision: number | null;
  shownMessageId: string | null;
  attention: Parts | null;
};

/** Attention as the table keeps it, by the part of the session. */
type Parts = Record<string, { at: number; owner: string }>;

/**
 * Sessions in `fsm_storage`. What must be atomic is a function of schema.sql: one call, one round trip, one
 * row lock. Expired rows are invisible here; `sweepExpired` removes them.
 *
 * `botId` keeps several bots in one database apart.
 */
export function createPostgresSessionStore(sql: Sql, { botId = 0 } = {}): SessionStore {
  return { acquire, save, release, hasSeen, due, postpone, peek, forget };

  async function acquire(request: Acquire) {
    const { userId, ticket, order, updateId, asksOnce = false, throttlePerMinute, leaseMs } = request;
    const [row] = await sql<[AcquiredRow]>`
      select outcome, revision, session, shown_revision as "shownRevision", shown_message_id as "shownMessageId",
        attention
      from session_acquire(${botId}, ${userId}, ${ticket}, ${order ?? null}, ${updateId ?? null},
        ${throttlePerMinute ?? null}, ${leaseMs}, ${WAITER_TTL_MS}, ${SEEN_UPDATES_TTL_SECONDS}, ${asksOnce})`;
    if (row.outcome === 'wait' || row.outcome === 'throttled') return { outcome: row.outcome };
    const hold: Hold = {
      userId,
      token: ticket,
      revision: row.revision,
      session: row.session,
      shown: shownOf(row),
      attention: Object.entries(row.attention ?? {}).map(([of, part]) => ({ of, ...part })),
    };
    return { outcome: row.outcome, hold };
  }

  async function save(hold: Hold, { session, attention, updateId, ttlSeconds }: Save): Promise<Hold | null> {
    const [row] = await sql<Pick<AcquiredRow, 'revision' | 'shownRevision' | 'shownMessageId'>[]>`
      select revision, shown_revision as "shownRevision", shown_message_id as "shownMessageId"
      from session_save(${botId}, ${hold.userId}, ${hold.revision}, ${session}, ${readableState(session)},
        ${sql.json(partsOf(attention))}, ${ttlSeconds * 1_000}, ${updateId ?? null},
        ${SEEN_UPDATES_KEPT}, ${WAITER_TTL_MS})`;
    if (!row) return null;
    return { ...hold, revision: row.revision, session, shown: shownOf(row), attention };
  }

  async function release(hold: Hold, { shown, attention, updateId, isUncounted }: Release) {
    await sql`select session_release(${botId}, ${hold.userId}, ${hold.token}, ${hold.revision},
      ${shown?.revision ?? null}, ${shown?.messageId ?? null},
      ${attention === undefined ? null : sql.json(partsOf(attention))},
      ${updateId ?? null}, ${SEEN_UPDATES_KEPT})`;
    if (isUncounted)
      await sql`
        update fsm_storage set throttle_count = greatest(0, throttle_count - 1)
        where storage_key = session_key(${botId}, ${hold.userId})`;
  }

  async function hasSeen(userId: number, updateId: number) {
    const rows = await sql`
      select from seen_updates
      where bot_id = ${botId} and user_id = ${userId} and update_id = ${updateId}
        and seen_at > clock_timestamp() - ${SEEN_UPDATES_TTL_SECONDS} * interval '1 second'`;
    return rows.length > 0;
  }

  async function due({ until, limit, claimUntil }: DueRequest) {
    const rows = await sql<{ userId: number }[]>`
      with due as materialized (
        select storage_key, attention_at from fsm_storage
        where attention_at <= ${new Date(until)} and bot_id = ${botId} and expires_at > clock_timestamp()
        order by attention_at limit ${limit} for update skip locked
      ), claimed as (
        update fsm_storage s set attention_at = ${new Date(claimUntil)}
        from due where s.storage_key = due.storage_key
        returning s.user_id, due.attention_at
      )
      select user_id as "userId" from claimed order by attention_at`;
    return rows.map(({ userId }) => userId);
  }

  async function postpone(userId: number, { of, at, owner }: Attention) {
    const [row] = await sql<[{ isMine: boolean }]>`
      select session_postpone(${botId}, ${userId}, ${of}, ${at}, ${owner}) as "isMine"`;
    return row.isMine;
  }

  async function peek(userId: number) {
    const [row] = await sql<{ data: string }[]>`
      select data from fsm_storage
      where storage_key = session_key(${botId}, ${userId}) and expires_at > clock_timestamp()`;
    return row?.data ?? null;
  }

  async function forget(userId: number) {
    await sql`
      update fsm_storage set expires_at = clock_timestamp(), attention = null, attention_at = null
      where storage_key = session_key(${botId}, ${userId})`;
  }
}

type Acquire = Parameters<SessionStore['acquire']>[0];
type Save = Parameters<SessionStore['save']>[1];
type Release = Parameters<SessionStore['release']>[1];

const partsOf = (attention: readonly Attention[]): Parts =>
  Object.fromEntries(attention.map(({ of, at, owner }) => [of, { at, owner }]));

function shownOf(row: Pick<AcquiredRow, 'shownRevision' | 'shownMessageId'>): Shown | null {
  if (row.shownRevision === null || row.shownMessageId === null) return null;
  return { revision: row.shownRevision, messageId: row.shownMessageId };
}

/** "ProjectCreate:name", for people who read the table; null for a session in no flow, or one it cannot read. */
function readableState(session: string): string | null {
  try {
    const { flow } = JSON.parse(session) as {
      flow?: { flow?: unknown; snapshot?: { value?: unknown } } | null;
    };
    if (typeof flow?.flow !== 'string') return null;
    return `${flow.flow}:${statePath(flow.snapshot?.value)}`.slice(0, 255);
  } catch {
    return null;
  }
}

/** XState writes a nested state as {parent: {child: 'leaf'}}, parallel ones side by side. */
function statePath(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '?';
  return Object.entries(value)
    .map(([parent, child]) => `${parent}.${statePath(child)}`)
    .join(',');
}
