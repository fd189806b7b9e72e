import type { StoredReview } from '../services/category/stored-review.ts';
import type { Sql, TransactionSql } from './database.ts';

/** What a person has filled a category with, beside its phrases. */
export type CategoryMaterial = {
  categoryId: number;
  categoryName: string;
  projectName: string;
  description: string;
  /** "goods — price [— note]", one per line. */
  prices: string;
  reviews: StoredReview[];
  /** How many phrases it has. */
  phrases: number;
  /** The owner's tokens. */
  balance: number;
};

type Text = 'description' | 'prices' | 'own_knowledge' | 'avoid';

export type CategoryMaterials = ReturnType<typeof makeCategoryMaterials>;

/** Every call takes the person's id: a category in somebody else's project is not found. */
export function makeCategoryMaterials(sql: Sql) {
  return { read, put, changeReviews };

  async function read(userId: number, categoryId: number): Promise<CategoryMaterial | null> {
    const [row] = await sql<CategoryMaterial[]>`
      select c.id as "categoryId", c.name as "categoryName", p.name as "projectName",
        coalesce(c.description, '') as description, coalesce(c.prices, '') as prices,
        case jsonb_typeof(c.reviews) when 'array' then c.reviews else '[]' end as reviews,
        (keyword_counts(c.keywords)).phrases, u.balance
      from categories c join projects p on p.id = c.project_id join users u on u.id = p.user_id
      where c.id = ${categoryId} and p.user_id = ${userId}`;
    return row ?? null;
  }

  /** An empty text removes it. False when there is no such category. */
  async function put(
    userId: number,
    categoryId: number,
    field: Text,
    text: string,
    on: Sql | TransactionSql = sql,
  ): Promise<boolean> {
    const rows = await on`
      update categories c set ${sql({ [field]: text || null })}
      from projects p where p.id = c.project_id and c.id = ${categoryId} and p.user_id = ${userId}
      returning c.id`;
    return rows.length > 0;
  }

  /** Null when there is no such category. Two edits at once come one after the other. */
  async function changeReviews(
    userId: number,
    categoryId: number,
    edit: (reviews: StoredReview[]) => StoredReview[],
    on: TransactionSql | null = null,
  ): Promise<StoredReview[] | null> {
    return on ? changed(on) : sql.begin(changed);

    async function changed(tx: TransactionSql): Promise<StoredReview[] | null> {
      const [row] = await tx<{ reviews: unknown }[]>`
        select c.reviews from categories c join projects p on p.id = c.project_id
        where c.id = ${categoryId} and p.user_id = ${userId} for update of c`;
      if (!row) return null;
      const reviews = edit(Array.isArray(row.reviews) ? row.reviews : []);
      await tx`
        update categories set reviews = ${JSON.stringify(reviews)}::text::jsonb where id = ${categoryId}`;
      return reviews;
    }
  }
}
