import type { Sql, TransactionSql } from './database.ts';

/**
 * All of the work or nothing of it. A dry run does it all and rolls back, so that it reports
 * what the same statements would change.
 */
export async function atOnce<Result>(
  sql: Sql,
  work: (sql: Sql) => Promise<Result>,
  { rehearsal = false } = {},
): Promise<Result> {
  const done: { result?: Result } = {};
  try {
    await sql.begin(async (tx) => {
      done.result = await work(nestable(tx));
      if (rehearsal) throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  return done.result as Result;
}

class TakenBack extends Error {
  override readonly name = 'TakenBack';
}

/** A store that begins a transaction of its own gets a savepoint in this one. */
const nestable = (tx: TransactionSql): Sql =>
  Object.assign(tx, {
    begin: (work: (tx: TransactionSql) => Promise<unknown>) => tx.savepoint(work),
  }) as unknown as Sql;
