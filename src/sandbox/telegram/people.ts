import { randomInt } from 'node:crypto';
import type { SentFile } from './call-params.ts';
import { awaitAnswer } from './callbacks.ts';
import { CannotAct } from './cannot-act.ts';
import { fileRef } from './files.ts';
import { commandsAndLinks, formatText, MAX_CAPTION, MAX_TEXT } from './formatted-text.ts';
import { imageSize } from './image-size.ts';
import { toDocument, toPhotoSize } from './media.ts';
import { createPeopleMoney } from './people-money.ts';
import { postFromPerson } from './post-from-person.ts';
import { typedText } from './typed-text.ts';
import type { Updates } from './updates.ts';
import type { Message, MessageEntity, ReplyKeyboard, Update } from './wire.ts';
import {
  type CallbackAnswer,
  chatOf,
  messagesOf,
  type Person,
  privateChat,
  toUser,
  unixSeconds,
  type World,
} from './world.ts';

export type NewPerson = { id?: number; first_name: string; last_name?: string; username?: string };
export type Said = { update_id: number; message_id: number };
type Pressed = {
  update_id: number;
  query_id: string;
  /** Null: no answer within that time. */
  answer(timeoutMs?: number): Promise<CallbackAnswer | null>;
};

export type People = ReturnType<typeof createPeople>;

const PRESET: readonly NewPerson[] = [
  { id: 1001, first_name: 'Анна', username: 'anna_cvety' },
  { id: 1002, first_name: 'Борис', username: 'boris_remont' },
  { id: 1003, first_name: 'Виктория', username: 'vika_coffee' },
];
const MAX_QUERIES_KEPT = 1000;
const ANSWER_TIMEOUT_MS = 10_000;

