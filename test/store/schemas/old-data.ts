import type { Sql } from '../../../src/store/database.ts';

/** A little of everything that people have, in columns that every version knows. */
export async function fillDatabase(sql: Sql): Promise<void> {
  await sql.unsafe(`
    insert into users (id, first_name) values (7, 'Анна'), (8, 'Борис');
    update users set referrer_id = 7 where id = 8;
    insert into projects (user_id, name, company_name, specialization) values (7, 'Окна', 'ООО Окна', 'окна');
    insert into platform_connections (project_id, platform_type, status, credentials, identifier)
      select 1, platform, 'active', 'sealed', platform from unnest(array['wordpress', 'telegram', 'max']) as platform;
    insert into categories (project_id, name, keywords) values (1, 'Балконы', '[{"phrase": "окна пвх", "volume": 10}]');
    insert into platform_content_overrides (category_id, platform_type) values (1, 'vk');
    insert into platform_schedules (category_id, platform_type, connection_id, schedule_times)
      values (1, 'wordpress', 1, '{09:00}');
    insert into publication_logs (user_id, project_id, category_id, platform_type, connection_id, keyword, status)
      select 7, 1, 1, 'wordpress', 1, 'окна пвх', status from unnest(array['success', 'failed', 'cancelled']) as status;
    insert into article_previews (user_id, project_id, category_id, keyword, tokens_charged)
      values (7, 1, 1, 'окна пвх', 320);
    insert into payments (user_id, provider, tokens_amount) values (7, 'stars', 1000);
    select charge_balance(7, 320, 'article:1', 'text_generation');
    select refund_balance(7, 20, 'article:1:rest');
    insert into operations (key, user_id, request_hash, status, result)
      values ('article:1', 7, 'x', 'done', '{"draft": 1}'), ('article:2', 7, 'y', 'running', null);
    insert into fsm_storage (storage_key, bot_id, chat_id, user_id, data, revision, attention_at, expires_at)
      values ('1:7:7', 1, 7, 7, '{"flow": "ProjectCreate"}', 3, now(), now() + interval '1 day');
    insert into key_values (key, value, expires_at) values ('a', 'b', now() + interval '1 day');
  `);
  const [autopost] = await sql`select to_regclass('deliveries') as name`;
  if (!autopost?.name) return;
  await sql.unsafe(`
    insert into workspaces (workspace_id, name) values ('w', 'Окна');
    insert into channels (workspace_id, channel_id, platform, target_id, auth_ref, rate_group)
      values ('w', 'news', 'telegram', '-100', 'bot', 'bot');
    insert into messages (workspace_id, message_id, content_hash, payload)
      values ('w', '00000000-0000-0000-0000-000000000001', 'hash', '{"text": "Мы открылись"}');
    insert into deliveries (workspace_id, delivery_id, message_id, channel_id, hash_version, content_hash)
      values ('w', '00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000001', 'news', 1, 'hash');
    insert into events (workspace_id, id, action)
      values ('w', '00000000-0000-0000-0000-000000000003', 'enqueue');
    insert into pull_sources (workspace_id, source_id, kind) values ('w', 'feed', 'rss');
  `);
}

/** Columns that the present schema drops on purpose: fsm_storage told who looks after a session, now each part has its own. */
const DROPPED = ['attention_owner'];

/** All rows by table. */
export async function allRows(sql: Sql): Promise<Map<string, Record<string, unknown>[]>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'applied_schemas' order by 1`;
  const contents = new Map<string, Record<string, unknown>[]>();
  for (const { name } of tables) {
    const rows = await sql<{ row: Record<string, unknown> }[]>`
      select to_jsonb(t) - ${DROPPED}::text[] as row from ${sql(name)} as t order by to_jsonb(t)::text`;
    contents.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return contents;
}
