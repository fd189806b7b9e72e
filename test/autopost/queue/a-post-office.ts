import { randomUUID } from 'node:crypto';
import { onTestFinished, vi } from 'vitest';
import type { DeliveryStatus } from '../../../src/autopost/store/delivery.ts';
import type { NewMessage } from '../../../src/autopost/store/enqueue.ts';
import type { NewChannel } from '../../../src/autopost/store/workspaces.ts';
import { createGuardedFetch } from '../../../src/clients/http/guarded-fetch.ts';
import { composeAutopost } from '../../../src/compose/autopost.ts';
import { createLog, type Log } from '../../../src/log.ts';
import type { OutgoingMedia } from '../../../src/platforms/messenger/messenger.ts';
import { type MaxStandInOptions, startMaxStandIn } from '../../../src/sandbox/max/start.ts';
import { startTelegramStandIn, type TelegramStandInOptions } from '../../../src/sandbox/telegram/start.ts';
import { createPicturesInMemory } from '../../../src/scripts/pictures-in-memory.ts';
import type { Database } from '../../../src/store/database.ts';
import { sealing } from '../store/a-workspace.ts';

export const BOT_TOKEN = '777000777:a-bot-of-the-customer-abcdefgh';
export const MAX_TOKEN = 'a-bot-of-the-customer-in-max';

type Options = {
  telegram?: Partial<TelegramStandInOptions>;
  max?: MaxStandInOptions;
  log?: Log;
};

type Settings = NonNullable<Parameters<typeof composeAutopost>[0]['settings']>;

export type PostOffice = Awaited<ReturnType<typeof aPostOffice>>;

/** A tenant whose channels live at the stand-ins of Telegram and MAX, and as many dispatchers as a test starts. */
export async function aPostOffice(database: Database, options: Options = {}) {
  const telegram = await startTelegramStandIn({ token: '123456:the-products-own-bot', ...options.telegram });
  onTestFinished(telegram.close);
  const max = await startMaxStandIn(options.max);
  onTestFinished(max.close);
  const bot = telegram.channels.addBot({ token: BOT_TOKEN, username: 'okna_plus_bot' });
  const maxBot = max.world.addBot({ token: MAX_TOKEN, name: 'Окна Плюс' });
  const files = createPicturesInMemory();
  const { sql } = database;
  const { stores, adapters } = compose();
  const id = randomUUID();
  await stores.workspaces.save(id, 'Окна Плюс');
  // What a test leaves behind is nothing to the next one on this database.
  onTestFinished(() => stores.workspaces.save(id, 'Окна Плюс', 'disabled'));
  await stores.workspaces.saveCredential(id, 'bot', 'telegram', { token: BOT_TOKEN });
  await stores.workspaces.saveCredential(id, 'bot', 'max', { token: MAX_TOKEN });

  return {
    ...{ id, sql, telegram, max, bot, files, stores, compose, startDispatcher, telegramChannel, maxChat },
    ...{ post, shelve, statuses, settled, actions, textsIn },
  };

  function compose(settings: Settings = {}) {
    return composeAutopost({
      database,
      sealing,
      telegram: { apiRoot: telegram.url },
      max: { baseUrl: max.url },
      files,
      fetch: createGuardedFetch({ allowPrivate: true }),
      settings,
      log: options.log ?? createLog('silent'),
    });
  }

  async function startDispatcher(settings: Settings = {}) {
    const { dispatcher, wake } = compose({ pollMs: 100, ...settings });
    await dispatcher.start();
    onTestFinished(() => dispatcher.stop(0));
    return { ...dispatcher, ring: wake.ring };
  }

  /** Returns the chat's id at Telegram. */
  async function telegramChannel(channelId: string, more: Partial<NewChannel> = {}): Promise<number> {
    const chat = telegram.channels.add({
      title: channelId,
      botStatus: 'left',
      bots: { [bot.id]: { status: 'administrator' } },
    });
    const common = { platform: 'telegram', targetId: String(chat.id), authRef: 'bot', rateRps: 0 } as const;
    await stores.workspaces.saveChannel(id, { channelId, ...common, ...more });
    return chat.id;
  }

  async function maxChat(channelId: string, chatId: number, more: Partial<NewChannel> = {}): Promise<number> {
    max.world.addChat({ id: chatId, title: channelId, bots: { [maxBot.user_id]: {} } });
    const common = { platform: 'max', targetId: String(chatId), authRef: 'bot', rateRps: 0 } as const;
    await stores.workspaces.saveChannel(id, { channelId, ...common, ...more });
    return chatId;
  }

  /** Laid out for every platform, as it is when a post comes in from outside. */
  function post(text: string, more: Partial<NewMessage> & { media?: readonly Medium[] } = {}) {
    const { media = [], ...message } = more;
    const outgoing = { text, parseMode: 'None' as const, media };
    return stores.enqueue(
      { workspaceId: id, endpointId: null, kind: 'push' },
      {
        payload: { text, media },
        renderings: { telegram: rendering('telegram', outgoing), max: rendering('max', outgoing) },
        ...message,
      },
    );
  }

  function rendering(platform: 'telegram' | 'max', post: Parameters<typeof adapters.max.preflight>[0]) {
    const checked = adapters[platform].preflight(post);
    if (!checked.ok) throw checked.refusal;
    const { text, meta } = checked.rendered;
    return { text, meta: JSON.parse(JSON.stringify(meta)) };
  }

  /** A file of ours, as it lies there after a post brought it. */
  async function shelve(name: string, bytes: Uint8Array): Promise<Medium> {
    const path = `autopost/${id}/${name}`;
    await files.save(path, bytes, 'image/png');
    await stores.media.saveOrigin(id, { blobRef: name, originUrl: `shelf:${path}` });
    return { type: 'image', blob_ref: name };
  }

  async function statuses(): Promise<Partial<Record<DeliveryStatus, number>>> {
    return (await stores.monitor.snapshot(id)).byStatus;
  }

  /** Until nothing is on its way any more; what waits for another try counts as under way. */
  async function settled(): Promise<Partial<Record<DeliveryStatus, number>>> {
    await until(async () => {
      const { queued = 0, claimed = 0, sending = 0, retry = 0 } = await statuses();
      return queued + claimed + sending + retry === 0;
    });
    return statuses();
  }

  async function actions(): Promise<string[]> {
    const rows = await sql<{ action: string }[]>`
      select action from events where workspace_id = ${id} order by ts, id`;
    return rows.map(({ action }) => action);
  }

  function textsIn(chatId: number): (string | undefined)[] {
    return telegram.channels.posts(chatId).map(({ text }) => text);
  }
}

type Medium = OutgoingMedia & { type: string; blob_ref?: string };

/** Patient: on a busy machine a second is nothing. */
export const until = (check: () => unknown) => vi.waitUntil(check, { timeout: 25_000, interval: 20 });
