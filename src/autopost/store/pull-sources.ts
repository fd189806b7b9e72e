import { randomUUID } from 'node:crypto';
import type { Json } from '../../engine/json.ts';
import type { Sql, TransactionSql } from '../../store/database.ts';
import type { Sealing } from '../../store/sealing.ts';
import { asJson } from './delivery.ts';

export type PullKind = 'rss' | 'db' | 'api';

export type NewPullSource = {
  sourceId: string;
  kind: PullKind;
  config: { readonly [name: string]: Json };
  /** A connection address or headers. Left out, what was there stays. */
  secret?: Json;
  enabled?: boolean;
};

/** Where a source was left: the last of it, and what of that which it shows again was taken. */
export type PullCursor = {
  begun?: boolean;
  seen?: readonly string[];
  last_seen_id?: string;
  last_seen_ts?: string;
  etag?: string;
  last_modified?: string;
  overlap?: PullOverlap;
  /** An item whose files were not to be had yet, by its name in `seen`. */
  waiting?: { key: string; tries: number };
};

/** A row of a table, as text. */
type RowPlace = { id: string; ts: string | null };

/** How far back a table is read again: from where its last row was a while ago. Null: from its beginning. */
export type PullOverlap = {
  after: RowPlace | null;
  /** Where it is read from next, since when, and how many of `seen` are older than that. */
  next: RowPlace | null;
  since: number;
  seenBefore: number;
};

/** A source in one process's hands. */
export type HeldSource = {
  workspaceId: string;
  sourceId: string;
  kind: PullKind;
  config: Json;
  cursor: PullCursor;
  failures: number;
  leaseToken: string;
};

/** The database masks and shortens it before it is kept. */
export type PullError = { code: string; message: string };

/** Another process holds the source by now: this run may change nothing. */
export class SourceLost extends Error {
  override readonly name = 'SourceLost';
  constructor({ workspaceId, sourceId }: HeldSource) {
    super(`source "${sourceId}" of ${workspaceId} was taken over`);
  }
}

/** What says when it runs, and not what it brings. */
const SCHEDULE = ['every_seconds', 'first_items', 'max_items'];

export type PullSources = ReturnType<typeof makePullSources>;

