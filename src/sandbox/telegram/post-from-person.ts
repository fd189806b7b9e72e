import type { Updates } from './updates.ts';
import type { Message } from './wire.ts';
import { type Person, privateChat, toUser, unixSeconds, type World } from './world.ts';

/** Puts a person's message, or one that the messenger writes for them, into their chat and the bot's queue. */
export function postFromPerson(
  world: World,
  updates: Updates,
  person: Person,
  content: Partial<Message>,
): { update_id: number; message_id: number } {
  const update = world.atOnce(() => {
    if (!person.started) world.people.put(person.id, { ...person, started: true });
    const message: Message = {
      message_id: world.nextMessageId(),
      from: toUser(person),
      chat: privateChat(person),
      date: unixSeconds(world.now()),
      ...content,
    };
    world.messages.put(message.message_id, message);
    return updates.enqueue({ message });
  });
  const { message_id } = update.message!;
  world.notify({ type: 'message', chat_id: person.id, message_id, what: 'new' });
  updates.announce(update);
  return { update_id: update.update_id, message_id };
}
