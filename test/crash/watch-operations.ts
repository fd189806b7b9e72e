import type { Sql } from '../../src/store/database.ts';
import type { Question } from './model-journal.ts';

/**
 * Has the database write down when each stage of an article was kept, and how often somebody took over the work of the
 * dead: the table itself knows only the last of both.
 */
export async function watchOperations(sql: Sql) {
  await sql`create table kept_stages (user_id bigint, stage text, at timestamptz)`;
  await sql`create table taken_over (user_id bigint, key text)`;
  await sql`
    create function note_operation() returns trigger language plpgsql as $$
    begin
      insert into kept_stages
      select new.user_id, name, clock_timestamp() from jsonb_object_keys(new.stages) name
      where not old.stages ? name and new.key like '%:generate';
      if old.lease_token <> new.lease_token then insert into taken_over values (new.user_id, new.key); end if;
      return null;
    end $$`;
  await sql`
    create trigger note_operation after update on operations for each row execute function note_operation()`;
  return { keptStages, takenOver, running };

  async function keptStages(): Promise<Question[]> {
    return sql<Question[]>`
      select user_id as "userId", stage, (extract(epoch from at) * 1000)::double precision as at
      from kept_stages`;
  }

  /** How often each person's writing, and everybody's work together. */
  async function takenOver(): Promise<{ writing: Map<number, number>; all: number }> {
    const rows = await sql<{ userId: number; writing: number; all: number }[]>`
      select user_id as "userId", count(*)::integer as all,
        (count(*) filter (where key like '%:generate'))::integer as writing
      from taken_over group by user_id`;
    return {
      writing: new Map(rows.map(({ userId, writing }) => [userId, writing])),
      all: rows.reduce((sum, row) => sum + row.all, 0),
    };
  }

  /** By somebody who was alive a moment ago. */
  async function running(): Promise<number> {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::integer as count from operations
      where status = 'running' and lease_until > clock_timestamp()`;
    return row.count;
  }
}
