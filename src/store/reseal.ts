import { BadToken } from '../fernet.ts';
import type { Sql } from './database.ts';
import type { Sealing } from './sealing.ts';

type Resealed = { place: string; resealed: number; current: number; unreadable: number };

/** Where secrets lie: every table that keeps a sealed column. */
const places = [
  { table: 'platform_connections', column: 'credentials' },
  { table: 'credential_bindings', column: 'secret_ref' },
  { table: 'pull_sources', column: 'sealed_secret' },
] as const;

/** Seals everything anew under the first key, so that the others may be retired. What changed meanwhile stays. */
export const makeReseal = (sql: Sql, sealing: Sealing) => async (): Promise<Resealed[]> => {
  const told: Resealed[] = [];
  for (const { table, column } of places) {
    const counts = { resealed: 0, current: 0, unreadable: 0 };
    const rows = await sql<{ sealed: string }[]>`
      select ${sql(column)} as sealed from ${sql(table)} where ${sql(column)} is not null`;
    for (const { sealed } of rows) counts[await resealOne(table, column, sealed)] += 1;
    told.push({ place: `${table}.${column}`, ...counts });
  }
  return told;

  async function resealOne(table: string, column: string, sealed: string) {
    try {
      const anew = sealing.reseal(sealed);
      if (anew === null) return 'current';
      await sql`update ${sql(table)} set ${sql(column)} = ${anew} where ${sql(column)} = ${sealed}`;
      return 'resealed';
    } catch (error) {
      if (error instanceof BadToken) return 'unreadable'; // a key that is gone, or the name of a secret kept elsewhere
      throw error;
    }
  }
};