export function makePullSources(sql: Sql, sealing: Sealing, { leaseMs = 60_000 } = {}) {
  return { find, save, claimDue, secretOf, renew, advance, finish, fail, giveBack };

  async function find(
    workspaceId: string,
    sourceId: string,
  ): Promise<{ kind: PullKind; config: { readonly [name: string]: Json }; enabled: boolean } | null> {
    const [row] = await sql<
      { kind: PullKind; config: { readonly [name: string]: Json }; enabled: boolean }[]
    >`
      select kind, config_json as config, enabled from pull_sources
      where workspace_id = ${workspaceId} and source_id = ${sourceId}`;
    return row ?? null;
  }

  /** Runs at once. A source that brings something else now begins anew: its old place means nothing there. */
  async function save(workspaceId: string, source: NewPullSource): Promise<void> {
    const { sourceId, kind, config, secret, enabled = true } = source;
    const sealed = secret === undefined ? null : sealing.seal(placeOf(workspaceId, sourceId), secret);
    await sql`
      with changed as (
        select workspace_id, source_id from pull_sources
        where workspace_id = ${workspaceId} and source_id = ${sourceId} and (kind <> ${kind}
          or config_json - ${SCHEDULE}::text[] <> ${asJson(config)}::text::jsonb - ${SCHEDULE}::text[])
      ), forgotten as (
        delete from pull_cursors c using changed
        where c.workspace_id = changed.workspace_id and c.source_id = changed.source_id
      )
      insert into pull_sources as s (workspace_id, source_id, kind, config_json, sealed_secret, enabled)
      values (${workspaceId}, ${sourceId}, ${kind}, ${asJson(config)}::text::jsonb, ${sealed}, ${enabled})
      on conflict (workspace_id, source_id) do update
      set kind = excluded.kind, config_json = excluded.config_json, enabled = excluded.enabled,
        sealed_secret = coalesce(excluded.sealed_secret, s.sealed_secret), next_run_at = clock_timestamp(),
        failures = 0, lease_token = null, lease_until = null`;
  }

  /** The source that has waited longest, for this process alone. Null: nothing is due. */
  async function claimDue(): Promise<HeldSource | null> {
    const leaseToken = randomUUID();
    const [row] = await sql<Omit<HeldSource, 'leaseToken'>[]>`
      update pull_sources s
      set lease_token = ${leaseToken}, lease_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
      where (s.workspace_id, s.source_id) = (
        select d.workspace_id, d.source_id from pull_sources d
        join workspaces w on w.workspace_id = d.workspace_id and w.status <> 'disabled'
        where d.enabled and d.next_run_at <= clock_timestamp()
          and coalesce(d.lease_until <= clock_timestamp(), true)
        order by d.next_run_at limit 1 for no key update of d skip locked)
      returning s.workspace_id as "workspaceId", s.source_id as "sourceId", s.kind, s.config_json as config, s.failures,
        coalesce((
          select c.cursor_json from pull_cursors c
          where c.workspace_id = s.workspace_id and c.source_id = s.source_id), '{}') as cursor`;
    return row ? { ...row, leaseToken } : null;
  }

  /** The one place where it is opened. Null when there is none. */
  async function secretOf({ workspaceId, sourceId }: HeldSource): Promise<unknown> {
    const [row] = await sql<{ sealed: string | null }[]>`
      select sealed_secret as sealed from pull_sources
      where workspace_id = ${workspaceId} and source_id = ${sourceId}`;
    return row?.sealed ? sealing.open(placeOf(workspaceId, sourceId), row.sealed) : null;
  }

  /** The process that reads it is alive. Throws SourceLost. */
  async function renew(source: HeldSource): Promise<void> {
    await sql.begin((tx) =>
      hold(tx, source, tx`lease_until = clock_timestamp() + ${leaseMs} * interval '1 ms'`),
    );
  }

  /** What is done with an item and the place behind it are kept together or not at all. Throws SourceLost. */
  async function advance<Result>(
    source: HeldSource,
    cursor: PullCursor,
    work: (tx: TransactionSql) => Promise<Result>,
  ): Promise<Result> {
    return sql.begin(async (tx) => {
      await hold(tx, source, tx`lease_until = clock_timestamp() + ${leaseMs} * interval '1 ms'`);
      const result = await work(tx);
      await keep(tx, source, cursor);
      return result;
    }) as Promise<Result>;
  }

  async function finish(source: HeldSource, cursor: PullCursor, nextInMs: number): Promise<void> {
    await sql.begin(async (tx) => {
      await hold(
        tx,
        source,
        tx`lease_token = null, lease_until = null, failures = 0,
        next_run_at = clock_timestamp() + ${nextInMs} * interval '1 ms'`,
      );
      await keep(tx, source, cursor);
    });
  }

  async function fail(
    source: HeldSource,
    cursor: PullCursor,
    { error, nextInMs, runId }: { error: PullError; nextInMs: number; runId: string },
  ): Promise<void> {
    const { workspaceId, sourceId } = source;
    const meta = { source_id: sourceId, ingest_run_id: runId, failures: source.failures + 1 };
    await sql.begin(async (tx) => {
      await hold(
        tx,
        source,
        tx`lease_token = null, lease_until = null, failures = failures + 1,
        next_run_at = clock_timestamp() + ${nextInMs} * interval '1 ms'`,
      );
      await keep(tx, source, cursor);
      await tx`
        insert into events (workspace_id, id, action, result, error, meta)
        values (${workspaceId}, ordered_uuid(), 'pull_failed', 'error', short_error(${asJson(error)}::text::jsonb),
          ${asJson(meta)}::text::jsonb)`;
    });
  }

  /** Returns the source without a failure: the next process takes it. */
  async function giveBack({ workspaceId, sourceId, leaseToken }: HeldSource): Promise<void> {
    await sql`
      update pull_sources set lease_token = null, lease_until = null
      where workspace_id = ${workspaceId} and source_id = ${sourceId} and lease_token = ${leaseToken}`;
  }
}

async function hold(
  tx: TransactionSql,
  source: HeldSource,
  change: ReturnType<TransactionSql>,
): Promise<void> {
  const { workspaceId, sourceId, leaseToken } = source;
  const rows = await tx`
    update pull_sources set ${change}
    where workspace_id = ${workspaceId} and source_id = ${sourceId} and lease_token = ${leaseToken} returning 1`;
  if (rows.length === 0) throw new SourceLost(source);
}

async function keep(
  tx: TransactionSql,
  { workspaceId, sourceId }: HeldSource,
  cursor: PullCursor,
): Promise<void> {
  await tx`
    insert into pull_cursors (workspace_id, source_id, cursor_json)
    values (${workspaceId}, ${sourceId}, ${asJson(cursor)}::text::jsonb)
    on conflict (workspace_id, source_id) do update
    set cursor_json = excluded.cursor_json, updated_at = clock_timestamp()`;
}

const placeOf = (workspaceId: string, sourceId: string): string => `pull:${workspaceId}:${sourceId}`;
