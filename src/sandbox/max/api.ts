import type { IncomingMessage } from 'node:http';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import type { StrikeInChat } from '../faults.ts';
import type { createRates } from '../rates.ts';
import { readMessageBody, refuseEmpty } from './message-body.ts';
import type { MaxPeople } from './people.ts';
import type { MaxUpdates } from './updates.ts';
import type { Uploads } from './uploads.ts';
import { ApiError, type Bot, badPayload, type Message } from './wire.ts';
import { type KeptChat, type MaxWorld, userOf } from './world.ts';

type MaxApiOptions = {
  world: MaxWorld;
  uploads: Uploads;
  updates: MaxUpdates;
  people: MaxPeople;
  rates: ReturnType<typeof createRates> | null;
  strikeInChat: StrikeInChat;
};

type Asked = {
  bot: Bot;
  /** What the address names, as a chat or a message. */
  named: string;
  query: URLSearchParams;
  body: unknown;
  origin: string;
  gone: AbortSignal;
};

const MAX_BODY = 1024 * 1024;
const MAX_POLL_SECONDS = 90;
const done = { success: true };

/** MAX's Bot API itself. */
export function createMaxApi(options: MaxApiOptions): HttpHandler {
  const { world, uploads, updates, people, rates, strikeInChat } = options;
  const routes: readonly [pattern: RegExp, answer: (asked: Asked) => unknown][] = [
    [/^GET \/me$/u, ({ bot }) => userOf(bot)],
    [/^GET \/chats\/([^/]+)$/u, ({ bot, named }) => shownChat(world.chat(bot, named))],
    [
      /^GET \/chats\/([^/]+)\/members\/me$/u,
      ({ bot, named }) => ({ ...userOf(bot), ...world.chat(bot, named).bots[bot.user_id] }),
    ],
    [/^POST \/messages$/u, send],
    [/^PUT \/messages$/u, ({ bot, query, body }) => edit(bot, query.get('message_id'), body)],
    [/^DELETE \/messages$/u, ({ bot, query }) => remove(bot, query.get('message_id'))],
    [/^GET \/messages\/([^/]+)$/u, ({ bot, named }) => ownMessage(bot, named)],
    [/^POST \/answers$/u, answer],
    [/^POST \/uploads$/u, ({ query, origin }) => uploads.open(query.get('type'), origin)],
    [/^GET \/subscriptions$/u, ({ bot }) => ({ subscriptions: updates.subscriptions(bot) })],
    [/^POST \/subscriptions$/u, subscribe],
    [
      /^DELETE \/subscriptions$/u,
      ({ bot, query }) => ({ success: updates.unsubscribe(bot, query.get('url') ?? '') }),
    ],
    [/^GET \/updates$/u, poll],
  ];
  return handle;

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    const upload = /^\/upload\/(\w+)$/u.exec(url.pathname)?.[1];
    if (upload && request.method === 'POST') {
      await uploads.receive(upload, request, response);
      return true;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const bot = authorised(request, url);
      const body = await readJson(request);
      const origin = `http://${request.headers.host}`;
      const asked = `${request.method} ${decodeURIComponent(url.pathname)}`;
      const [pattern, run] = routes.find(([route]) => route.test(asked)) ?? [];
      if (!pattern || !run) throw new ApiError(404, 'not.found', `Unknown method: ${asked}`);
      const named = pattern.exec(asked)?.[1] ?? '';
      const query = url.searchParams;
      await strikeInChat(query.get('chat_id'), [request, response, url], async () => {
        sendJson(response, 200, await run({ bot, named, query, body, origin, gone: gone.signal }));
        return true;
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      sendJson(response, error.status, { code: error.code, message: error.message });
    }
    return true;
  }

  function authorised({ headers }: IncomingMessage, url: URL): Bot {
    const bot = url.searchParams.has('access_token') ? undefined : world.botBy(headers.authorization ?? '');
    if (!bot) throw new ApiError(401, 'verify.token', 'Invalid access_token');
    return bot;
  }

  function send({ bot, query, body }: Asked): { message: Message } {
    const chatId = query.get('chat_id');
    const userId = query.get('user_id');
    if ((chatId === null) === (userId === null)) throw badPayload('Expected either chat_id or user_id');
    if (chatId === '0') throw new ApiError(403, 'chat.denied', 'Invalid chatId: 0');
    const to = chatId === null ? world.chatWith(bot, userId) : world.chat(bot, chatId);
    refuseDenied(bot, to);
    const read = readMessageBody(body, to);
    refuseEmpty(read);
    uploads.check(read.attachments ?? []);
    if (rates && rates.take(bot.token, String(to.chat_id)) !== null)
      throw new ApiError(429, 'too.many.requests', 'Too many requests');
    const said = { text: read.text, attachments: read.attachments ?? [] };
    return { message: world.put(userOf(bot), to, said, read.format) };
  }

  function refuseDenied(bot: Bot, to: KeptChat): void {
    const mine = to.bots[bot.user_id];
    const mayWrite = mine?.is_owner || (mine?.is_admin && mine.permissions?.includes('write'));
    if (to.status !== 'active' || (to.type === 'channel' && !mayWrite))
      throw new ApiError(403, 'chat.denied', `Key: error.dialog.suspended, args: [${to.chat_id},].`);
  }

  function edit(bot: Bot, mid: string | null, raw: unknown) {
    const message = ownMessage(bot, mid);
    const { text, attachments } = readMessageBody(raw, world.chat(bot, message.recipient.chat_id));
    const next = { text: text ?? message.body.text, attachments: attachments ?? message.body.attachments };
    uploads.check(attachments ?? []);
    world.change({ ...message, body: { ...message.body, ...next } });
    return done;
  }

  function remove(bot: Bot, mid: string | null) {
    world.remove(ownMessage(bot, mid).body.mid);
    return done;
  }

  function ownMessage(bot: Bot, mid: string | null): Message {
    const message = world.message(mid ?? '');
    if (!message) throw new ApiError(404, 'not.found', `Message ${mid} not found`);
    world.chat(bot, message.recipient.chat_id);
    return message;
  }

  function answer({ bot, query, body }: Asked) {
    const { message, notification } = (body ?? {}) as { message?: unknown; notification?: string };
    if (!message && !notification) throw badPayload('Expected a message or a notification');
    const mid = people.answered(query.get('callback_id') ?? '', notification ?? null);
    if (mid === undefined) throw new ApiError(404, 'not.found', 'Callback not found');
    return message ? edit(bot, mid, message) : done;
  }

  function subscribe({ bot, body }: Asked) {
    updates.subscribe(bot, (body ?? {}) as Record<string, unknown>);
    return done;
  }

  function poll({ bot, query, gone }: Asked) {
    const number = (name: string) => (query.has(name) ? { [name]: Number(query.get(name)) } : {});
    const seconds = Math.min(Number(query.get('timeout') ?? 30), MAX_POLL_SECONDS);
    const types = query.get('types')?.split(',');
    return updates.poll(
      bot,
      { ...number('marker'), ...number('limit'), ...(types && { types }) },
      seconds * 1000,
      gone,
    );
  }
}

const shownChat = ({ bots: _, userId: __, ...chat }: KeptChat) => chat;

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = (await readBody(request, MAX_BODY)).toString();
  if (body === '') return null;
  try {
    return JSON.parse(body);
  } catch {
    throw badPayload('Request body is not JSON');
  }
}
