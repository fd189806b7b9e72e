import { makeConnections } from '../../src/store/connections.ts';
import type { Sql } from '../../src/store/database.ts';
import { testSealing } from './article-works.ts';
import { PHRASE } from './played-bot.ts';

type Owner = { id: number; projectId: number; categoryId: number; connectionId: number };
type Waiting = {
  text?: string;
  tokens?: number;
  regenerations?: number;
  status?: 'draft' | 'unknown';
  place: string;
};

export const POST_TEXT = '<b>Кухни на заказ</b> начинают с замера.\n\n#кухни';

/** A post that was written and paid, and waits for a decision; the quick way to where a test begins. */
export async function aWaitingPost(
  sql: Sql,
  owner: Owner,
  { text = POST_TEXT, tokens = 40, regenerations = 0, status = 'draft', place }: Waiting,
): Promise<number> {
  const details = {
    ...{ platform: 'telegram', place, link: null, contentHash: '1', modelUsed: 'test/model' },
    ...{
      promptVersion: 'v3',
      generationTimeMs: 1_000,
      price: { text: 10, images: 30 },
      notes: [],
      imagesWanted: 0,
    },
    ...(status === 'unknown' && { lost: 1, mayBeOn: [place], kept: true }),
  };
  const [post] = await sql<[{ id: number }]>`
    insert into article_previews (user_id, project_id, category_id, connection_id, keyword, title, content_html,
      word_count, images_count, tokens_charged, regeneration_count, details, content_type, status)
    values (${owner.id}, ${owner.projectId}, ${owner.categoryId}, ${owner.connectionId}, ${PHRASE}, ${PHRASE},
      ${text}, 10, 0, ${tokens}, ${regenerations}, ${JSON.stringify(details)}::text::jsonb, 'social_post',
      ${status}) returning id`;
  await sql`select charge_balance(${owner.id}, ${tokens}, ${`draft:${post.id}`}, 'text_generation')`;
  return post.id;
}

/** A channel of a person, in which our own bot is an admin. */
export async function aChannelConnection(
  sql: Sql,
  { id, projectId }: { id: number; projectId: number },
  channel: { id: number; username: string },
): Promise<number> {
  const connectionId = await makeConnections(sql, testSealing).save(id, {
    projectId,
    platform: 'telegram',
    identifier: String(channel.id),
    credentials: { channel_id: String(channel.id), channel_username: channel.username },
    metadata: { title: `@${channel.username}`, url: `https://t.me/${channel.username}` },
  });
  return connectionId!;
}
