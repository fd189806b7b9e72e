import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../engine/json.ts';
import { LEASE_MS } from '../engine/lease.ts';
import type { KnownStage, OperationCall, Operations, RunStage } from '../engine/operations.ts';
import { OperationKeyReused, OperationLost } from '../errors.ts';
import type { Sql, Statement, TransactionSql } from './database.ts';
import { lostIfAway } from './database-away.ts';
import { hashRequest } from './hash-request.ts';

const POLL_MS = 250;

type Row = { requestHash: string; status: 'running' | 'done'; result: Json };

/** For a process that knows that it is the only one: every other lease is dead. */
export async function releaseLeases(sql: Sql): Promise<void> {
  await sql`update operations set lease_token = null, lease_until = null where status = 'running'`;
}

/**
 * Keyed operations on the table `operations`. Leases run by the database's clock, the only one that all
 * processes share. Waiting never holds a transaction: on the embedded database that would stop everybody.
 */
export function createOperations(
  sql: Sql,
  { leaseMs = LEASE_MS, pollMs = POLL_MS } = {},
): Operations<TransactionSql, Statement> {
  return { inTransaction, inStatement, withStages };

  async function inTransaction<Result extends Json>(
    { key, userId, request }: OperationCall,
    work: (tx: TransactionSql) => Promise<Result>,
  ): Promise<Result> {
    const requestHash = hashRequest(userId, request);
    const outcome = await sql.begin(async (tx) => {
      // The update changes nothing: it makes a second caller wait here for the first one's commit or rollback.
      const [row] = await tx<[Row]>`
        insert into operations (key, user_id, request_hash) values (${key}, ${userId}, ${requestHash})
        on conflict (key) do update set key = excluded.key
        returning request_hash as "requestHash", status, result`;
      if (row.requestHash !== requestHash) throw new OperationKeyReused(key);
      if (row.status === 'done') return { result: row.result as Result };
      const result = await work(tx);
      await tx`
        update operations set status = 'done', result = ${JSON.stringify(result)}::text::json,
          lease_token = null, lease_until = null, error = null, updated_at = now()
        where key = ${key}`;
      return { result };
    });
    return outcome.result;
  }

  async function inStatement<Result extends Json>(call: OperationCall, statement: Statement) {
    // Of two callers at once, the key stops the second, and with it what it did. Then the first one's result is there.
    const row = await once(call, statement).catch((error) => {
      if (error.constraint_name === 'operations_pkey') return once(call, statement);
      throw error;
    });
    return row ? (row.result as Result) : null;
  }

  async function once({ key, userId, request }: OperationCall, statement: Statement) {
    const requestHash = hashRequest(userId, request);
    const [row] = await sql<Omit<Row, 'status'>[]>`
      with known as (select request_hash, result from operations where key = ${key}),
      first as (select where not exists (select from known)),
      done as (${statement}),
      noted as (
        insert into operations (key, user_id, request_hash, status, result)
        select ${key}, ${userId}, ${requestHash}, 'done', result from done
        returning request_hash, result
      )
      select request_hash as "requestHash", result from known union all select * from noted`;
    if (row && row.requestHash !== requestHash) throw new OperationKeyReused(key);
    return row;
  }

  function withStages<Result extends Json>(
    call: OperationCall,
    work: (stage: RunStage, signal: AbortSignal, known: KnownStage) => Promise<Result>,
  ): Promise<Result> {
    return underLease(call, work).catch(lostIfAway(call.key));
  }

  async function underLease<Result extends Json>(
    call: OperationCall,
    work: (stage: RunStage, signal: AbortSignal, known: KnownStage) => Promise<Result>,
  ): Promise<Result> {
    const { key } = call;
    const token = randomUUID();
    const claimed = await claimOrWait(call, token);
    if ('result' in claimed) return claimed.result as Result;

    const lease = keepLease(key, token);
    const signal = call.signal ? AbortSignal.any([call.signal, lease.lost]) : lease.lost;
    // Work that does not hear it was told to stop must not keep its key for ever.
    call.signal?.addEventListener('abort', lease.letExpire, { once: true });
    const stage: RunStage = async <StageResult extends Json>(
      name: string,
      run: () => Promise<StageResult>,
    ) => {
      const known = claimed.stages[name];
      if (known !== undefined) return JSON.parse(known) as StageResult;
      signal.throwIfAborted();
      const result = await run();
      claimed.stages[name] = await keepStage(key, token, name, result);
      return result;
    };
    const known: KnownStage = (name) => {
      const text = claimed.stages[name];
      return text === undefined ? undefined : (JSON.parse(text) as Json);
    };
    try {
      const result = await work(stage, signal, known);
      await finish(key, token, result);
      return result;
    } catch (error) {
      // When this fails too, the lease expires by itself; the reason worth telling is the first one.
      await giveBack(key, token, error).catch(() => undefined);
      lease.lost.throwIfAborted();
      throw error;
    } finally {
      call.signal?.removeEventListener('abort', lease.letExpire);
      lease.stop();
    }
  }

  async function claimOrWait(call: OperationCall, token: string) {
    const { key, userId, request, signal } = call;
    const requestHash = hashRequest(userId, request);
    for (;;) {
      signal?.throwIfAborted();
      const [mine] = await sql<{ stages: Record<string, string> }[]>`
        insert into operations as o (key, user_id, request_hash, lease_token, lease_until)
        values (${key}, ${userId}, ${requestHash}, ${token}, ${leaseEnd()})
        on conflict (key) do update
        set lease_token = excluded.lease_token, lease_until = excluded.lease_until, updated_at = now()
        where o.status = 'running' and o.request_hash = excluded.request_hash
          and coalesce(o.lease_until <= clock_timestamp(), true)
        returning o.stages`;
      if (mine) return { stages: mine.stages };
      const [row] = await sql<Row[]>`
        select request_hash as "requestHash", status, result from operations where key = ${key}`;
      if (row && row.requestHash !== requestHash) throw new OperationKeyReused(key);
      if (row?.status === 'done') return { result: row.result };
      await delay(pollMs, undefined, { signal });
    }
  }

  /** Renews the lease at a third of its length, and says when it is lost or may be: a database may not answer at all. */
  function keepLease(key: string, token: string) {
    const lost = new AbortController();
    const lose = () => lost.abort(new OperationLost(key));
    let isOver = false;
    let isAsking = false;
    let end = setTimeout(lose, leaseMs);
    const renewing = setInterval(async () => {
      if (isAsking) return; // a database that has not answered the last one would get a queue of them
      isAsking = true;
      const asked = performance.now();
      const renewed = await renew().catch(() => null); // out of reach: the lease still runs until it ends
      isAsking = false;
      if (isOver || renewed === null) return;
      clearTimeout(end);
      if (renewed) end = setTimeout(lose, leaseMs - (performance.now() - asked));
      else lose();
    }, leaseMs / 3);
    return { lost: lost.signal, letExpire: () => clearInterval(renewing), stop };

    function stop() {
      isOver = true;
      clearInterval(renewing);
      clearTimeout(end);
    }

    async function renew() {
      const { count } = await sql`
        update operations set lease_until = ${leaseEnd()}
        where key = ${key} and lease_token = ${token} and status = 'running'`;
      return count === 1;
    }
  }

  async function keepStage(key: string, token: string, name: string, result: Json) {
    const text = JSON.stringify(result);
    const { count } = await sql`
      update operations
      set stages = stages || jsonb_build_object(${name}::text, ${text}::text),
        lease_until = ${leaseEnd()}, updated_at = now()
      where key = ${key} and lease_token = ${token} and status = 'running'`;
    if (count === 0) throw new OperationLost(key);
    return text;
  }

  async function finish(key: string, token: string, result: Json) {
    const { count } = await sql`
      update operations
      set status = 'done', result = ${JSON.stringify(result)}::text::json,
        lease_token = null, lease_until = null, error = null, updated_at = now()
      where key = ${key} and lease_token = ${token} and status = 'running'`;
    if (count === 0) throw new OperationLost(key);
  }

  async function giveBack(key: string, token: string, error: unknown) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    await sql`
      update operations
      set lease_token = null, lease_until = null, error = ${text.replaceAll('\0', '')}, updated_at = now()
      where key = ${key} and lease_token = ${token} and status = 'running'`;
  }

  function leaseEnd() {
    return sql`clock_timestamp() + ${leaseMs}::double precision * interval '1 ms'`;
  }
}
