import type { Keywords } from '../services/quality/choose-cluster.ts';
import type { Sql, TransactionSql } from './database.ts';

export type StoredKeywords = {
  categoryName: string;
  keywords: Keywords;
  /** Schedules that would find nothing to write about. */
  activeSchedules: number;
};

export type CategoryKeywords = ReturnType<typeof makeCategoryKeywords>;

/** Every call takes the person's id: a category in somebody else's project is not found, which is null. */
export function makeCategoryKeywords(sql: Sql) {
  return { read, change, fillCity, customer };

  async function read(userId: number, categoryId: number): Promise<StoredKeywords | null> {
    const [row] = await sql<(StoredKeywords & { keywords: unknown })[]>`
      select c.name as "categoryName", c.keywords,
        (select count(*) from platform_schedules s where s.category_id = c.id and s.enabled) as "activeSchedules"
      from categories c join projects p on p.id = c.project_id
      where c.id = ${categoryId} and p.user_id = ${userId}`;
    return row ? { ...row, keywords: listOf(row.keywords) } : null;
  }

  /** The list after the edit. Concurrent edits are serialized: the second sees what the first left. */
  async function change(
    userId: number,
    categoryId: number,
    edit: (keywords: Keywords) => Keywords,
    within?: TransactionSql,
  ): Promise<Keywords | null> {
    return within ? changed(within) : sql.begin(changed);

    async function changed(tx: TransactionSql): Promise<Keywords | null> {
      const [row] = await tx<{ keywords: unknown }[]>`
        select c.keywords from categories c join projects p on p.id = c.project_id
        where c.id = ${categoryId} and p.user_id = ${userId} for update of c`;
      if (!row) return null;
      const keywords = edit(listOf(row.keywords));
      await tx`
        update categories set keywords = ${JSON.stringify(keywords)}::text::jsonb where id = ${categoryId}`;
      return keywords;
    }
  }

  /** A company that has not said where it works is at home where it wants to be found. */
  async function fillCity(
    tx: TransactionSql,
    userId: number,
    categoryId: number,
    city: string,
  ): Promise<void> {
    await tx`
      update projects set company_city = ${city}
      where id = (select project_id from categories where id = ${categoryId})
        and user_id = ${userId} and coalesce(company_city, '') = ''`;
  }

  /** Who is about to order phrases, and for what. */
  async function customer(
    userId: number,
    categoryId: number,
  ): Promise<{ categoryName: string; city: string | null; balance: number } | null> {
    const [row] = await sql<{ categoryName: string; city: string | null; balance: number }[]>`
      select c.name as "categoryName", nullif(p.company_city, '') as city, u.balance
      from categories c join projects p on p.id = c.project_id join users u on u.id = p.user_id
      where c.id = ${categoryId} and p.user_id = ${userId}`;
    return row ?? null;
  }
}

const listOf = (stored: unknown): Keywords => (Array.isArray(stored) ? stored : []);
