import { createHmac } from 'node:crypto';
import type { Json } from '../engine/json.ts';
import type { Sql } from './database.ts';

export type PersonalData = ReturnType<typeof makePersonalData>;

/** All that is stored about a person, to be taken along or to be deleted. */
export function makePersonalData(sql: Sql, key: string) {
  return { collect, forget, hashOf };

  /** Without credentials: what is sealed here is of no use elsewhere. */
  async function collect(userId: number): Promise<Json> {
    const [row] = await sql<[{ data: Json }]>`
      select json_build_object(
        'person', (select to_json(p) from (
          select id, username, first_name, last_name, balance, language, notify_publications, notify_balance, notify_news,
            receipt_email, consented_at, created_at, last_activity from users where id = ${userId}) p),
        'projects', (select coalesce(json_agg(p), '[]') from projects p where p.user_id = ${userId}),
        'categories', (select coalesce(json_agg(c), '[]') from categories c
          join projects p on p.id = c.project_id where p.user_id = ${userId}),
        'connections', (select coalesce(json_agg(c), '[]') from (
          select n.id, n.project_id, n.platform_type, n.status, n.identifier, n.created_at from platform_connections n
          join projects p on p.id = n.project_id where p.user_id = ${userId}) c),
        'schedules', (select coalesce(json_agg(s), '[]') from (
          select s.category_id, s.connection_id, s.schedule_days, s.schedule_times, s.enabled, s.asks_first, s.last_post_at
          from platform_schedules s join categories c on c.id = s.category_id join projects p on p.id = c.project_id
          where p.user_id = ${userId} order by s.id) s),
        'site_audits', (select coalesce(json_agg(a), '[]') from site_audits a
          join projects p on p.id = a.project_id where p.user_id = ${userId}),
        'competitor_analyses', (select coalesce(json_agg(a), '[]') from competitor_analyses a
          join projects p on p.id = a.project_id where p.user_id = ${userId}),
        'drafts', (select coalesce(json_agg(d), '[]') from (
          select id, title, keyword, content_html, status, tokens_charged, created_at from article_previews
          where user_id = ${userId}) d),
        'publications', (select coalesce(json_agg(l), '[]') from (
          select platform_type, keyword, content_type, post_url, word_count, tokens_spent, status, created_at
          from publication_logs where user_id = ${userId}) l),
        'dialogues', (select coalesce(json_agg(c), '[]') from (
          select role, content, created_at from conversations where user_id = ${userId} order by id) c),
        'payments', (select coalesce(json_agg(p), '[]') from (
          select provider, status, package_name, tokens_amount, amount_rub, stars_amount, created_at from payments
          where user_id = ${userId} order by id) p),
        'tokens', (select coalesce(json_agg(e), '[]') from (
          select amount, operation_type, description, created_at from token_expenses
          where user_id = ${userId} and operation_type not like 'api_%' order by id) e)
      ) as data`;
    return row.data;
  }

  /** Projects, connections and texts go at once; the ledger stays under an anonymous user id. */
  async function forget(userId: number): Promise<void> {
    await sql`select forget_person(${userId}, ${hashOf(userId)})`;
  }

  /** With the key it tells that a person was here before, and nothing else. */
  function hashOf(userId: number): string {
    return createHmac('sha256', key).update(`former person ${userId}`).digest('base64url');
  }
}
