import { articlePlatforms, type Platform, postPlatforms } from '../platforms/platforms.ts';
import type { Sql, Statement } from './database.ts';

type ProjectChoice = { id: number; name: string; site: string | null };
type SiteChoice = { id: number; name: string; isBroken: boolean };
type ChannelChoice = { id: number; platform: Platform; name: string; isBroken: boolean };
type CategoryChoice = { id: number; name: string };
/** What the person's last text was about, and where it went. */
type LastText = { projectId: number; connectionId: number; categoryId: number };

export type PipelineChoices = ReturnType<typeof makePipelineChoices>;

/** What a person can choose on the way to a text, the last used first. Every call takes the person's id. */
export function makePipelineChoices(sql: Sql) {
  return {
    ...{ projects, sites, channels, categories, publications },
    lastArticle: (userId: number) => last(userId, 'article'),
    lastPost: (userId: number) => last(userId, 'social_post'),
  };

  async function projects(userId: number): Promise<ProjectChoice[]> {
    return sql<ProjectChoice[]>`
      select p.id, p.name, nullif(p.website_url, '') as site
      from projects p
      left join lateral (select max(created_at) as at from publication_logs where project_id = p.id) used on true
      where p.user_id = ${userId}
      order by used.at desc nulls last, p.created_at desc, p.id desc`;
  }

  async function sites(userId: number, projectId: number): Promise<SiteChoice[]> {
    return connections<SiteChoice>(userId, projectId, articlePlatforms, sql`n.identifier as name`);
  }

  async function channels(userId: number, projectId: number): Promise<ChannelChoice[]> {
    const name = sql`n.platform_type as platform, coalesce(nullif(n.metadata ->> 'title', ''), n.identifier) as name`;
    return connections<ChannelChoice>(userId, projectId, postPlatforms, name);
  }

  async function connections<Choice extends SiteChoice>(
    userId: number,
    projectId: number,
    on: readonly Platform[],
    named: Statement,
  ): Promise<Choice[]> {
    return sql<Choice[]>`
      select n.id, ${named}, n.status <> 'active' as "isBroken"
      from platform_connections n join projects p on p.id = n.project_id
      left join lateral (select max(created_at) as at from publication_logs where connection_id = n.id) used on true
      where p.id = ${projectId} and p.user_id = ${userId} and n.platform_type = any (${[...on]})
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
  async function last(userId: number, kind: 'article' | 'social_post'): Promise<LastText | null> {
    const [row] = await sql<LastText[]>`
      select l.project_id as "projectId", l.connection_id as "connectionId", l.category_id as "categoryId"
      from (
        select project_id, connection_id, category_id from publication_logs
        where user_id = ${userId} and content_type = ${kind} and status in ('success', 'draft', 'unknown')
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
