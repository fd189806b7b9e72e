import type { Sql } from './database.ts';

/** Of a connection `n`: the person's own name for it, what the platform calls it, or its bare address. */
export const shownName = (sql: Sql) =>
  sql`coalesce(n.metadata->>'name', nullif(n.metadata->>'title', ''), n.identifier)`;
