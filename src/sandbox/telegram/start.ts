import { createFaults, makeStrikeInChat } from '../faults.ts';
import { openJournal } from '../journal.ts';
import type { RateLimits } from '../rates.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { type ApiCall, createBotApi, refusalBody } from './bot-api.ts';
import type { SentFile } from './call-params.ts';
import { type Channels, createChannels } from './channels.ts';
import { createFloodGate } from './flood-gate.ts';
import { createPeople, type People } from './people.ts';
import { peopleHttp } from './people-http.ts';
import { createUpdates } from './updates.ts';
import { createWebhookPush } from './webhook.ts';
import type { BotCommand, Update, User } from './wire.ts';
import { type Change, chatOf, openWorld } from './world.ts';

export type TelegramStandInOptions = {
  token: string;
  port?: number;
  /** A file; with it everything survives the end of the process. Without: memory only. */
  journal?: string;
  botUsername?: string;
  botName?: string;
  /** How long a press can be answered. */
  callbackLifetimeMs?: number;
  /** The pause before a webhook delivery is repeated, at first. */
  redeliveryMs?: number;
  webhookTimeoutMs?: number;
  /** Telegram has some; here only the benchmarks ask for them. */
  rates?: RateLimits;
  /** Milliseconds; for tests of age limits. */
  now?: () => number;
};

type BotStatus = {
  bot: User;
  connected: boolean;
  commands: BotCommand[];
  pending: Record<string, number>;
};

export type TelegramStandIn = StandIn & {
  readonly token: string;
  readonly bot: User;
  readonly people: People;
  readonly channels: Channels;
  /** The newest 500 calls of the Bot API, oldest first. */
  calls(): ApiCall[];
  pendingUpdates(): Update[];
  status(): BotStatus;
  /** Bytes of a file that was sent in any chat. */
  file(fileId: string): SentFile | null;
  subscribe(listener: (change: Change) => void): () => void;
};

/** Telegram's Bot API on loopback, and the people who talk to the bot. Control over HTTP: `<url>/__people/…`. */
export async function startTelegramStandIn(options: TelegramStandInOptions): Promise<TelegramStandIn> {
  const { token } = options;
  const username = options.botUsername ?? 'seo_master_sandbox_bot';
  const bot: User = {
    id: Number.parseInt(token, 10),
    is_bot: true,
    first_name: options.botName ?? 'SEO Master',
    username,
  };
  const journal = openJournal(options.journal);
  const world = openWorld({ journal, journalFile: options.journal, bot, now: options.now ?? Date.now });
  const updates = createUpdates(world);
  const people = createPeople(world, updates);
  const channels = createChannels(world);
  const callbackLifetimeMs = options.callbackLifetimeMs ?? 15_000;
  const flood = options.rates ? createFloodGate(options.rates, world.now) : null;
  const faults = createFaults();
  const api = createBotApi({
    world,
    updates,
    webhook: () => webhook,
    token,
    callbackLifetimeMs,
    flood,
    strikeInChat: makeStrikeInChat(faults, refusal),
  });
  const webhook = createWebhookPush(
    world,
    updates,
    (method, fields) => api.call(method, { fields, files: new Map() }, new AbortController().signal),
    { redeliveryMs: options.redeliveryMs ?? 250, answerTimeoutMs: options.webhookTimeoutMs ?? 60_000 },
  );

  const inside = {
    token,
    bot,
    people,
    channels,
    calls: api.calls,
    pendingUpdates: () => world.updates.values(),
    status,
    file,
    subscribe: world.subscribe,
  };
  const standIn = await startStandIn({
    name: 'telegram',
    handle: api.handle,
    ...(options.port !== undefined && { port: options.port }),
    control: peopleHttp(inside, '/__people'),
    faults,
    refusal,
  });
  webhook.pump(); // what an earlier process left undelivered
  return { ...standIn, ...inside, close };

  function status(): BotStatus {
    const pending: Record<string, number> = {};
    for (const update of world.updates.values()) {
      const chat = String(chatOf(update));
      pending[chat] = (pending[chat] ?? 0) + 1;
    }
    const hasWebhook = world.setting('webhook').get() !== undefined;
    const connected = hasWebhook ? !webhook.isFailing() : updates.isPolled();
    return { bot, connected, commands: world.setting('commands').get() ?? [], pending };
  }

  function file(fileId: string): SentFile | null {
    const stored = world.files.find(fileId);
    return stored ? { name: stored.name, mime: stored.mime, bytes: world.files.read(stored) } : null;
  }

  async function close(): Promise<void> {
    webhook.stop();
    await standIn.close();
    journal.close();
  }
}

function refusal(code: number, retryAfter: number | undefined) {
  const parameters = retryAfter === undefined ? undefined : { retry_after: retryAfter };
  return refusalBody(code, describe(code, retryAfter), parameters);
}

function describe(code: number, retryAfter: number | undefined): string {
  switch (code) {
    case 429:
      return `Too Many Requests: retry after ${retryAfter ?? 1}`;
    case 403:
      return 'Forbidden: bot was blocked by the user';
    case 502:
      return 'Bad Gateway';
    case 500:
      return 'Internal Server Error';
    default:
      return `Error ${code}`;
  }
}
