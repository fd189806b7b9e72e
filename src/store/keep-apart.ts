import { BadConfig } from '../config.ts';
import type { Sql } from './database.ts';

const MARK = 'served in earnest';

/**
 * The sandbox refuses a database that was used in production: it would send what waits for real channels and sites to
 * stand-ins, and record it as delivered. The other way is allowed, so that people keep what they made in the sandbox.
 */
export async function keepApart(sql: Sql, { sandbox }: { sandbox: boolean }): Promise<void> {
  if (!sandbox) {
    await sql`insert into key_values (key, value, expires_at) values (${MARK}, '', 'infinity') on conflict do nothing`;
    return;
  }
  const [mark] = await sql`select 1 from key_values where key = ${MARK}`;
  if (!mark) return;
  throw new BadConfig(
    'This database was used in production, and the sandbox would send its posts to stand-ins. ' +
      'Give the sandbox a DATABASE_URL or a DATA_DIR of its own, or set TELEGRAM_BOT_TOKEN and leave SANDBOX out.',
  );
}
