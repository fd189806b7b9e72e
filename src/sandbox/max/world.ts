import { randomBytes } from 'node:crypto';
import type { Journal } from '../journal.ts';
import { ApiError, type Bot, type Chat, type Membership, type Message, type User } from './wire.ts';

export type NewBot = { token: string; name: string; username?: string };
export type NewChat = {
  id: number;
  type?: Chat['type'];
  title?: string;
  /** A public one gives its messages addresses. */
  link?: string;
  /** Bots in it, by their ids. A bot that is not named is not there. */
  bots?: Record<number, Partial<Membership>>;
  /** The person at the other end of a dialog. */
  userId?: number;
};

export type TextFormat = 'html' | 'markdown';

export type KeptChat = Chat & { bots: Record<number, Membership>; userId: number | null };

/** `seq` exceeds the exact range of a number, as in MAX: arithmetic with it fails here too. */
const FIRST_SEQ = 116_000_000_000_000_000;
const ADMINISTRATOR: Membership = {
  is_owner: false,
  is_admin: true,
  permissions: ['read_all_messages', 'write', 'edit', 'delete'],
};

export type MaxWorld = ReturnType<typeof openMaxWorld>;

/** Everything MAX's server knows: bots, chats, and what was said. */
export function openMaxWorld(journal: Journal, now: () => number) {
  const bots = journal.table<Bot>('bots');
  const chats = journal.table<KeptChat>('chats');
  const messages = journal.table<Message>('messages');
  const formats = journal.table<TextFormat>('formats');
  const arrivals: { at: number; chat_id: number; mid: string }[] = [];
  let seq = messages.values().at(-1)?.body.seq ?? FIRST_SEQ;
  return {
    now,
    addBot,
    botBy,
    addChat,
    chat,
    chatWith,
    chats: () => chats.values(),
    setStatus,
    put,
    message: (mid: string) => messages.get(mid),
    /** How the text of a message is to be read. Null: as it stands. */
    formatOf: (mid: string): TextFormat | null => formats.get(mid) ?? null,
    change: (message: Message) => messages.put(message.body.mid, message),
    remove,
    /** As one sees them now: changed in place, deleted ones gone. */
    messages: (chatId?: number) =>
      messages.values().filter(({ recipient }) => chatId === undefined || recipient.chat_id === chatId),
    /** When each message of a bot came, those deleted since among them: what a measurement of rates needs. */
    arrivals: (chatId?: number) =>
      arrivals.filter(({ chat_id }) => chatId === undefined || chat_id === chatId),
  };

  function botBy(token: string): Bot | undefined {
    return bots.values().find((bot) => bot.token === token);
  }

  function addBot({ token, name, username }: NewBot): Bot {
    const bot: Bot = {
      user_id: botBy(token)?.user_id ?? 5_000_001 + bots.values().length,
      first_name: name,
      name,
      ...(username && { username }),
      is_bot: true,
      last_activity_time: now(),
      token,
    };
    bots.put(bot.user_id, bot);
    return bot;
  }

  function addChat({ id, type = 'channel', title, link, bots: members = {}, userId }: NewChat): KeptChat {
    const entries = Object.entries(members).map(([bot, given]) => [bot, { ...ADMINISTRATOR, ...given }]);
    const added: KeptChat = {
      chat_id: id,
      type,
      status: 'active',
      title: title ?? null,
      link: link ?? null,
      is_public: link !== undefined,
      participants_count: 1,
      bots: Object.fromEntries(entries),
      userId: userId ?? null,
    };
    chats.put(id, added);
    return added;
  }

  /** A chat that the bot is in; to any other bot it does not exist. */
  function chat(bot: Bot, id: unknown): KeptChat {
    const found = chats.get(String(id));
    if (!found?.bots[bot.user_id]) throw new ApiError(404, 'chat.not.found', `Chat ${String(id)} not found`);
    return found;
  }

  function chatWith(bot: Bot, userId: unknown): KeptChat {
    const dialogs = chats
      .values()
      .filter(({ type, bots: members }) => type === 'dialog' && members[bot.user_id]);
    const found = dialogs.find((dialog) => dialog.userId === Number(userId));
    if (!found)
      throw new ApiError(403, 'chat.denied', `Key: error.dialog.notfound, args: [${String(userId)},].`);
    return found;
  }

  /** Anything but active: the bot is refused there. */
  function setStatus(id: number, status: string): void {
    const found = chats.get(id);
    if (!found) throw new RangeError(`Expected the id of a chat, got ${id}`);
    chats.put(id, { ...found, status: status as Chat['status'] });
  }

  function put(
    sender: User,
    to: KeptChat,
    body: Pick<Message['body'], 'text' | 'attachments'>,
    format: TextFormat | null = null,
  ): Message {
    const mid = `mid.${randomBytes(16).toString('hex')}`;
    seq += 1_024;
    const message: Message = {
      sender: to.type === 'channel' ? null : sender,
      recipient: {
        chat_id: to.chat_id,
        chat_type: to.type,
        ...(to.userId !== null && { user_id: to.userId }),
      },
      timestamp: now(),
      body: { mid, seq, ...body },
      ...(to.link && { url: `${to.link}/${mid.slice(-12)}` }),
    };
    journal.atOnce(() => {
      messages.put(mid, message);
      if (format) formats.put(mid, format);
    });
    if (sender.is_bot) arrivals.push({ at: now(), chat_id: to.chat_id, mid });
    return message;
  }

  function remove(mid: string): void {
    messages.remove(mid);
    formats.remove(mid);
  }
}

export const userOf = ({ token: _, ...user }: Bot): User => user;
