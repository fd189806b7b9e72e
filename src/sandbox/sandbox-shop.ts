import { type ChannelMood, moodOf, ruleOf } from './channel-moods.ts';
import { maxPost, type ShownPost } from './channel-posts.ts';
import { demoShop } from './demo-shop.ts';
import type { MaxPerson } from './max/people.ts';
import type { MaxStandIn } from './max/start.ts';
import type { Message } from './max/wire.ts';

export type SandboxShop = ReturnType<typeof openSandboxShop>;

type ShownMessage = Omit<ShownPost, 'buttons'> & {
  /** The customer's own. */
  mine: boolean;
  buttons: { text: string; payload: string }[][];
};

/** People who write to the shop of the demo. */
const customers: readonly MaxPerson[] = [
  { id: 42_001, name: 'Анна' },
  { id: 42_002, name: 'Борис' },
  { id: 42_003, name: 'Вера' },
];

const MESSAGES_SHOWN = 100;

/** The shop's bot, its operators' chat and its customers, in MAX's stand-in. */
export function openSandboxShop(max: MaxStandIn) {
  fill();
  return {
    customers,
    say,
    press,
    photo,
    chat,
    operatorLines,
    mood,
    setMood,
    setRepeats,
    repeats,
    chatIdOf,
    reset: fill,
  };

  function fill(): void {
    const bot = max.world.addBot(demoShop.bot);
    const { id, title } = demoShop.operatorChat;
    max.world.addChat({ id, type: 'chat', title, bots: { [bot.user_id]: { is_admin: false } } });
    max.faults.forgive(String(id));
  }

  function say(userId: number, text: string): void {
    max.people.say(theBot(), present(userId), text);
  }

  function press(userId: number, mid: string, payload: string): void {
    max.people.press(theBot(), present(userId), mid, payload);
  }

  function photo(userId: number, url: string): void {
    max.people.say(theBot(), present(userId), '', [{ type: 'image', payload: { url } }]);
  }

  /** The first word of a person opens the dialog, as the button «Начать» does. */
  function present(userId: number): MaxPerson {
    const person = customers.find(({ id }) => id === userId);
    if (!person) throw new RangeError(`Expected one of the customers, got ${userId}`);
    if (chatIdOf(userId) === null) max.people.start(theBot(), person);
    return person;
  }

  function chat(userId: number): ShownMessage[] {
    const chatId = chatIdOf(userId);
    return chatId === null ? [] : max.world.messages(chatId).slice(-MESSAGES_SHOWN).map(shown);
  }

  function operatorLines(): ShownMessage[] {
    return max.world.messages(demoShop.operatorChat.id).slice(-MESSAGES_SHOWN).map(shown);
  }

  function chatIdOf(userId: number): number | null {
    const bot = theBot();
    const dialog = max.world.chats().find((one) => one.userId === userId && one.bots[bot.user_id]);
    return dialog?.chat_id ?? null;
  }

  function mood(userId: number): ChannelMood {
    return moodOf(max.faults.list(), 'max', String(chatIdOf(userId)));
  }

  function setMood(userId: number, next: ChannelMood): void {
    present(userId);
    const chatId = String(chatIdOf(userId));
    max.faults.forgive(chatId);
    const rule = ruleOf(next, 'max', chatId);
    if (rule) max.faults.add(rule);
  }

  function setRepeats(times: number): void {
    max.updates.repeat(theBot(), times);
  }

  function repeats(): number {
    return max.updates.repeats(theBot());
  }

  function shown(message: Message): ShownMessage {
    const keyboards = message.body.attachments.filter(({ type }) => type === 'inline_keyboard');
    return {
      ...maxPost(
        message,
        max.world.formatOf(message.body.mid),
        (token) => `/sandbox/api/autopost/file/${token}`,
      ),
      mine: message.sender?.is_bot === false,
      buttons: keyboards.flatMap(({ payload }) => (payload?.buttons ?? []) as ShownMessage['buttons']),
    };
  }

  function theBot() {
    return max.world.botBy(demoShop.bot.token) ?? max.world.addBot(demoShop.bot);
  }
}
