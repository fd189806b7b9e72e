import type { Json } from '../engine/json.ts';
import type { KnownStage, Operations, RunStage } from '../engine/operations.ts';
import { OperationKeyReused, OperationLost } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Sql, TransactionSql } from './database.ts';
import { hashRequest } from './hash-request.ts';

/** Work without a person's session: a scheduled run, a renewal, a batch of a broadcast. */
export type Job = {
  /** Names the work for ever: the same key is the same job, however often it is asked for. */
  key: string;
  kind: string;
  /** Null: it belongs to no one person. */
  userId: number | null;
  payload: Json;
  /** Unix ms; without it the job is due at once. */
  runAfter?: number;
};

/** Done when it resolves. Whatever it does to the world goes through `stage`, because it may be begun again elsewhere. */
export type JobHandler = (job: Omit<Job, 'runAfter'>, tools: JobTools) => Promise<Json>;
type JobTools = { stage: RunStage; signal: AbortSignal; known: KnownStage; attempt: number };

export type Jobs = ReturnType<typeof createJobs>;

const NO_PERSON = 0;
const MOST_AT_ONCE = 5;
const MOST_ATTEMPTS = 8;
/** Long enough to begin; then the lease of the operation itself says that it is in hand. */
const CLAIM_SECONDS = 10;
const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 30 * 60;

/**
 * Runs jobs from the table `operations`, in any process. A job is in hand while its lease is renewed; one whose process
 * died is due again, and goes on behind its last finished stage.
 */
export function createJobs({
  sql,
  operations,
  handlers,
  log,
}: {
  sql: Sql;
  operations: Pick<Operations<TransactionSql>, 'withStages'>;
  handlers: Readonly<Record<string, JobHandler>>;
  log: Log;
}) {
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  return { enqueue, sweep, stop };

  /** False: it is known already. In a transaction it exists if and only if the transaction does. */
  async function enqueue({ key, kind, userId, payload, runAfter = 0 }: Job, tx: Sql | TransactionSql = sql) {
    const requestHash = hashRequest(userId ?? NO_PERSON, { kind, payload });
    const [row] = await tx<{ requestHash: string; isNew: boolean }[]>`
      insert into operations as o (key, user_id, request_hash, kind, payload, run_after)
      values (${key}, ${userId ?? NO_PERSON}, ${requestHash}, ${kind}, ${JSON.stringify(payload)}, ${new Date(runAfter)})
      on conflict (key) do update set key = excluded.key
      returning request_hash as "requestHash", (xmax = 0) as "isNew"`;
    if (row!.requestHash !== requestHash) throw new OperationKeyReused(key);
    return row!.isNew;
  }

  /** Begins what is due, as far as this process has room, and resolves when that has ended. Never throws. */
  async function sweep(): Promise<void> {
    const room = MOST_AT_ONCE - running.size;
    if (room <= 0 || stopping.signal.aborted) return;
    try {
      const due = await claim(room);
      for (const job of due) {
        const work = run(job).finally(() => running.delete(job.key));
        running.set(job.key, work);
      }
      await Promise.all(due.map(({ key }) => running.get(key)));
    } catch (error) {
      log.error({ err: error }, 'jobs could not be claimed');
    }
  }

  async function claim(limit: number): Promise<(Job & { attempt: number })[]> {
    const rows = await sql<{ key: string; kind: string; userId: number; payload: string; attempt: number }[]>`
      update operations o set run_after = clock_timestamp() + ${CLAIM_SECONDS} * interval '1 second', attempts = attempts + 1
      where o.key in (
        select key from operations
        where kind = any(${Object.keys(handlers)}) and status = 'running' and run_after <= clock_timestamp()
          and coalesce(lease_until <= clock_timestamp(), true)
        order by run_after limit ${limit} for update skip locked)
      returning o.key, o.kind, o.user_id as "userId", o.payload, o.attempts as attempt`;
    return rows.map(({ payload, userId, ...row }) => ({
      ...row,
      userId: userId === NO_PERSON ? null : userId,
      payload: JSON.parse(payload) as Json,
    }));
  }

  async function run({ key, kind, userId, payload, attempt }: Job & { attempt: number }): Promise<void> {
    const its = log.child({ job: key, kind, attempt });
    const call = { key, userId: userId ?? NO_PERSON, request: { kind, payload }, signal: stopping.signal };
    try {
      await operations.withStages(call, (stage, signal, known) =>
        handlers[kind]!({ key, kind, userId, payload }, { stage, signal, known, attempt }),
      );
      its.info('job done');
    } catch (error) {
      if (error instanceof OperationLost || stopping.signal.aborted)
        return its.info('job left to another process');
      const isLast = attempt >= MOST_ATTEMPTS;
      its[isLast ? 'error' : 'warn']({ err: error }, isLast ? 'job given up' : 'job will be tried again');
      await putOff(key, attempt, isLast).catch((failure) => its.error({ err: failure }, 'job not put off'));
    }
  }

  async function putOff(key: string, attempt: number, isLast: boolean): Promise<void> {
    const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** (attempt - 1), LONGEST_PAUSE_SECONDS);
    await sql`
      update operations set status = ${isLast ? 'failed' : 'running'},
        run_after = clock_timestamp() + ${pause} * interval '1 second', updated_at = now()
      where key = ${key} and status = 'running'`;
  }

  /** What does not end in time is told to; its lease goes back, and another process takes it up. */
  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.allSettled(running.values());
  }
}
