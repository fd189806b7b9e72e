import { setTimeout as sleep } from 'node:timers/promises';
import { makeEnqueue } from '../../src/autopost/store/enqueue.ts';
import { makeWorkspaces } from '../../src/autopost/store/workspaces.ts';
import type { Fault } from '../../src/sandbox/faults.ts';
import { startMaxStandIn } from '../../src/sandbox/max/start.ts';
import { startTelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { openDatabase } from '../../src/store/database.ts';
import { applySchema } from '../../src/store/schema.ts';
import { createSealing } from '../../src/store/sealing.ts';
import { SEALING_KEY, startDispatcherProcess } from './dispatcher-process.ts';
import type { Random } from './seeded.ts';

const BOT_TOKEN = '777000777:a-bot-of-the-customer-abcdefgh';
const MAX_TOKEN = 'a-bot-of-the-customer-in-max';
const WORKSPACES = ['w1', 'w2'];

/** As a post is measured: one text, how often it arrived in which chat, and when. */
export type Arrived = { chat: string; text: string; at: number };
export type Ground = Awaited<ReturnType<typeof prepareGround>>;
export type ChannelPlan = { channelId: string; chat: string; rateRps: number };

/** Two tenants with channels at both messengers, some of them with rates, and stand-ins that note every arrival. */
export async function prepareGround({ url, channels }: { url: string; channels: number }) {
  const database = await openDatabase({ url, dataDir: '' });
  const { sql } = database;
  await applySchema(sql);
  const telegram = await startTelegramStandIn({ token: '123456:the-products-own-bot' });
  const max = await startMaxStandIn();
  const bot = telegram.channels.addBot({ token: BOT_TOKEN, username: 'okna_plus_bot' });
  const maxBot = max.world.addBot({ token: MAX_TOKEN, name: 'Окна Плюс' });
  const workspaces = makeWorkspaces(sql, createSealing([SEALING_KEY]));
  const enqueue = makeEnqueue(sql);
  const plans: ChannelPlan[] = [];
  for (const workspaceId of WORKSPACES) {
    await workspaces.save(workspaceId, workspaceId);
    await workspaces.saveCredential(workspaceId, 'bot', 'telegram', { token: BOT_TOKEN });
    await workspaces.saveCredential(workspaceId, 'bot', 'max', { token: MAX_TOKEN });
    for (let i = 0; i < channels; i++) await addChannel(workspaceId, i);
  }
  return {
    sql,
    plans,
    post,
    arrivals,
    startProcess,
    settings,
    addFaults,
    slowDown,
    strike,
    calm,
    forbid,
    close,
  };

  async function addChannel(workspaceId: string, i: number): Promise<void> {
    const channelId = `${workspaceId}-c${i}`;
    const isMax = i % 4 === 3;
    const rateRps = i % 4 === 1 ? 4 : 0;
    const chat = isMax ? addMaxChat() : addTelegramChat(channelId);
    const platform = isMax ? 'max' : 'telegram';
    await workspaces.saveChannel(workspaceId, {
      ...{ channelId, platform, targetId: chat, authRef: 'bot', rateRps },
    });
    plans.push({ channelId, chat, rateRps });
  }

  function addTelegramChat(title: string): string {
    const bots = { [bot.id]: { status: 'administrator' } as const };
    return String(telegram.channels.add({ title, botStatus: 'left', bots }).id);
  }

  function addMaxChat(): string {
    const id = 900_000 + plans.length;
    max.world.addChat({ id, bots: { [maxBot.user_id]: {} } });
    return String(id);
  }

  async function post(text: string): Promise<void> {
    for (const workspaceId of WORKSPACES)
      await enqueue({ workspaceId, endpointId: null, kind: 'push' }, { payload: { text } });
  }

  function arrivals(): Arrived[] {
    return plans.flatMap(({ chat }) => (chat.startsWith('-') ? inTelegram(chat) : inMax(chat)));
  }

  function inTelegram(chat: string): Arrived[] {
    const at = new Map(telegram.channels.arrivals(Number(chat)).map((one) => [one.message_id, one.at]));
    return telegram.channels
      .posts(Number(chat))
      .map(({ text = '', message_id }) => ({ chat, text, at: at.get(message_id)! }));
  }

  function inMax(chat: string): Arrived[] {
    const at = new Map(max.world.arrivals(Number(chat)).map((one) => [one.mid, one.at]));
    return max.world
      .messages(Number(chat))
      .map(({ body }) => ({ chat, text: body.text ?? '', at: at.get(body.mid)! }));
  }

  /** A lost answer, a breakdown, an unreadable answer, or a slow one. */
  function addFaults(random: Random): void {
    const kinds = [
      { kind: 'reset-after' },
      { kind: 'reset' },
      { kind: 'status', status: 503 },
      { kind: 'malformed' },
      { kind: 'slow', ms: 300 },
    ] as const;
    telegram.faults.add({ match: 'sendMessage', fault: random.of(kinds) });
    max.faults.add({ match: 'POST /messages', fault: random.of(kinds) });
  }

  function slowDown(ms: number): void {
    telegram.faults.add({ match: 'sendMessage', times: null, fault: { kind: 'slow', ms } });
    max.faults.add({ match: 'POST /messages', times: null, fault: { kind: 'slow', ms } });
  }

  function startProcess() {
    return startDispatcherProcess(settings());
  }

  /** Of every process that sends. */
  function settings() {
    return {
      DATABASE_URL: url,
      TELEGRAM_API_ROOT: telegram.url,
      MAX_BASE_URL: max.url,
      AUTOPOST_CLAIMED_LEASE_SECONDS: '1.5',
      AUTOPOST_SENDING_LEASE_SECONDS: '3',
    };
  }

  /** Everything that is asked of both messengers ends like this for a while. */
  async function strike(fault: Fault, ms: number): Promise<void> {
    for (const { faults } of [telegram, max]) faults.add({ match: '.', times: null, fault });
    await sleep(ms);
    calm();
  }

  /** Faults that met no call are forgotten: each of them would open a breaker anew, for up to a minute. */
  function calm(): void {
    for (const { faults } of [telegram, max]) faults.clear();
  }

  /** The bot is thrown out of a channel of Telegram. */
  function forbid(chat: string): void {
    telegram.channels.stand(Number(chat), bot.id, { status: 'kicked' });
  }

  async function close(): Promise<void> {
    await telegram.close();
    await max.close();
    await database.close();
  }
}
