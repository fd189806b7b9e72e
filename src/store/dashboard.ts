import { articlePlatforms } from '../platforms/platforms.ts';
import type { Dashboard } from '../screens/pages/dashboard.ts';
import type { Sql } from './database.ts';
import { firstVersionCost } from './publications.ts';

/** What an article costs until the person's own ones tell better. */
const USUAL_ARTICLE_COST = 320;

type Row = Omit<Dashboard, 'lastPublication'> & {
  lastAt: Date | null;
  lastPlatform: string;
  lastUrl: string | null;
};

/** Null for a person who was never registered. */
export const makeDashboard =
  (sql: Sql) =>
  async (userId: number): Promise<Dashboard | null> => {
    const [row] = await sql<Row[]>`
    select u.balance,
      (select count(*) from projects where user_id = u.id) as projects,
      (select count(*) from platform_schedules s
       join categories c on c.id = s.category_id join projects p on p.id = c.project_id
       where p.user_id = u.id and s.enabled) as "activeSchedules",
      (select coalesce(round(avg(cost)), ${USUAL_ARTICLE_COST})::integer from (
         select ${firstVersionCost(sql)} as cost from publication_logs
         where user_id = u.id and status = 'success' and content_type = 'article' and tokens_spent > 0
         order by created_at desc, id desc limit 10
       ) latest) as "averageArticleCost",
      coalesce(has.wordpress, false) as "hasWordpress", coalesce(has.social, false) as "hasSocial",
      l.created_at as "lastAt", l.platform_type as "lastPlatform", l.post_url as "lastUrl"
    from users u
    cross join lateral (
      select bool_or(n.platform_type = any (${articlePlatforms})) as wordpress,
        bool_or(n.platform_type <> all (${articlePlatforms})) as social
      from platform_connections n join projects p on p.id = n.project_id
      where p.user_id = u.id and n.status <> 'disconnected'
    ) has
    left join lateral (
      select created_at, platform_type, post_url from publication_logs
      where user_id = u.id and status = 'success' order by created_at desc, id desc limit 1
    ) l on true
    where u.id = ${userId}`;
    if (!row) return null;
    const { lastAt, lastPlatform, lastUrl, ...dashboard } = row;
    const lastPublication = lastAt && { at: lastAt.toISOString(), platform: lastPlatform, url: lastUrl };
    return { ...dashboard, lastPublication };
  };
