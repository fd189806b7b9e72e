import { articlePlatforms } from '../platforms/platforms.ts';
import type { Sql } from './database.ts';

export type ProjectChoice = { id: number; name: string; site: string | null };
export type SiteChoice = { id: number; name: string; isBroken: boolean };
export type CategoryChoice = { id: number; name: string };
/** What the person's last article was about, and where it went. */
export type LastArticle = { projectId: number; connectionId: number; categoryId: number };

export type PipelineChoices = ReturnType<typeof makePipelineChoices>;

/** What a person can choose on the way to a text, the last used first. Every call takes the person's id. */
export function makePipelineChoices(sql: Sql) {
  return { projects, sites, categories, lastArticle, publications };

  async function projects(userId: number): Promise<ProjectChoice[]> {
    return sql<ProjectChoice[]>`
      select p.id, p.name, nullif(p.website_url, '') as site
      from projects p
      left join lateral (select max(created_at) as at from publication_logs where project_id = p.id) used on true
      where p.user_id = ${userId}
      order by used.at desc nulls last, p.created_at desc, p.id desc`;
  }

  async function sites(userId: number, projectId: number): Promise<SiteChoice[]> {
    return sql<SiteChoice[]>`
      select n.id, n.identifier as name, n.status <> 'active' as "isBroken"
      from platform_connections n join projects p on p.id = n.project_id
      left join lateral (select max(created_at) as at from publication_logs where connection_id = n.id) used on true
      where p.id = ${projectId} and p.user_id = ${userId} and n.platform_type = any (${articlePlatforms})
        and n.status <> 'disconnected'
      order by used.at desc nulls last, n.created_at desc, n.id desc`;
  }

  async function categories(userId: number, projectId: number): Promise<CategoryChoice[]> {
    return sql<CategoryChoice[]>`
      select c.id, c.name
      from categories c join projects p on p.id = c.project_id
      left join lateral (select max(created_at) as at from publication_logs where category_id = c.id) used on true
      where p.id = ${projectId} and p.user_id = ${userId}
      order by used.at desc nulls last, c.created_at desc, c.id desc`;
  }

  /** Null where nothing was published yet, or where any part of it is gone. */
  async function lastArticle(userId: number): Promise<LastArticle | null> {
    const [row] = await sql<LastArticle[]>`
      select l.project_id as "projectId", l.connection_id as "connectionId", l.category_id as "categoryId"
      from (
        select project_id, connection_id, category_id from publication_logs
        where user_id = ${userId} and content_type = 'article' and status in ('success', 'unknown')
        order by created_at desc, id desc limit 1
      ) l
      join platform_connections n on n.id = l.connection_id and n.status = 'active'
      join categories c on c.id = l.category_id and c.project_id = l.project_id`;
    return row ?? null;
  }

  async function publications(userId: number): Promise<number> {
    const [row] = await sql<[{ count: number }]>`
      select count(*) as count from publication_logs where user_id = ${userId} and status = 'success'`;
    return row.count;
  }
}
