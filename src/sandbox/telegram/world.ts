import type { Journal } from '../journal.ts';
import { type Files, openFiles } from './files.ts';
import type { Charge, Checkout, Invoice } from './payments.ts';
import type {
  BotCommand,
  Chat,
  ChatMember,
  InlineKeyboard,
  Message,
  ReplyKeyboard,
  Update,
  User,
} from './wire.ts';

export type Person = User & {
  is_bot: false;
  /** Has pressed «Start»: before that a bot cannot write to a person. */
  started: boolean;
  blocked: boolean;
};

export type Channel = Chat & { type: 'channel'; title: string; members: Record<string, ChatMember> };

/** A bot that somebody else owns. It writes to channels; no person here has met it. */
export type ForeignBot = User & { is_bot: true; token: string };

type Query = {
  id: string;
  chat_id: number;
  message_id: number;
  asked_at: number;
  answer?: CallbackAnswer;
};

export type CallbackAnswer = { text?: string; show_alert?: boolean; url?: string };

export type Webhook = {
  url: string;
  secret_token?: string;
  max_connections: number;
  last_error_date?: number;
  last_error_message?: string;
};

export type Change =
  | { type: 'message'; chat_id: number; message_id: number; what: 'new' | 'edited' | 'deleted' }
  | { type: 'keyboard'; chat_id: number }
  | { type: 'action'; chat_id: number; action: string }
  | { type: 'answer'; chat_id: number; message_id: number; query_id: string; answer: CallbackAnswer }
  /** An update was put in the queue, or the bot has dealt with it. */
  | { type: 'pending'; chat_id: number | null }
  | { type: 'people' }
  | { type: 'bot' };

export type World = ReturnType<typeof openWorld>;

/** Everything the messenger's server knows: people, chats, what was said, and what the bot has not heard yet. */
export function openWorld(options: { journal: Journal; journalFile?: string; bot: User; now: () => number }) {
  const { journal, now } = options;
  const settings = journal.table<unknown>('settings');
  const listeners = new Set<(change: Change) => void>();
  const files: Files = openFiles(journal, options.journalFile);

  return {
    bot: options.bot,
    now,
    files,
    people: journal.table<Person>('people'),
    channels: journal.table<Channel>('channels'),
    foreignBots: journal.table<ForeignBot>('foreign_bots'),
    messages: journal.table<Message>('messages'),
    keyboards: journal.table<ReplyKeyboard>('keyboards'),
    updates: journal.table<Update>('updates'),
    queries: journal.table<Query>('queries'),
    /** By the id of their message, or the name in their link. */
    invoices: journal.table<Invoice>('invoices'),
    checkouts: journal.table<Checkout>('checkouts'),
    charges: journal.table<Charge>('charges'),
    /** Stars that were given to people, where it is not the usual number. */
    purses: journal.table<number>('purses'),
    atOnce: journal.atOnce,
    setting,
    nextMessageId: () => next('message_id', 0),
    // Begins at the clock, so that a bot which remembers the ids it has seen hears us even after our journal was lost.
    nextUpdateId: () => next('update_id', Math.floor(Date.now() / 1000)),
    subscribe,
    notify,
  };

  function setting<T extends SettingName>(name: T) {
    return {
      get: () => settings.get(name) as Settings[T] | undefined,
      put: (value: Settings[T]) => settings.put(name, value),
      remove: () => settings.remove(name),
    };
  }

  function next(name: string, first: number): number {
    const id = ((settings.get(name) as number | undefined) ?? first) + 1;
    settings.put(name, id);
    return id;
  }

  function subscribe(listener: (change: Change) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  function notify(change: Change): void {
    for (const listener of [...listeners]) listener(change);
  }
}

/** The same server as another bot sees it. */
export function worldOf(world: World, { token: _, ...bot }: ForeignBot): World {
  const nobody = { ...world.people, get: () => undefined, values: () => [] };
  return { ...world, bot, people: nobody };
}

type Settings = { webhook: Webhook; commands: BotCommand[]; allowed_updates: string[]; seeded: true };
type SettingName = keyof Settings;

export const unixSeconds = (ms: number) => Math.floor(ms / 1000);

export function privateChat({ id, first_name, last_name, username }: User): Chat {
  return { id, type: 'private', first_name, ...(last_name && { last_name }), ...(username && { username }) };
}

export function toUser({ id, first_name, last_name, username, language_code }: User): User {
  return {
    id,
    is_bot: false,
    first_name,
    ...(last_name && { last_name }),
    ...(username && { username }),
    ...(language_code && { language_code }),
  };
}

/** The chat's messages as one sees them now: edited in place, deleted ones gone. */
export const messagesOf = (world: World, chatId: number): Message[] =>
  world.messages.values().filter(({ chat }) => chat.id === chatId);

export function sameMarkup(a: InlineKeyboard | undefined, b: InlineKeyboard | undefined): boolean {
  return JSON.stringify(a?.inline_keyboard ?? []) === JSON.stringify(b?.inline_keyboard ?? []);
}

/** Whose turn an update is: updates of one chat reach the bot in order. Null: it belongs to none. */
export function chatOf(update: Update): number | null {
  for (const [key, value] of Object.entries(update)) {
    if (key === 'update_id' || typeof value !== 'object' || value === null) continue;
    const { chat, message, from, user } = value as {
      chat?: Chat;
      message?: { chat?: Chat };
      from?: User;
      user?: User;
    };
    return chat?.id ?? message?.chat?.id ?? from?.id ?? user?.id ?? null;
  }
  return null;
}
