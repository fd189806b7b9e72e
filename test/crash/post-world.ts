import { storedTokens } from '../../src/platforms/pinterest/access.ts';
import type { PostPlatform } from '../../src/platforms/platforms.ts';
import { startMaxStandIn } from '../../src/sandbox/max/start.ts';
import { startPinterestStandIn } from '../../src/sandbox/pinterest/start.ts';
import { startTelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { startVkStandIn } from '../../src/sandbox/vk/start.ts';
import { makeConnections } from '../../src/store/connections.ts';
import type { Sql } from '../../src/store/database.ts';
import { testSealing } from '../support/article-works.ts';
import { aCategory, aProject, aUser } from '../support/rows.ts';
import type { Addresses } from './post-desk.ts';

export type PostWorld = Awaited<ReturnType<typeof startPostWorld>>;
export type WaitingPost = Awaited<ReturnType<PostWorld['aPost']>>;

const TOKENS = 40;
const MAX_TOKEN = 'max-bot-token-of-no-value';
const DAY_MS = 86_400_000;
/** Longer than a caption: photo and text go as two messages. */
export const LONG_TEXT = `<b>Кухни</b> ${'с замером и доставкой '.repeat(60)}`;

/** The four platforms of posts on loopback, and people with a channel, a wall, a board or a chat of their own. */
export async function startPostWorld() {
  const telegram = await startTelegramStandIn({ token: '4242:TEST-TOKEN-OF-NO-VALUE-AT-ALL' });
  const [max, vk, pinterest] = await Promise.all([
    startMaxStandIn(),
    startVkStandIn({ limits: null }),
    startPinterestStandIn(),
  ]);
  const addresses: Addresses = {
    telegram: { token: telegram.token, apiRoot: telegram.url },
    max: max.url,
    vk: vk.url,
    pinterest: { url: pinterest.url, ...pinterest.app },
  };
  const maxBot = max.world.addBot({ token: MAX_TOKEN, name: 'Кухни' });
  let places = 0;
  const placeOn: Record<PostPlatform, () => Place> = {
    telegram: aChannel,
    vk: aWall,
    pinterest: aBoard,
    max: aChat,
  };
  return { telegram, max, vk, pinterest, addresses, aPost, close };

  /** Paid and waiting, for a place of its own. */
  async function aPost(sql: Sql, platform: PostPlatform, { text = 'Кухни с замером.' } = {}) {
    const userId = await aUser(sql);
    const projectId = await aProject(sql, userId);
    const categoryId = await aCategory(sql, projectId);
    const { identifier, credentials, arrivals, chat } = placeOn[platform]();
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

  type Place = { identifier: string; credentials: object; arrivals(): number; chat: string };

  function aChannel(): Place {
    places += 1;
    const { id } = telegram.channels.add({ title: 'Кухни', username: `kuhni_${places}` });
    const credentials = { channel_id: String(id), channel_username: `@kuhni_${places}` };
    return {
      ...{ identifier: String(id), credentials, chat: String(id) },
      arrivals: () => telegram.channels.arrivals(id).length,
    };
  }

  function aWall(): Place {
    places += 1;
    const groupId = 7_000 + places;
    const token = `vk1.a.user-${places}-of-no-value`;
    vk.world.addGroup({ id: groupId, name: 'Кухни', screenName: `kuhni${places}`, members: 5 });
    vk.world.addToken({
      ...{ token, kind: 'user', rights: ['wall', 'photos', 'groups'] },
      roles: { [groupId]: 'admin' },
    });
    return {
      ...{ identifier: String(groupId), chat: token },
      credentials: { group_id: String(-groupId), group_name: 'Кухни', access_token: token },
      arrivals: () => vk.world.wall(groupId).length,
    };
  }

  function aBoard(): Place {
    places += 1;
    const owner = `kuhni_${places}`;
    pinterest.world.addAccount({ username: owner, accountType: 'BUSINESS' });
    const { id } = pinterest.world.addBoard({ owner, name: 'Кухни' });
    const { accessToken, refreshToken } = pinterest.world.grant(
      owner,
      'boards:read boards:write pins:read pins:write',
    );
    const tokens = storedTokens({ accessToken, refreshToken, expiresAt: Date.now() + 20 * DAY_MS });
    return {
      ...{ identifier: id, chat: owner },
      credentials: { ...tokens, board_id: id, board_name: 'Кухни' },
      arrivals: () => pinterest.world.pins(id).length,
    };
  }

  function aChat(): Place {
    places += 1;
    const id = -70_000_000_000_000 - places;
    max.world.addChat({
      id,
      title: 'Кухни',
      link: `https://max.ru/kuhni${places}`,
      bots: { [maxBot.user_id]: {} },
    });
    return {
      ...{
        identifier: String(id),
        credentials: { chat_id: String(id), bot_token: MAX_TOKEN },
        chat: String(id),
      },
      arrivals: () => max.world.arrivals(id).length,
    };
  }

  async function close(): Promise<void> {
    await Promise.all([telegram.close(), max.close(), vk.close(), pinterest.close()]);
  }
}
