import type { Sql, TransactionSql } from './database.ts';

/** A line of `scheduled_calls`: what is called, and when next. */
type ScheduledCall = {
  id: string;
  path: string;
  cron: string;
  timeZone: string;
  body: string;
  failurePath: string | null;
};

/** A line of `queued_calls`: one delivery, with the tries it has had. */
export type QueuedCall = {
  id: string;
  scheduleId: string | null;
  path: string;
  body: string;
  failurePath: string | null;
  attempt: number;
  /** Unix ms; it may have waited for room since then. */
  queuedAt: number;
};

type NewCall = Omit<QueuedCall, 'attempt'> & { notBefore: number };

export type ScheduledCalls = ReturnType<typeof makeScheduledCalls>;

const MOST_DUE = 200;

/**
 * The tables of the embedded scheduler. Moments come from the caller's clock: several processes may each have one, so
 * rows are taken under their locks, and a slot that was queued is recognised by its id.
 */
export function makeScheduledCalls(sql: Sql) {
  return { set, remove, ids, queue, queueDue, claim, renew, putOff, settle, nearest };

  async function set({ id, path, cron, timeZone, body, failurePath }: ScheduledCall, next: number) {
    await sql`
      insert into scheduled_calls (id, path, cron, time_zone, body, failure_path, next_at)
      values (${id}, ${path}, ${cron}, ${timeZone}, ${body}, ${failurePath}, ${new Date(next)})
      on conflict (id) do update set path = excluded.path, cron = excluded.cron, time_zone = excluded.time_zone,
        body = excluded.body, failure_path = excluded.failure_path,
        -- Set again as it was, which every start does to the calls of the house, it keeps the slot that may be due now.
        next_at = case when scheduled_calls.cron = excluded.cron and scheduled_calls.time_zone = excluded.time_zone
          then scheduled_calls.next_at else excluded.next_at end`;
  }

  async function remove(id: string): Promise<void> {
    await sql`delete from scheduled_calls where id = ${id}`;
  }

  async function ids(): Promise<string[]> {
    const rows = await sql<{ id: string }[]>`select id from scheduled_calls order by id`;
    return rows.map(({ id }) => id);
  }

  /** A call that is queued already stays as it is. */
  async function queue(call: NewCall, on: Sql | TransactionSql = sql): Promise<void> {
    const { id, scheduleId, path, body, failurePath, notBefore, queuedAt } = call;
    await on`
      insert into queued_calls (id, schedule_id, path, body, failure_path, not_before, queued_at)
      values (${id}, ${scheduleId}, ${path}, ${body}, ${failurePath}, ${new Date(notBefore)}, ${new Date(queuedAt)})
      on conflict (id) do nothing`;
  }

  /** Moves what is due into the queue and on to its next slot, both or neither. Returns how many there were. */
  async function queueDue(now: number, plan: (call: ScheduledCall) => { slot: number; next: number }) {
    return sql.begin(async (tx) => {
      const due = await tx<ScheduledCall[]>`
        select id, path, cron, time_zone as "timeZone", body, failure_path as "failurePath" from scheduled_calls
        where next_at <= ${new Date(now)} order by next_at limit ${MOST_DUE} for update skip locked`;
      for (const call of due) {
        const { slot, next } = plan(call);
        await queue(
          { ...call, id: `${call.id}@${slot}`, scheduleId: call.id, notBefore: slot, queuedAt: now },
          tx,
        );
        await tx`update scheduled_calls set next_at = ${new Date(next)} where id = ${call.id}`;
      }
      return due.length;
    });
  }

  /** Deliveries that are due and not leased; leased for `leaseMs`. */
  async function claim(limit: number, now: number, leaseMs: number): Promise<QueuedCall[]> {
    return sql<QueuedCall[]>`
      update queued_calls q set held_until = ${new Date(now + leaseMs)}
      where q.id in (
        select id from queued_calls
        where not_before <= ${new Date(now)} and coalesce(held_until <= ${new Date(now)}, true)
        order by not_before, id limit ${limit} for update skip locked)
      returning q.id, q.schedule_id as "scheduleId", q.path, q.body, q.failure_path as "failurePath", q.attempt,
        (extract(epoch from q.queued_at) * 1000)::double precision as "queuedAt"`;
  }

  async function renew(held: readonly string[], until: number): Promise<void> {
    await sql`update queued_calls set held_until = ${new Date(until)} where id = any(${[...held]})`;
  }

  async function putOff(id: string, attempt: number, notBefore: number): Promise<void> {
    await sql`
      update queued_calls set attempt = ${attempt}, not_before = ${new Date(notBefore)}, held_until = null
      where id = ${id}`;
  }

  /** Done or given up; with the call that tells of a failure, both or neither. */
  async function settle(id: string, failure: NewCall | null = null): Promise<void> {
    if (!failure) return void (await sql`delete from queued_calls where id = ${id}`);
    await sql.begin(async (tx) => {
      await tx`delete from queued_calls where id = ${id}`;
      await queue(failure, tx);
    });
  }

  /** When something is due next; null: never. */
  async function nearest(): Promise<number | null> {
    const [row] = await sql<[{ at: Date | null }]>`
      select least((select min(next_at) from scheduled_calls), (select min(not_before) from queued_calls)) as at`;
    return row.at?.getTime() ?? null;
  }
}
