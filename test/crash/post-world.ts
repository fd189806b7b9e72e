import type { PostPlatform } from '../../src/platforms/platforms.ts';
import { startTelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { makeConnections } from '../../src/store/connections.ts';
import type { Sql } from '../../src/store/database.ts';
import { testSealing } from '../support/article-works.ts';
import { aCategory, aProject, aUser } from '../support/rows.ts';
import { startPostPlaces } from './post-places.ts';

export type PostWorld = Awaited<ReturnType<typeof startPostWorld>>;
export type WaitingPost = Awaited<ReturnType<PostWorld['aPost']>>;

const TOKENS = 40;
/** Longer than a caption: photo and text go as two messages. */
export const LONG_TEXT = `<b>Кухни</b> ${'с замером и доставкой '.repeat(60)}`;

/** People with a paid post for a channel, a wall, a board or a chat of their own. */
export async function startPostWorld() {
  const telegram = await startTelegramStandIn({ token: '4242:TEST-TOKEN-OF-NO-VALUE-AT-ALL' });
  const places = await startPostPlaces(telegram);
  return { ...places, aPost, close };

  /** Paid and waiting, for a place of its own. */
  async function aPost(sql: Sql, platform: PostPlatform, { text = 'Кухни с замером.' } = {}) {
    const userId = await aUser(sql);
    const projectId = await aProject(sql, userId);
    const categoryId = await aCategory(sql, projectId);
    const { identifier, credentials, arrivals, chat } = places.placeOn(platform);
    const connectionId = (await makeConnections(sql, testSealing).save(userId, {
      ...{ projectId, platform, identifier, credentials },
    }))!;
    const image = { url: 'https://pictures.example/1', storage_path: '1.webp', width: 16, height: 16 };
    const details = {
      ...{ platform, place: identifier, link: 'https://kuhni.example/?utm_source=test', contentHash: '1' },
      ...{ modelUsed: 'test/model', promptVersion: 'v3', generationTimeMs: 1, notes: [], imagesWanted: 1 },
      price: { text: 10, images: 30 },
    };
    const [draft] = await sql<[{ id: number }]>`
      insert into article_previews (user_id, project_id, category_id, connection_id, keyword, title, content_html,
        word_count, images_count, images, tokens_charged, details, content_type)
      values (${userId}, ${projectId}, ${categoryId}, ${connectionId}, 'кухни', 'Кухни', ${text}, 3, 1,
        ${JSON.stringify([{ ...image, alt: 'кухня', filename: 'kuhnya', caption: '' }])}::text::jsonb, ${TOKENS},
        ${JSON.stringify(details)}::text::jsonb, 'social_post') returning id`;
    await sql`select charge_balance(${userId}, ${TOKENS}, ${`draft:${draft.id}`}, 'text_generation')`;
    const order = { key: `draft:${draft.id}:publish:0`, userId, draftId: draft.id };
    return { ...order, order, platform, identifier, connectionId, arrivals, chat };
  }

  async function close(): Promise<void> {
    await Promise.all([telegram.close(), places.close()]);
  }
}
