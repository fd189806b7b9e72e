import type { Sql } from '../../src/store/database.ts';
import { makeUsers } from '../../src/store/users.ts';

let lastUserId = 7_000_000_000;

/** A registered person with the welcome bonus. */
export async function aUser(sql: Sql, more: { isAdmin?: boolean } = {}) {
  const id = ++lastUserId;
  await makeUsers(sql).remember({
    id,
    username: null,
    firstName: 'Анна',
    lastName: null,
    isAdmin: false,
    ...more,
  });
  return id;
}

export async function aProject(sql: Sql, userId: number, name = 'Окна Плюс') {
  const [row] = await sql<[{ id: number }]>`
    insert into projects (user_id, name, company_name, specialization)
    values (${userId}, ${name}, 'ООО Окна', 'пластиковые окна') returning id`;
  return row.id;
}

export async function aCategory(sql: Sql, projectId: number, keywords: unknown = []) {
  const [row] = await sql<[{ id: number }]>`
    insert into categories (project_id, name, keywords)
    values (${projectId}, 'Балконы', ${JSON.stringify(keywords)}::text::jsonb) returning id`;
  return row.id;
}

export async function aConnection(sql: Sql, projectId: number, platform: string, status = 'active') {
  const [row] = await sql<[{ id: number }]>`
    insert into platform_connections (project_id, platform_type, status, credentials, identifier)
    values (${projectId}, ${platform}, ${status}, 'sealed', ${`${platform}.example`}) returning id`;
  return row.id;
}

export async function aSchedule(sql: Sql, categoryId: number, connectionId: number, enabled: boolean) {
  await sql`
    insert into platform_schedules (category_id, platform_type, connection_id, enabled)
    values (${categoryId}, 'wordpress', ${connectionId}, ${enabled})`;
}

/** A draft whose tokens were charged, as the article pipeline leaves it. */
export async function aDraft(
  sql: Sql,
  {
    userId,
    projectId,
    categoryId,
    tokens,
  }: { userId: number; projectId: number; categoryId: number; tokens: number },
) {
  const [row] = await sql<[{ id: number }]>`
    insert into article_previews (user_id, project_id, category_id, keyword)
    values (${userId}, ${projectId}, ${categoryId}, 'окна пвх') returning id`;
  const key = `draft:${row.id}`;
  await sql`select charge_balance(${userId}, ${tokens}, ${key}, 'text_generation')`;
  await sql`
    update article_previews set tokens_charged = -(select amount from token_expenses where operation_key = ${key})
    where id = ${row.id}`;
  return row.id;
}

type Publication = {
  userId: number;
  projectId: number;
  status?: string;
  contentType?: string;
  platform?: string;
  tokens?: number;
  daysAgo?: number;
  url?: string | null;
};

export async function aPublication(sql: Sql, { userId, projectId, ...more }: Publication) {
  const { status = 'success', contentType = 'article', platform = 'wordpress' } = more;
  const { tokens = 320, daysAgo = 0, url = null } = more;
  await sql`
    insert into publication_logs (user_id, project_id, platform_type, content_type, status, tokens_spent, post_url,
      created_at)
    values (${userId}, ${projectId}, ${platform}, ${contentType}, ${status}, ${tokens}, ${url},
      now() - ${daysAgo} * interval '1 day')`;
}

export async function balanceOf(sql: Sql, userId: number) {
  const [row] = await sql<{ balance: number }[]>`select balance from users where id = ${userId}`;
  return row?.balance;
}

/** People whose balance is not the welcome bonus plus their ledger. */
export async function unbalanced(sql: Sql) {
  return sql`
    select u.id, u.balance, coalesce(sum(e.amount), 0) as ledger
    from users u left join token_expenses e on e.user_id = u.id
    group by u.id having u.balance <> 1500 + coalesce(sum(e.amount), 0)`;
}
