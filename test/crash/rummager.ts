import { setTimeout as delay } from 'node:timers/promises';
import type { TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import type { Random } from './seeded.ts';

type Button = { messageId: number; data: string };

/** A person who presses every button ever shown to them, in any order, and says things in between. */
export function createRummager(telegram: TelegramStandIn, id: number, random: Random) {
  telegram.people.add({ id, first_name: `Копуша ${id}` });
  const { people } = telegram;
  const buttons: Button[] = [];
  const presses: Promise<unknown>[] = [];
  return { id, rummage, presses };

  async function rummage(until: number): Promise<void> {
    const stop = telegram.subscribe((change) => {
      if (change.type !== 'message' || change.chat_id !== id) return;
      const message = people.messages(id).find(({ message_id }) => message_id === change.message_id);
      for (const { callback_data: data } of message?.reply_markup?.inline_keyboard?.flat() ?? [])
        if (data !== undefined && message) buttons.push({ messageId: message.message_id, data });
    });
    people.start(id);
    while (Date.now() < until) {
      await delay(random.between(200, 900));
      if (buttons.length === 0 || random.chance(0.3))
        people.say(id, random.of(['Ромашка', '/cancel', 'Меню', '?']));
      else press(random.of(buttons));
    }
    stop();
  }

  function press({ messageId, data }: Button): void {
    presses.push(people.press(id, messageId, data, { forge: true }).answer());
  }
}
