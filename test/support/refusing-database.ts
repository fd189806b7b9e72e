import type { Sql } from '../../src/store/database.ts';

let refusals = 0;

/** The database refuses to write rows that fit the condition (`new.user_id = 7`), until it is told to take them again. */
export async function refusing(sql: Sql, table: string, condition: string): Promise<() => Promise<void>> {
  refusals += 1;
  const name = `refusal_${refusals}`;
  await sql.unsafe(`
    create or replace function refuse() returns trigger language plpgsql as $$
    begin raise exception 'refused by a test'; end $$`);
  await sql.unsafe(`
    create trigger ${name} before insert or update on ${table}
    for each row when (${condition}) execute function refuse()`);
  return async () => void (await sql.unsafe(`drop trigger ${name} on ${table}`));
}

/** The database does not let a person's drafts come to a status. */
export const refusingDrafts = (sql: Sql, person: { id: number }, status: 'published' | 'cancelled') =>
  refusing(sql, 'article_previews', `new.user_id = ${person.id} and new.status = '${status}'`);
