import type { Message, User } from './wire.ts';
import { type Channel, type ForeignBot, messagesOf, toUser, type World } from './world.ts';

export type NewChannel = {
  id?: number;
  title: string;
  username?: string;
  /** The bot is an administrator who may post, unless said otherwise. */
  botStatus?: BotStanding['status'];
  botMayPost?: boolean;
  /** The person whose channel it is. */
  owner?: number;
  /** Bots of other people in it, by their ids. */
  bots?: Record<number, BotStanding>;
};

type BotStanding = {
  status: 'administrator' | 'member' | 'left' | 'kicked';
  /** An administrator may, unless said otherwise. */
  mayPost?: boolean;
};

export type NewBot = { token: string; username: string; name?: string };

export type Arrival = { at: number; message_id: number };

export type Channels = ReturnType<typeof createChannels>;

const MOST_ARRIVALS = 100_000;

/** Channels, and the bots of other people that publish to them. */
export function createChannels(world: World) {
  const arrivals: (Arrival & { chat_id: number })[] = [];
  world.subscribe((change) => {
    if (change.type !== 'message' || change.what !== 'new' || !world.channels.get(change.chat_id)) return;
    arrivals.push({ at: world.now(), chat_id: change.chat_id, message_id: change.message_id });
    if (arrivals.length > MOST_ARRIVALS) arrivals.shift();
  });
  return {
    add,
    addBot,
    bots: (): User[] => world.foreignBots.values().map(asUser),
    stand,
    list: () => world.channels.values(),
    posts: (id: number): Message[] => messagesOf(world, id),
    /** When each message came, those deleted since among them: what a measurement of rates needs. */
    arrivals: (id: number): Arrival[] =>
      arrivals.flatMap(({ chat_id, ...arrival }) => (chat_id === id ? [arrival] : [])),
  };

  function add(given: NewChannel): { id: number } {
    const id = given.id ?? -1_002_000_000_001 - world.channels.values().length;
    const own: BotStanding = {
      status: given.botStatus ?? 'administrator',
      ...(given.botMayPost !== undefined && { mayPost: given.botMayPost }),
    };
    const owner = given.owner === undefined ? undefined : world.people.get(given.owner);
    world.channels.put(id, {
      id,
      type: 'channel',
      title: given.title,
      ...(given.username && { username: given.username }),
      members: {
        [world.bot.id]: memberOf(world.bot, own),
        ...(owner && { [owner.id]: { user: toUser(owner), status: 'creator' } }),
      },
    });
    for (const [botId, standing] of Object.entries(given.bots ?? {})) stand(id, Number(botId), standing);
    world.notify({ type: 'people' });
    return { id };
  }

  function addBot({ token, username, name = username }: NewBot): User {
    const id = Number.parseInt(token, 10);
    const bot: ForeignBot = { id, is_bot: true, first_name: name, username, token };
    world.foreignBots.put(id, bot);
    return asUser(bot);
  }

  /** Puts a bot into the channel, changes its rights there, or throws it out. */
  function stand(channelId: number, botId: number, standing: BotStanding): void {
    const channel = known(channelId);
    const bot = botId === world.bot.id ? world.bot : world.foreignBots.get(botId);
    if (!bot) throw new RangeError(`Expected the id of a bot, got ${botId}`);
    const members = { ...channel.members, [botId]: memberOf(asUser(bot), standing) };
    world.channels.put(channelId, { ...channel, members });
  }

  function known(id: number): Channel {
    const channel = world.channels.get(id);
    if (!channel) throw new RangeError(`Expected the id of a channel, got ${id}`);
    return channel;
  }
}

const asUser = ({ id, is_bot, first_name, username }: User): User => ({
  ...{ id, is_bot, first_name },
  ...(username && { username }),
});

function memberOf(user: User, { status, mayPost = true }: BotStanding) {
  return { user, status, ...(status === 'administrator' && { can_post_messages: mayPost }) };
}
