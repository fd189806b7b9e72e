import { BadConfig } from '../config.ts';
import type { Sql } from './database.ts';

const MARK = 'served in earnest';

/**
 * A sandbox would bring what waits for real channels and sites to stand-ins, and write down that it arrived: a database
 * that a bot in earnest has served is closed to it. The other way is open, so that whoever tried the bot may go on
 * with what they made.
 */
export async function keepApart(sql: Sql, { sandbox }: { sandbox: boolean }): Promise<void> {
  if (!sandbox) {
    await sql`insert into key_values (key, value, expires_at) values (${MARK}, '', 'infinity') on conflict do nothing`;
    return;
  }
  const [mark] = await sql`select 1 from key_values where key = ${MARK}`;
  if (!mark) return;
  throw new BadConfig(
    'This database belongs to a bot that works in earnest, and the sandbox would send its posts to stand-ins. ' +
      'Give the sandbox a DATABASE_URL or a DATA_DIR of its own, or set TELEGRAM_BOT_TOKEN and leave SANDBOX out.',
  );
}
