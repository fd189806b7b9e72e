import type { Message } from './wire.ts';
import { messagesOf, toUser, type World } from './world.ts';

export type NewChannel = {
  id?: number;
  title: string;
  username?: string;
  /** The bot is an administrator who may post, unless said otherwise. */
  botStatus?: 'administrator' | 'member' | 'left' | 'kicked';
  botMayPost?: boolean;
  /** The person whose channel it is. */
  owner?: number;
};

export type Channels = ReturnType<typeof createChannels>;

/** Channels the bot publishes to. */
export function createChannels(world: World) {
  return {
    add,
    list: () => world.channels.values(),
    posts: (id: number): Message[] => messagesOf(world, id),
  };

  function add(given: NewChannel): { id: number } {
    const id = given.id ?? -1_002_000_000_001 - world.channels.values().length;
    const status = given.botStatus ?? 'administrator';
    const can_post_messages = status === 'administrator' && (given.botMayPost ?? true);
    const owner = given.owner === undefined ? undefined : world.people.get(given.owner);
    world.channels.put(id, {
      id,
      type: 'channel',
      title: given.title,
      ...(given.username && { username: given.username }),
      members: {
        [world.bot.id]: { user: world.bot, status, ...(status === 'administrator' && { can_post_messages }) },
        ...(owner && { [owner.id]: { user: toUser(owner), status: 'creator' } }),
      },
    });
    world.notify({ type: 'people' });
    return { id };
  }
}
