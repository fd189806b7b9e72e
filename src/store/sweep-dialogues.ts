import { OPEN_HOURS } from './conversations.ts';
import type { Sql } from './database.ts';

const FINISHED_DAYS = 30;
const IDLE_SESSION_DAYS = 7;
/** In small bites, so that no statement holds its locks for long. */
const MOST_MESSAGES = 5_000;

/**
 * The retention of dialogues: one that was idle for a day is finished, a finished one is removed after a
 * month, and a session that lay idle for a week goes whatever its own time to live says.
 */
export async function sweepDialogues(sql: Sql): Promise<void> {
  await sql`
    update conversations c set finished_at = now()
    where c.finished_at is null and c.created_at <= now() - ${OPEN_HOURS} * interval '1 hour'
      and not exists (
        select from conversations later
        where later.user_id = c.user_id and later.finished_at is null
          and later.metadata ->> 'session' is not distinct from c.metadata ->> 'session'
          and later.created_at > now() - ${OPEN_HOURS} * interval '1 hour')`;
  await sql`
    delete from conversations where id in (
      select id from conversations
      where finished_at < now() - ${FINISHED_DAYS} * interval '1 day'
      order by finished_at limit ${MOST_MESSAGES} for update skip locked)`;
  await sql`
    delete from fsm_storage
    where updated_at < now() - ${IDLE_SESSION_DAYS} * interval '1 day' and attention_at is null
      and coalesce(lock_until <= now(), true) and coalesce(throttle_until <= now(), true)`;
}
