import { storedTokens } from '../../src/platforms/pinterest/access.ts';
import type { PostPlatform } from '../../src/platforms/platforms.ts';
import type { FaultRule } from '../../src/sandbox/faults.ts';
import type { TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { startChannelStandIns } from '../support/channel-stand-ins.ts';
import type { Addresses } from './post-desk.ts';

export type PostPlaces = Awaited<ReturnType<typeof startPostPlaces>>;

/** A channel, wall, board or chat of one person. */
export type PostPlace = {
  platform: PostPlatform;
  /** As its owner knows it; no other place has this name. */
  title: string;
  identifier: string;
  credentials: object;
  /** What the stand-in calls it: the chat, the key of the wall, the owner of the board. */
  chat: string;
  arrivals(): number;
};

const MAX_TOKEN = 'max-bot-token-of-no-value';
const DAY_MS = 86_400_000;

/** The one call of each platform that makes the post. */
export const creates: Record<PostPlatform, string> = {
  telegram: 'send(Photo|Message)',
  vk: 'wall\\.post',
  pinterest: 'POST /v5/pins',
  max: 'POST /messages',
};

/** The four platforms of posts on loopback, and places there. Telegram is the one in which the people talk to the bot. */
export async function startPostPlaces(telegram: TelegramStandIn) {
  const { standIns, env, close } = await startChannelStandIns();
  const { max, vk, pinterest } = standIns;
  const maxBot = max.world.addBot({ token: MAX_TOKEN, name: 'Кухни' });
  let places = 0;
  const makers: Record<PostPlatform, (n: number) => Omit<PostPlace, 'platform' | 'title'>> = {
    telegram: aChannel,
    vk: aWall,
    pinterest: aBoard,
    max: aChat,
  };
  const addresses: Addresses = {
    telegram: { token: telegram.token, apiRoot: telegram.url },
    max: max.url,
    vk: vk.url,
    pinterest: { url: pinterest.url, ...pinterest.app },
  };
  return { ...standIns, telegram, env, addresses, placeOn, loseAnswerOf, close };

  function placeOn(platform: PostPlatform): PostPlace {
    places += 1;
    return { platform, title: titleOf(places), ...makers[platform](places) };
  }

  /**
   * The next post there arrives, and the platform's answer does not. VK is asked again under the same key: that answer
   * is lost too. VK and Pinterest are not told whose post it is: theirs is the next one of all.
   */
  function loseAnswerOf({ platform, chat }: PostPlace): void {
    const rule: FaultRule = { match: creates[platform], fault: { kind: 'reset-after' } };
    if (platform === 'vk') vk.faults.add({ ...rule, times: 2 });
    else if (platform === 'pinterest') pinterest.faults.add(rule);
    else (platform === 'max' ? max : telegram).faults.add({ ...rule, chat });
  }

  function aChannel(n: number) {
    const { id } = telegram.channels.add({ title: titleOf(n), username: `kuhni_${n}` });
    return {
      ...{ identifier: String(id), chat: String(id) },
      credentials: { channel_id: String(id), channel_username: `@kuhni_${n}` },
      arrivals: () => telegram.channels.arrivals(id).length,
    };
  }

  function aWall(n: number) {
    const groupId = 7_000 + n;
    const token = `vk1.a.user-${n}-of-no-value`;
    vk.world.addGroup({ id: groupId, name: titleOf(n), screenName: `kuhni${n}`, members: 5 });
    vk.world.addToken({
      ...{ token, kind: 'user', rights: ['wall', 'photos', 'groups', 'offline'] },
      roles: { [groupId]: 'admin' },
    });
    return {
      ...{ identifier: String(groupId), chat: token },
      credentials: { group_id: String(-groupId), group_name: titleOf(n), access_token: token },
      arrivals: () => vk.world.wall(groupId).length,
    };
  }

  function aBoard(n: number) {
    const owner = `kuhni_${n}`;
    pinterest.world.addAccount({ username: owner, accountType: 'BUSINESS' });
    const { id } = pinterest.world.addBoard({ owner, name: titleOf(n) });
    const { accessToken, refreshToken } = pinterest.world.grant(
      owner,
      'boards:read boards:write pins:read pins:write',
    );
    const tokens = storedTokens({ accessToken, refreshToken, expiresAt: Date.now() + 20 * DAY_MS });
    return {
      ...{ identifier: id, chat: owner },
      credentials: { ...tokens, board_id: id, board_name: titleOf(n) },
      arrivals: () => pinterest.world.pins(id).length,
    };
  }

  function aChat(n: number) {
    const id = -70_000_000_000_000 - n;
    max.world.addChat({
      id,
      title: titleOf(n),
      link: `https://max.ru/kuhni${n}`,
      bots: { [maxBot.user_id]: {} },
    });
    return {
      ...{ identifier: String(id), chat: String(id) },
      credentials: { chat_id: String(id), bot_token: MAX_TOKEN },
      arrivals: () => max.world.arrivals(id).length,
    };
  }
}

const titleOf = (n: number): string => `Кухни ${n}`;
