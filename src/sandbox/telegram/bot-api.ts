import type { HttpHandler } from '../../http/server.ts';
import { sendJson } from '../../http/server.ts';
import type { StrikeInChat } from '../faults.ts';
import { type CallParams, readParams } from './call-params.ts';
import { answerCallback } from './callbacks.ts';
import { chatToWrite, readChat, readChatMember } from './chats.ts';
import type { FloodGate } from './flood-gate.ts';
import { editMedia, getFile, sendMedia, sendMediaGroup } from './media.ts';
import { deleteMany, deleteOne, editCaption, editMarkup, editText, post, textOf } from './messages.ts';
import {
  answerPreCheckout,
  createInvoiceLink,
  editSubscription,
  refundPayment,
  sendInvoice,
} from './payments.ts';
import { sendRichMessage } from './rich-messages.ts';
import type { Updates } from './updates.ts';
import type { createWebhookPush } from './webhook.ts';
import { ApiError, type BotCommand, badRequest } from './wire.ts';
import { type World, worldOf } from './world.ts';

export type ApiCall = {
  at: number;
  method: string;
  fields: Record<string, unknown>;
  files: string[];
  ok: boolean;
  error?: string;
};

type Method = (params: CallParams, gone: AbortSignal) => unknown;
type Methods = ReadonlyMap<string, { name: string; run: Method }>;

const MAX_CALLS_KEPT = 500;
const MAX_CALLBACK_TEXT = 200;

