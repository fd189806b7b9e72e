import { SEEN_UPDATES_TTL_SECONDS } from '../engine/session-store.ts';
import type { Sql } from './database.ts';

/** In small batches, so that other statements do not wait for them. */
const MOST_OPERATIONS = 5_000;

/**
 * Removes what has expired from the stores on Postgres; Redis does this by itself. Nothing depends on it but
 * the size of the tables: every read looks at the expiry.
 */
export async function sweepExpired(sql: Sql, sessionTtlSeconds: number) {
  // A row that is locked, or that still counts a person's updates, stays for the next sweep.
  await sql`
    delete from fsm_storage
    where expires_at <= now() and coalesce(lock_until <= now(), true) and coalesce(throttle_until <= now(), true)`;
  await sql`delete from session_waiters where asked_at <= now() - interval '1 minute'`;
  await sql`delete from seen_updates where seen_at <= now() - ${SEEN_UPDATES_TTL_SECONDS} * interval '1 second'`;
  await sql`delete from key_values where expires_at <= now()`;
  // As long as the sender of a letter may send it again.
  await sql`delete from inbox where settled_at <= now() - interval '30 days'`;
  // Stages are for going on after a crash; a finished operation answers with its result. An article's weigh 100 kB.
  await sql`
    update operations set stages = '{}' where key in (
      select key from operations
      where status = 'done' and stages <> '{}' and updated_at < now() - interval '1 day'
      order by updated_at limit ${MOST_OPERATIONS} for update skip locked)`;
  // Keys of operations stand in sessions, or name a draft, which lives for a day. Gone too early, a post would be sent
  // again: hence a month more than either. Tokens could not move twice even then, their keys stay in the ledger.
  const longAgo = sql`now() - interval '30 days' - ${sessionTtlSeconds} * interval '1 second'`;
  await sql`
    delete from operations where key in (
      select key from operations
      where created_at < ${longAgo} and updated_at < ${longAgo} and coalesce(lease_until <= now(), true)
      order by created_at limit ${MOST_OPERATIONS} for update skip locked)`;
}
