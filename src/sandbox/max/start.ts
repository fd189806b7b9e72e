import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { createFaults, makeStrikeInChat } from '../faults.ts';
import { openJournal } from '../journal.ts';
import { createRates, type RateLimits } from '../rates.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { createMaxApi } from './api.ts';
import { createMaxPeople, type MaxPeople } from './people.ts';
import { createMaxUpdates, type MaxUpdates } from './updates.ts';
import { openUploads, type Uploads } from './uploads.ts';
import { type MaxWorld, type NewBot, type NewChat, openMaxWorld } from './world.ts';

export type MaxStandInOptions = {
  port?: number;
  /** A file; with it bots, chats, messages and uploads survive the end of the process. */
  journal?: string;
  /** MAX has some (2 into a chat, 30 in all); here only the benchmarks ask for them. */
  rates?: RateLimits;
  /** Before a webhook delivery is repeated, at first. */
  redeliveryMs?: number;
  webhookTimeoutMs?: number;
  now?: () => number;
};

export type MaxStandIn = StandIn & {
  readonly world: MaxWorld;
  readonly uploads: Uploads;
  readonly people: MaxPeople;
  readonly updates: MaxUpdates;
};

/** What can be changed from another process: `POST /__max` with any of these. */
type Order = {
  bot?: NewBot;
  chat?: NewChat;
  notReady?: number;
  status?: { chat_id: number; status: string };
};

const MAX_ORDER = 64 * 1024;

/** MAX on loopback, with its upload host. Control over HTTP: `/__max`, `/__arrivals?chat_id=`. */
export async function startMaxStandIn(options: MaxStandInOptions = {}): Promise<MaxStandIn> {
  const { port = 0, redeliveryMs = 250, webhookTimeoutMs = 30_000, now = Date.now } = options;
  const journal = openJournal(options.journal);
  const world = openMaxWorld(journal, now);
  const uploads = openUploads(journal, options.journal);
  const updates = createMaxUpdates({ now, redeliveryMs, answerTimeoutMs: webhookTimeoutMs });
  const people = createMaxPeople(world, updates);
  const rates = options.rates ? createRates(options.rates, now) : null;
  const faults = createFaults();
  const strikeInChat = makeStrikeInChat(faults, refusal);
  const standIn = await startStandIn({
    name: 'max',
    port,
    handle: createMaxApi({ world, uploads, updates, people, rates, strikeInChat }),
    control,
    faults,
    refusal,
  });
  return { ...standIn, world, uploads, people, updates, close };

  async function control(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (url.pathname === '/__arrivals') {
      const given = url.searchParams.get('chat_id');
      const chatId = given === null ? undefined : Number(given);
      sendJson(response, 200, { messages: world.messages(chatId), arrivals: world.arrivals(chatId) });
      return true;
    }
    if (url.pathname !== '/__max' || request.method !== 'POST') return false;
    obey(JSON.parse((await readBody(request, MAX_ORDER)).toString()));
    sendJson(response, 200, { ok: true });
    return true;
  }

  function obey({ bot, chat, notReady, status }: Order): void {
    if (bot) world.addBot(bot);
    if (chat) world.addChat(chat);
    if (notReady !== undefined) uploads.beSlow(notReady);
    if (status) world.setStatus(status.chat_id, status.status);
  }

  async function close(): Promise<void> {
    updates.stop();
    await standIn.close();
    journal.close();
  }
}

const refusal = (status: number) =>
  refusals[status] ?? { code: `http.${status}`, message: `Error ${status}` };

const refusals: Readonly<Record<number, { code: string; message: string }>> = {
  401: { code: 'verify.token', message: 'Invalid access_token' },
  403: { code: 'chat.denied', message: 'Key: error.dialog.suspended, args: [0,].' },
  429: { code: 'too.many.requests', message: 'Too many requests' },
  500: { code: 'internal.error', message: 'Internal error' },
  503: { code: 'service.unavailable', message: 'Service unavailable' },
};