/** The Bot API itself: `/bot<token>/<method>` and `/file/bot<token>/<path>`. */
export function createBotApi(options: {
  world: World;
  updates: Updates;
  webhook: () => ReturnType<typeof createWebhookPush>;
  token: string;
  callbackLifetimeMs: number;
  flood: FloodGate | null;
  strikeInChat: StrikeInChat;
}) {
  const { world, updates, webhook, token } = options;
  const calls: ApiCall[] = [];
  const own = byName({ ...publishing(world), ...talking() });
  return { handle, call, calls: () => [...calls] };

  /** What every bot can do here, strangers' ones too. */
  function publishing(seen: World): Record<string, Method> {
    return {
      getMe: () => ({
        ...seen.bot,
        can_join_groups: true,
        can_read_all_group_messages: false,
        supports_inline_queries: false,
      }),
      sendMessage: ({ fields }) => {
        chatToWrite(seen, fields.chat_id);
        return post(seen, fields, textOf(fields));
      },
      sendPhoto: (params) => sendMedia(seen, params, 'photo'),
      sendVideo: (params) => sendMedia(seen, params, 'video'),
      sendAudio: (params) => sendMedia(seen, params, 'audio'),
      sendDocument: (params) => sendMedia(seen, params, 'document'),
      sendMediaGroup: (params) => sendMediaGroup(seen, params),
      sendRichMessage: (params) => sendRichMessage(seen, params),
      editMessageText: ({ fields }) => editText(seen, fields),
      editMessageCaption: ({ fields }) => editCaption(seen, fields),
      editMessageMedia: (params) => editMedia(seen, params),
      editMessageReplyMarkup: ({ fields }) => editMarkup(seen, fields),
      deleteMessage: ({ fields }) => deleteOne(seen, fields),
      deleteMessages: ({ fields }) => deleteMany(seen, fields),
      getChat: ({ fields }) => readChat(seen, fields.chat_id),
      getChatMember: ({ fields }) => readChatMember(seen, fields.chat_id, fields.user_id),
    };
  }

  /** What takes people to talk to. */
  function talking(): Record<string, Method> {
    return {
      getUpdates: ({ fields }, gone) => updates.poll(fields, gone),
      setWebhook: ({ fields }) => webhook().set(fields),
      deleteWebhook: ({ fields }) => webhook().remove(fields),
      getWebhookInfo: () => webhook().info(),
      sendChatAction: ({ fields }) => {
        const { id } = chatToWrite(world, fields.chat_id);
        if (!fields.action) throw badRequest('wrong parameter action in request');
        world.notify({ type: 'action', chat_id: id, action: String(fields.action) });
      },
      answerCallbackQuery: ({ fields }) => {
        if (String(fields.text ?? '').length > MAX_CALLBACK_TEXT) throw badRequest('MESSAGE_TOO_LONG');
        return answerCallback(world, fields, options.callbackLifetimeMs);
      },
      sendInvoice: ({ fields }) => sendInvoice(world, fields),
      createInvoiceLink: ({ fields }) => createInvoiceLink(world, fields),
      answerPreCheckoutQuery: ({ fields }) => answerPreCheckout(world, updates, fields),
      refundStarPayment: ({ fields }) => refundPayment(world, updates, fields),
      editUserStarSubscription: ({ fields }) => editSubscription(world, updates, fields),
      getFile: ({ fields }) => getFile(world, fields),
      setMyCommands: ({ fields }) => setCommands(fields.commands),
      deleteMyCommands: () => world.setting('commands').remove(),
      getMyCommands: () => world.setting('commands').get() ?? [],
      setChatMenuButton: () => true,
      setMyDescription: () => true,
      setMyShortDescription: () => true,
    };
  }

  function setCommands(given: unknown): void {
    if (!Array.isArray(given) || given.length > 100) throw badRequest("can't parse commands JSON object");
    for (const { command, description } of given as BotCommand[]) {
      if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID');
      if (!description || description.length > 256) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
    }
    world.setting('commands').put(given as BotCommand[]);
    world.notify({ type: 'bot' });
  }

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    const path = /^\/(file\/)?bot([^/]*)\/(.*)$/.exec(safeDecode(url.pathname));
    if (!path) return false;
    const [, file, given, rest] = path;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      if (!/^\d+:[\w-]+$/.test(given!)) throw new ApiError(404, 'Not Found');
      const methods = methodsOf(given!);
      if (file) {
        const stored = world.files.byPath(rest!);
        if (!stored) throw new ApiError(404, 'Not Found');
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(world.files.read(stored));
        return true;
      }
      const params = await readParams(request, url);
      await options.strikeInChat(params.fields.chat_id, [request, response, url], async () => {
        options.flood?.take(given!, params.fields.chat_id, rest!);
        const result = await call(rest!, params, gone.signal, methods);
        sendJson(response, 200, { ok: true, result });
        return true;
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      sendJson(response, error.code, refusalBody(error.code, error.message, error.parameters));
    }
    return true;
  }

  function methodsOf(given: string): Methods {
    if (given === token) return own;
    const stranger = world.foreignBots.values().find((bot) => bot.token === given);
    if (!stranger) throw new ApiError(401, 'Unauthorized');
    return byName(publishing(worldOf(world, stranger)));
  }

  async function call(
    name: string,
    params: CallParams,
    gone: AbortSignal,
    methods: Methods = own,
  ): Promise<unknown> {
    const method = methods.get(name.toLowerCase());
    const entry: ApiCall = {
      at: Date.now(),
      method: method?.name ?? name,
      fields: params.fields,
      files: [...params.files.values()].map((file) => file.name),
      ok: true,
    };
    calls.push(entry);
    if (calls.length > MAX_CALLS_KEPT) calls.shift();
    try {
      if (!method) throw new ApiError(404, 'Not Found');
      return (await method.run(params, gone)) ?? true; // what has nothing to tell answers True
    } catch (error) {
      Object.assign(entry, { ok: false, error: String((error as Error).message) });
      throw error;
    }
  }
}

/** Names of methods are read in any case. */
const byName = (table: Record<string, Method>): Methods =>
  new Map(Object.entries(table).map(([name, run]) => [name.toLowerCase(), { name, run }]));

export function refusalBody(code: number, description: string, parameters?: { retry_after?: number }) {
  return { ok: false, error_code: code, description, ...(parameters && { parameters }) };
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
