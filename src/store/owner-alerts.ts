import type { Sql } from './database.ts';

/** What the owner was told of and has not been told the end of. */
export function makeOwnerAlerts(sql: Sql) {
  return {
    /** 0: nothing. */
    async amountOf(kind: string): Promise<number> {
      const [row] = await sql<{ amount: number }[]>`select amount from owner_alerts where kind = ${kind}`;
      return row?.amount ?? 0;
    },
    async keep(kind: string, amount: number): Promise<void> {
      await sql`
        insert into owner_alerts (kind, amount) values (${kind}, ${amount})
        on conflict (kind) do update set amount = excluded.amount, told_at = now()`;
    },
    async forget(kind: string): Promise<void> {
      await sql`delete from owner_alerts where kind = ${kind}`;
    },
  };
}
