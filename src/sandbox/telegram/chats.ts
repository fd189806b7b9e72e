import { ApiError, badRequest, type Chat, type ChatMember } from './wire.ts';
import { type Channel, privateChat, toUser, type World } from './world.ts';

/** A chat the bot may write to; anything else is refused in Telegram's words. */
export function chatToWrite(world: World, chatId: unknown): Chat {
  const { person, channel } = find(world, chatId);
  if (person) {
    // A person who never pressed «Start» does not exist for the bot.
    if (!person.started) throw badRequest('chat not found');
    if (person.blocked) throw new ApiError(403, 'Forbidden: bot was blocked by the user');
    return privateChat(person);
  }
  const member = channel.members[world.bot.id];
  if (!member || ['left', 'kicked'].includes(member.status)) {
    throw new ApiError(403, 'Forbidden: bot is not a member of the channel chat');
  }
  if (member.can_post_messages !== true && member.status !== 'creator') {
    throw badRequest('need administrator rights in the channel chat');
  }
  return channelChat(channel);
}

export function readChat(world: World, chatId: unknown): Record<string, unknown> {
  const { person, channel } = find(world, chatId);
  if (channel) return { ...channelChat(channel), accent_color_id: 0, max_reaction_count: 11 };
  if (!person.started) throw badRequest('chat not found');
  return { ...privateChat(person), accent_color_id: 0, max_reaction_count: 11 };
}

export function readChatMember(world: World, chatId: unknown, userId: unknown): ChatMember {
  const { person, channel } = find(world, chatId);
  const id = Number(userId);
  if (channel) {
    const known = channel.members[id];
    if (known) return known;
    const user = id === world.bot.id ? world.bot : world.people.get(id);
    if (!user) throw badRequest('PARTICIPANT_ID_INVALID');
    return { user: user.is_bot ? user : toUser(user), status: 'left' };
  }
  if (!person.started || (id !== person.id && id !== world.bot.id)) throw badRequest('user not found');
  return { user: id === person.id ? toUser(person) : world.bot, status: 'member' };
}

type Found =
  | { person: NonNullable<ReturnType<World['people']['get']>>; channel?: undefined }
  | { person?: undefined; channel: Channel };

function find(world: World, chatId: unknown): Found {
  if (chatId === undefined || chatId === null || chatId === '') throw badRequest('chat_id is empty');
  const person = world.people.get(String(chatId));
  if (person) return { person };
  const name = String(chatId).toLowerCase();
  const channel =
    world.channels.get(String(chatId)) ??
    world.channels.values().find(({ username }) => username && `@${username.toLowerCase()}` === name);
  if (channel) return { channel };
  throw badRequest('chat not found');
}

const channelChat = ({ id, type, title, username }: Channel): Chat => ({
  id,
  type,
  title,
  ...(username && { username }),
});