/** Acting as the people who talk to the bot. Everything here ends as an update in the bot's queue. */
export function createPeople(world: World, updates: Updates) {
  if (!world.setting('seeded').get()) {
    for (const person of PRESET) put(person);
    world.setting('seeded').put(true);
  }
  return {
    list: () => world.people.values(),
    get: known,
    add,
    messages: (id: number): Message[] => messagesOf(world, id),
    keyboard: (id: number): ReplyKeyboard | null => world.keyboards.get(id) ?? null,
    say,
    start: (id: number, payload?: string) => say(id, payload ? `/start ${payload}` : '/start'),
    press,
    document,
    photo,
    sticker,
    voice,
    video,
    location: (id: number, latitude = 55.7558, longitude = 37.6173) =>
      speak(id, { location: { latitude, longitude } }),
    contact,
    shareChat,
    ...createPeopleMoney(world, updates),
    block: (id: number) => setBlocked(id, true),
    unblock: (id: number) => setBlocked(id, false),
    inject,
    reset,
    resetAll,
  };

  function known(id: number): Person {
    const person = world.people.get(id);
    if (!person) throw new CannotAct(`Expected the id of a person, got ${id}`);
    return person;
  }

  function add(given: NewPerson): Person {
    if (given.id !== undefined && world.people.get(given.id))
      throw new CannotAct(`Person ${given.id} is here already`);
    const person = put(given);
    world.notify({ type: 'people' });
    return person;
  }

  function put({ id, ...names }: NewPerson): Person {
    const free = Math.max(1000, ...world.people.values().map((person) => person.id)) + 1;
    const person: Person = {
      id: id ?? free,
      is_bot: false,
      ...names,
      language_code: 'ru',
      started: false,
      blocked: false,
    };
    world.people.put(person.id, person);
    return person;
  }

  /**
   * Telegram's own apps send a text that is too long as several messages; the last one is returned. `formatted`: typed
   * with the signs that the apps turn into formatting.
   */
  function say(id: number, raw: string, { formatted = false } = {}): Said {
    const { text, entities } = formatted ? typedText(raw.trim()) : formatText(raw, undefined, undefined);
    if (text === '') throw new CannotAct('Expected something to say, got nothing');
    if (formatted && entities.length > 0 && text.length <= MAX_TEXT)
      return speak(id, { text, ...marked(formatText(text, undefined, entities).entities) });
    const parts = text.match(new RegExp(`.{1,${MAX_TEXT}}`, 'gs')) ?? [];
    return parts.map((part) => speak(id, { text: part, ...marked(commandsAndLinks(part)) })).at(-1)!;
  }

  function speak(id: number, content: Partial<Message>): Said {
    const person = known(id);
    if (person.blocked) throw new CannotAct(`${person.first_name} has blocked the bot`);
    return postFromPerson(world, updates, person, content);
  }

  /** With `forge`, as a changed client could do it: any data, also on a message that is gone. */
  function press(id: number, messageId: number, data: string, { forge = false } = {}): Pressed {
    const person = known(id);
    if (person.blocked) throw new CannotAct(`${person.first_name} has blocked the bot`);
    const message = world.messages.get(messageId);
    const here = message?.chat.id === id ? message : undefined;
    const offered = here?.reply_markup?.inline_keyboard
      .flat()
      .some((button) => button.callback_data === data);
    if (!offered && !forge)
      throw new CannotAct(`Message ${messageId} has no button with data ${JSON.stringify(data)}`);
    const query_id = `${randomInt(1e9, 9e9)}${randomInt(1e8, 9e8)}`;
    const update = world.atOnce(() => {
      const queries = world.queries.values();
      if (queries.length >= MAX_QUERIES_KEPT) world.queries.remove(queries[0]!.id);
      world.queries.put(query_id, {
        id: query_id,
        chat_id: id,
        message_id: messageId,
        asked_at: world.now(),
      });
      return updates.enqueue({
        callback_query: {
          id: query_id,
          from: toUser(person),
          message: here ?? { chat: privateChat(person), message_id: messageId, date: 0 },
          chat_instance: String(id),
          data,
        },
      });
    });
    updates.announce(update);
    const answer = (timeoutMs = ANSWER_TIMEOUT_MS) => awaitAnswer(world, query_id, timeoutMs);
    return { update_id: update.update_id, query_id, answer };
  }

  /** Telegram's apps send an album as one message per file, all with the same `group`. */
  function document(id: number, file: SentFile, caption?: string, group?: string): Said {
    known(id);
    const kept = toDocument(world.files.keep('documents', file));
    return speak(id, { document: kept, ...captioned(caption), ...grouped(group) });
  }

  function photo(id: number, file: SentFile, caption?: string, group?: string): Said {
    known(id);
    if (!imageSize(file.bytes)) throw new CannotAct('Expected a picture: PNG, JPEG, WebP or GIF');
    return speak(id, {
      photo: [toPhotoSize(world, world.files.keep('photos', file))],
      ...captioned(caption),
      ...grouped(group),
    });
  }

  function sticker(id: number, emoji = '👍'): Said {
    const file = fileRef(world.files.keep('stickers', placeholder('sticker.webp', 'image/webp')));
    const shape = { type: 'regular', width: 512, height: 512, is_animated: false, is_video: false } as const;
    return speak(id, { sticker: { ...file, ...shape, emoji } });
  }

  function voice(id: number, duration = 3): Said {
    const file = fileRef(world.files.keep('voice', placeholder('voice.ogg', 'audio/ogg')));
    return speak(id, { voice: { ...file, duration, mime_type: 'audio/ogg' } });
  }

  function video(id: number, duration = 5): Said {
    const file = fileRef(world.files.keep('videos', placeholder('video.mp4', 'video/mp4')));
    return speak(id, { video: { ...file, width: 640, height: 360, duration, mime_type: 'video/mp4' } });
  }

  function contact(id: number, phone_number = '+79001234567'): Said {
    return speak(id, { contact: { phone_number, first_name: known(id).first_name, user_id: id } });
  }

  /** Picks a channel for the button that asks for one; Telegram makes the bot an administrator there. */
  function shareChat(id: number, request_id: number, channelId: number): Said {
    const channel = world.channels.get(channelId);
    if (!channel) throw new CannotAct(`Expected the id of a channel, got ${channelId}`);
    const asked = world.keyboards
      .get(id)
      ?.keyboard.flat()
      .find(({ request_chat }) => (request_chat as { request_id?: number })?.request_id === request_id);
    if (!asked) throw new CannotAct(`Nothing asks for a channel under ${request_id}`);
    const wanted = asked.request_chat as Record<string, unknown>;
    const { bot } = world;
    const rights = wanted.bot_administrator_rights as Record<string, unknown> | undefined;
    if (rights) {
      const before = channel.members[bot.id] ?? { user: bot, status: 'left' };
      const now = { ...rights, user: bot, status: 'administrator' };
      world.channels.put(channelId, { ...channel, members: { ...channel.members, [bot.id]: now } });
      inject({
        my_chat_member: {
          chat: { id: channelId, type: 'channel', title: channel.title },
          from: toUser(known(id)),
          date: unixSeconds(world.now()),
          old_chat_member: before,
          new_chat_member: now,
        },
      });
    }
    return speak(id, {
      chat_shared: {
        request_id,
        chat_id: channelId,
        ...(wanted.request_title === true && { title: channel.title }),
        ...(wanted.request_username === true && channel.username && { username: channel.username }),
      },
    });
  }

  function setBlocked(id: number, blocked: boolean): { update_id: number } {
    const person = known(id);
    const member = (status: string) => ({ user: world.bot, status });
    const [before, after] = blocked ? ['member', 'kicked'] : ['kicked', 'member'];
    const update = world.atOnce(() => {
      world.people.put(id, { ...person, blocked });
      return updates.enqueue({
        my_chat_member: {
          chat: privateChat(person),
          from: toUser(person),
          date: unixSeconds(world.now()),
          old_chat_member: member(before!),
          new_chat_member: member(after!),
        },
      });
    });
    world.notify({ type: 'people' });
    updates.announce(update);
    return { update_id: update.update_id };
  }

  /** Whatever it says, the id of the update is ours: the bot must be able to tell it from every other. */
  function inject(content: Record<string, unknown>): { update_id: number } {
    const update = updates.enqueue(content);
    updates.announce(update);
    return { update_id: update.update_id };
  }

  /** The chat as it was before the person met the bot. Ids go on rising. */
  function reset(id: number): void {
    const person = known(id);
    world.atOnce(() => {
      for (const { message_id } of messagesOf(world, id)) world.messages.remove(message_id);
      for (const query of world.queries.values()) if (query.chat_id === id) world.queries.remove(query.id);
      for (const update of world.updates.values()) forgetOf(update, id);
      world.keyboards.remove(id);
      world.people.put(id, { ...person, started: false, blocked: false });
    });
    world.notify({ type: 'people' });
    world.notify({ type: 'keyboard', chat_id: id });
  }

  function forgetOf(update: Update, id: number): void {
    if (chatOf(update) === id) world.updates.remove(update.update_id);
  }

  function resetAll(): void {
    world.atOnce(() => {
      for (const { message_id } of world.messages.values()) world.messages.remove(message_id);
      for (const query of world.queries.values()) world.queries.remove(query.id);
      for (const update of world.updates.values()) world.updates.remove(update.update_id);
      for (const channel of world.channels.values()) world.channels.remove(channel.id);
      for (const { id } of world.checkouts.values()) world.checkouts.remove(id);
      for (const { id } of world.charges.values()) world.charges.remove(id);
      for (const { id } of world.people.values()) {
        world.people.remove(id);
        world.keyboards.remove(id);
      }
      world.files.clear();
      for (const person of PRESET) put(person);
    });
    world.notify({ type: 'people' });
  }
}

const marked = (entities: MessageEntity[]) => (entities.length > 0 ? { entities } : {});

function captioned(caption: string | undefined): Pick<Message, 'caption' | 'caption_entities'> {
  if (!caption) return {};
  if (caption.length > MAX_CAPTION)
    throw new CannotAct(`Expected a caption of ${MAX_CAPTION} characters at most`);
  const { text, entities: typed } = typedText(caption);
  const { entities } = formatText(text, undefined, typed);
  return { caption: text, ...(entities.length > 0 && { caption_entities: entities }) };
}

const grouped = (group: string | undefined) => (group ? { media_group_id: group } : {});

const placeholder = (name: string, mime: string): SentFile => ({
  name,
  mime,
  bytes: Buffer.from(`stand-in ${name}`),
});
