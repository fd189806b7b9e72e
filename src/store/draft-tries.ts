import type { Sql, TransactionSql } from './database.ts';

/** The publication `l` is of the draft `d`: under a key of its own, or under that of a schedule's run. */
export const isTryOf = (sql: Sql | TransactionSql) => sql`l.user_id = d.user_id
  and (l.operation_key = d.unknown or starts_with(l.operation_key, 'draft:' || d.id || ':publish:'))`;
