import type { PublicationItem } from '../screens/pages/publications.ts';
import type { Sql } from './database.ts';
import { returnable } from './draft-ends.ts';
import { shownName } from './shown-name.ts';

/** Enough to look back on; the oldest are on the site anyway. */
const MOST = 200;

export function makePublicationList(sql: Sql) {
  return { list, projectOf };

  /** What waits for a decision first, then what was published or failed, the newest first. Null: no such project. */
  async function list(
    userId: number,
    projectId: number,
  ): Promise<{ projectName: string; timezone: string; items: PublicationItem[] } | null> {
    const [project] = await sql<{ projectName: string; timezone: string }[]>`
      select name as "projectName", timezone from projects where id = ${projectId} and user_id = ${userId}`;
    if (!project) return null;
    const items = await sql<PublicationItem[]>`
      select * from (
        select case a.content_type when 'article' then 'article' else 'post' end as of,
          a.content_type = 'article' as "isArticle",
          coalesce(n.platform_type, a.details ->> 'platform', '') as platform, a.id, case a.status when 'draft' then 'waiting' else a.status end as status,
          a.title, a.keyword, ${shownName(sql)} as place, null as url, null as error, null::integer as rank,
          a.created_at::text as at, a.tokens_charged as tokens, ${returnable(sql)} as refund,
          a.category_id as "categoryId", a.connection_id as "connectionId"
        from article_previews a left join platform_connections n on n.id = a.connection_id
        where a.project_id = ${projectId} and a.content_html is not null
          and (a.status in ('publishing', 'unknown') or (a.status = 'draft' and a.expires_at > now() and a.refundable))
        union all
        select 'log', l.content_type = 'article', l.platform_type, l.id, case l.status when 'success' then 'published' else l.status end,
          null, l.keyword, ${shownName(sql)}, l.post_url, l.error_message, l.rank_position, l.created_at::text, l.tokens_spent, 0,
          l.category_id, l.connection_id
        from publication_logs l left join platform_connections n on n.id = l.connection_id
        where l.project_id = ${projectId} and l.status <> 'cancelled'
          -- a publication in doubt is told of by its draft, as long as there is one
          and not exists (
            select from article_previews a where a.project_id = l.project_id
              and a.status in ('draft', 'publishing', 'unknown') and l.operation_key like 'draft:' || a.id || ':%')
      ) every
      order by status in ('published', 'draft', 'failed'), at::timestamptz desc, id desc
      limit ${MOST}`;
    return { ...project, items: [...items] };
  }

  async function projectOf(userId: number, of: PublicationItem['of'], id: number): Promise<number | null> {
    const table = of === 'log' ? sql`publication_logs` : sql`article_previews`;
    const [row] = await sql<{ projectId: number }[]>`
      select project_id as "projectId" from ${table} where id = ${id} and user_id = ${userId}`;
    return row?.projectId ?? null;
  }
}
