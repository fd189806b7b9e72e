import { articlePlatforms } from '../platforms/platforms.ts';
import type { ConnectionCard, ConnectionLine } from '../screens/pages/connections.ts';
import type { Sql } from './database.ts';
import { shownName } from './shown-name.ts';

/** What the pages of connections show. Every call takes the person's id: another's are not found. */
export function makeConnectionPages(sql: Sql) {
  return { list, card, rename };

  /** Null: as the platform calls it. False when there is no such connection. */
  async function rename(userId: number, connectionId: number, name: string | null): Promise<boolean> {
    const rows = await sql`
      update platform_connections n
      set metadata = case when ${name}::text is null then n.metadata - 'name'
        else n.metadata || jsonb_build_object('name', ${name}::text) end
      from projects p where p.id = n.project_id and n.id = ${connectionId} and p.user_id = ${userId}
      returning n.id`;
    return rows.length > 0;
  }

  /** The oldest first. Null when there is no such project. */
  async function list(
    userId: number,
    projectId: number,
  ): Promise<{ projectName: string; website: string | null; connections: ConnectionLine[] } | null> {
    const [row] = await sql<{ projectName: string; website: string | null; connections: ConnectionLine[] }[]>`
      select p.name as "projectName", p.website_url as website,
        (select coalesce(json_agg(json_build_object('id', n.id, 'platform', n.platform_type,
           'identifier', n.identifier, 'name', ${shownName(sql)}, 'status', n.status) order by n.created_at, n.id), '[]')
         from platform_connections n where n.project_id = p.id) as connections
      from projects p where p.id = ${projectId} and p.user_id = ${userId}`;
    return row ?? null;
  }

  async function card(userId: number, connectionId: number): Promise<ConnectionCard | null> {
    const [row] = await sql<ConnectionCard[]>`
      select n.id, n.platform_type as platform, n.identifier, ${shownName(sql)} as name, n.status, n.created_at as "createdAt",
        p.id as "projectId", p.name as "projectName", p.timezone,
        n.metadata->>'url' as url, coalesce((n.metadata->>'ownBot')::boolean, false) as "ownBot",
        n.metadata->>'note' as note, n.metadata->>'lastError' as "lastError",
        (select count(*) from platform_schedules s where s.connection_id = n.id) as schedules,
        case when jsonb_typeof(n.metadata->'internalLinks') = 'array'
          then jsonb_array_length(n.metadata->'internalLinks') end as links,
        (select array[b.colors->>'background', b.colors->>'text', b.colors->>'accent']
         from site_brandings b where b.project_id = p.id) as colors,
        case when n.platform_type = any (${articlePlatforms}) then json_build_object(
          'rubrics', jsonb_path_query_array(n.metadata, '$.wpCategories[*].name'),
          'tags', jsonb_path_query_array(n.metadata, '$.wpTags[*].name'),
          'robots', n.metadata->'seoRobots', 'schemaType', n.metadata->'schemaType') end as settings,
        ${lacksSeoPlugin(sql)} as "lacksSeoPlugin",
        (select json_build_object('id', d.id, 'title', d.title) from article_previews d
         where d.project_id = p.id and d.connection_id is null and d.content_type = 'article'
           and d.status in ('draft', 'unknown')
           and d.expires_at > now() and d.content_html is not null
         order by d.id desc limit 1) as "homelessDraft",
        (select json_build_object('id', d.id, 'phrase', d.keyword,
           'isHere', coalesce(d.connection_id = n.id, false) or coalesce(d.details ->> 'place' = n.identifier, false))
         from article_previews d
         where d.project_id = p.id and d.content_type = 'social_post' and d.details ->> 'platform' = n.platform_type
           and d.details @> '{"kept": true}' and d.status = 'draft' and d.expires_at > now()
           and d.content_html is not null
         order by d.id desc limit 1) as "waitingPost"
      from platform_connections n join projects p on p.id = n.project_id
      where n.id = ${connectionId} and p.user_id = ${userId}`;
    return row ?? null;
  }
}

/** Of a connection `n`: its site has no SEO plugin, and its user may install one. */
export const lacksSeoPlugin = (sql: Sql) => sql`(n.metadata->>'seoPlugin' is null
  and coalesce((n.metadata->>'mayInstallPlugins')::boolean, false))`;
