import type { CategoryCard, CategoryDeletion, CategoryItem } from '../screens/pages/categories.ts';
import type { CategoryOnPlatform } from '../screens/pages/publishing.ts';
import { closeDrafts } from './close-drafts.ts';
import type { Sql, Statement } from './database.ts';
import { returnable } from './draft-ends.ts';

export type Categories = ReturnType<typeof makeCategories>;

/** Every call takes the person's id: a category in somebody else's project is not found. */
export function makeCategories(sql: Sql) {
  return { insert, list, card, place, rename, deletionCounts, remove };

  /** For `Operations.inStatement`; changes nothing when there is no such project. */
  function insert(userId: number, projectId: number, name: string): Statement {
    return sql`
      insert into categories (project_id, name)
      select id, ${name} from first, projects where id = ${projectId} and user_id = ${userId}
      returning json_build_object('categoryId', id) as result`;
  }

  /** The newest first. Null when there is no such project. */
  async function list(
    userId: number,
    projectId: number,
  ): Promise<{ projectName: string; categories: CategoryItem[] } | null> {
    const [row] = await sql<{ projectName: string; categories: CategoryItem[] }[]>`
      select p.name as "projectName",
        (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name)
           order by c.created_at desc, c.id desc), '[]')
         from categories c where c.project_id = p.id) as categories
      from projects p where p.id = ${projectId} and p.user_id = ${userId}`;
    return row ?? null;
  }

  async function card(userId: number, categoryId: number): Promise<CategoryCard | null> {
    const [row] = await sql<CategoryCard[]>`
      select c.id, c.name, p.id as "projectId", p.name as "projectName",
        coalesce(c.description, '') <> '' as "hasDescription",
        k.clusters, k.phrases,
        coalesce(c.prices, '') <> '' as "hasPrices",
        ${lengthOf('reviews')} as reviews,
        ${lengthOf('media')} as media,
        array(select distinct n.platform_type from platform_connections n
          where n.project_id = p.id order by 1) as platforms
      from categories c join projects p on p.id = c.project_id, keyword_counts(c.keywords) k
      where c.id = ${categoryId} and p.user_id = ${userId}`;
    return row ?? null;
  }

  /** The category and the project it is in, by name. */
  async function place(userId: number, categoryId: number): Promise<CategoryOnPlatform | null> {
    const [row] = await sql<CategoryOnPlatform[]>`
      select c.id as "categoryId", c.name as "categoryName", p.id as "projectId", p.name as "projectName"
      from categories c join projects p on p.id = c.project_id
      where c.id = ${categoryId} and p.user_id = ${userId}`;
    return row ?? null;
  }

  /** False when there is no such category. */
  async function rename(userId: number, categoryId: number, name: string): Promise<boolean> {
    const { count } = await sql`
      update categories set name = ${name} from projects p
      where categories.id = ${categoryId} and p.id = project_id and p.user_id = ${userId}`;
    return count > 0;
  }

  async function deletionCounts(userId: number, categoryId: number): Promise<CategoryDeletion | null> {
    const [row] = await sql<CategoryDeletion[]>`
      select c.name, p.id as "projectId", k.phrases,
        (select count(*) from platform_schedules s where s.category_id = c.id) as schedules,
        d.drafts, d."draftTokens"
      from categories c join projects p on p.id = c.project_id, keyword_counts(c.keywords) k, lateral (
        select count(*) as drafts, coalesce(sum(${returnable(sql)}), 0) as "draftTokens"
        from article_previews a
        where a.category_id = c.id and a.status = 'draft' and a.refundable
      ) d
      where c.id = ${categoryId} and p.user_id = ${userId}`;
    return row ?? null;
  }

  /** External triggers of its schedules must be gone before. Null when there is no such category. */
  async function remove(
    userId: number,
    categoryId: number,
  ): Promise<{ projectId: number; refunded: number } | null> {
    return sql.begin(async (tx) => {
      const [mine] = await tx<{ projectId: number }[]>`
        select p.id as "projectId" from categories c join projects p on p.id = c.project_id
        where c.id = ${categoryId} and p.user_id = ${userId} for update of c`;
      if (!mine) return null;
      const refunded = await closeDrafts(tx, userId, { categoryId });
      await tx`delete from categories where id = ${categoryId}`;
      return { projectId: mine.projectId, refunded };
    });
  }

  function lengthOf(column: 'reviews' | 'media') {
    const list = sql`c.${sql(column)}`;
    return sql`case when jsonb_typeof(${list}) = 'array' then jsonb_array_length(${list}) else 0 end`;
  }
}
