import type { NewUser, SiteOptions } from '../../src/sandbox/wordpress/site.ts';
import { makeConnections, type NewConnection } from '../../src/store/connections.ts';
import type { Sql } from '../../src/store/database.ts';
import { createSealing } from '../../src/store/sealing.ts';
import { makeUsers } from '../../src/store/users.ts';
import { aCluster } from '../support/article-customer.ts';
import type { PostPlace } from './post-places.ts';

/** For bots and tests that read the same credentials. */
export const ENCRYPTION_KEY = Buffer.alloc(32, 5).toString('base64url');

export const PASSWORD = 'abcd efgh ijkl mnop qrst uvwx';
const OWNER: NewUser = {
  login: 'owner',
  name: 'Владелец',
  role: 'administrator',
  appPasswords: [PASSWORD],
};
const COMPANY = /Мастерская (\d+)/u;

export const projectOf = (userId: number): string => `Мастерская ${userId}`;

/** Whose article a prompt is about. */
export function authorIn(prompt: string): number {
  const id = COMPANY.exec(prompt)?.[1];
  if (id === undefined) throw new Error(`a prompt that names nobody: ${prompt.slice(0, 300)}`);
  return Number(id);
}

/** A site for each, at a path of its own: what arrives there is that person's. */
export const sitePath = (userId: number): string => `site-${userId}`;

export function sitesOf(userIds: readonly number[]): Record<string, SiteOptions> {
  return Object.fromEntries(userIds.map((userId) => [sitePath(userId), { users: [OWNER] }]));
}

/** Registered, with everything an article needs: a company, a category with phrases, a connected site. */
export async function addAuthor(sql: Sql, userId: number, site: string, images: number) {
  const owner = await addOwner(sql, userId, images);
  const connectionId = await connect(sql, owner, {
    platform: 'wordpress',
    identifier: site.replace(/^https?:\/\//u, ''),
    credentials: { url: site, login: OWNER.login, app_password: PASSWORD },
  });
  return { ...owner, connectionId };
}

/** Registered, with everything a post needs, in these places. */
export async function addPoster(
  sql: Sql,
  userId: number,
  places: readonly PostPlace[],
  images: number,
): Promise<void> {
  const owner = await addOwner(sql, userId, images);
  for (const { platform, identifier, credentials, title } of places)
    await connect(sql, owner, { platform, identifier, credentials, metadata: { title } });
}

async function addOwner(sql: Sql, userId: number, images: number) {
  await makeUsers(sql).remember({
    id: userId,
    username: null,
    firstName: 'Анна',
    lastName: null,
    isAdmin: false,
  });
  const [project] = await sql<[{ id: number }]>`
    insert into projects (user_id, name, company_name, specialization, company_city)
    values (${userId}, ${projectOf(userId)}, ${projectOf(userId)}, 'мебель на заказ', 'Казань') returning id`;
  const [category] = await sql<[{ id: number }]>`
    insert into categories (project_id, name, keywords, image_settings)
    values (${project.id}, 'Кухни', ${JSON.stringify([aCluster('кухни на заказ')])}::text::jsonb,
      ${JSON.stringify({ count: images })}::text::jsonb)
    returning id`;
  return { userId, projectId: project.id, categoryId: category.id };
}

async function connect(
  sql: Sql,
  { userId, projectId }: { userId: number; projectId: number },
  place: Omit<NewConnection, 'projectId'>,
): Promise<number> {
  const connections = makeConnections(sql, createSealing([ENCRYPTION_KEY]));
  return (await connections.save(userId, { projectId, ...place }))!;
}
