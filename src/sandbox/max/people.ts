import { randomInt } from 'node:crypto';
import type { MaxUpdates } from './updates.ts';
import type { Attachment, Bot, Message, User } from './wire.ts';
import type { MaxWorld, NewChat } from './world.ts';

export type MaxPerson = { id: number; name: string };
export type MaxPeople = ReturnType<typeof createMaxPeople>;

/** The people who talk to a bot. Whatever they do, the bot hears it as an update. */
export function createMaxPeople(world: MaxWorld, updates: MaxUpdates) {
  const callbacks = new Map<string, { mid: string; notification: string | null }>();
  return { start, say, press, stop, addToChat, answered, notification };

  /** Opens the dialog: before that the bot cannot write. */
  function start(bot: Bot, person: MaxPerson, payload?: string): { chat_id: number } {
    const dialog = world.addChat({
      id: dialogId(bot, person),
      type: 'dialog',
      userId: person.id,
      bots: { [bot.user_id]: { is_admin: false } },
    });
    const { chat_id } = dialog;
    updates.emit(bot, {
      update_type: 'bot_started',
      chat_id,
      user: userOf(person),
      ...(payload && { payload }),
    });
    return { chat_id };
  }

  function say(bot: Bot, person: MaxPerson, text: string, attachments: Attachment[] = []): Message {
    const to = world.chatWith(bot, person.id);
    const message = world.put(userOf(person), to, { text: text || null, attachments });
    updates.emit(bot, { update_type: 'message_created', message, user_locale: 'ru' });
    return message;
  }

  function press(bot: Bot, person: MaxPerson, mid: string, payload: string): { callback_id: string } {
    const callback_id = `cb.${randomInt(1e9, 9e9)}`;
    callbacks.set(callback_id, { mid, notification: null });
    const callback = { timestamp: world.now(), callback_id, payload, user: userOf(person) };
    updates.emit(bot, { update_type: 'message_callback', callback, message: world.message(mid) ?? null });
    return { callback_id };
  }

  /** Closes the dialog again: the bot is refused from now on. */
  function stop(bot: Bot, person: MaxPerson): void {
    const dialog = world.chatWith(bot, person.id);
    world.setStatus(dialog.chat_id, 'suspended');
    updates.emit(bot, { update_type: 'bot_stopped', chat_id: dialog.chat_id, user: userOf(person) });
  }

  /** Adds the bot to a chat or channel of theirs, as its administrator. */
  function addToChat(bot: Bot, person: MaxPerson, chat: Omit<NewChat, 'bots'>): void {
    const { chat_id, type } = world.addChat({ ...chat, bots: { [bot.user_id]: {} } });
    const is_channel = type === 'channel';
    updates.emit(bot, { update_type: 'bot_added', chat_id, user: userOf(person), is_channel });
  }

  /** The message whose button was pressed; undefined when none was. */
  function answered(callbackId: string, notification: string | null): string | undefined {
    const callback = callbacks.get(callbackId);
    if (callback) callbacks.set(callbackId, { ...callback, notification });
    return callback?.mid;
  }

  function notification(callbackId: string): string | null {
    return callbacks.get(callbackId)?.notification ?? null;
  }

  function userOf({ id, name }: MaxPerson): User {
    return { user_id: id, first_name: name, name, is_bot: false, last_activity_time: world.now() };
  }
}

const dialogId = (bot: Bot, person: MaxPerson): number => bot.user_id * 1_000_000 + person.id;
