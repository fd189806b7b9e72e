import type { Sql } from '../store/database.ts';

/** Only the sandbox forgets people; the product keeps its ledger for ever. */
export async function forgetPerson(sql: Sql, userId: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`delete from conversations where user_id = ${userId}`;
    await tx`delete from article_previews where user_id = ${userId}`;
    await tx`delete from token_expenses where user_id = ${userId}`;
    await tx`delete from payments where user_id = ${userId}`;
    await tx`delete from users where id = ${userId}`;
  });
}
