import type { HttpHandler } from '../../http/server.ts';
import { sendJson } from '../../http/server.ts';
import { type CallParams, readParams } from './call-params.ts';
import { answerCallback } from './callbacks.ts';
import { chatToWrite, readChat, readChatMember } from './chats.ts';
import { getFile, sendDocument, sendMediaGroup, sendPhoto } from './media.ts';
import { deleteMany, deleteOne, editCaption, editMarkup, editText, post, textOf } from './messages.ts';
import type { Updates } from './updates.ts';
import type { createWebhookPush } from './webhook.ts';
import { ApiError, type BotCommand, badRequest } from './wire.ts';
import type { World } from './world.ts';

export type ApiCall = {
  at: number;
  method: string;
  fields: Record<string, unknown>;
  files: string[];
  ok: boolean;
  error?: string;
};

type Method = (params: CallParams, gone: AbortSignal) => unknown;

const MAX_CALLS_KEPT = 500;
const MAX_CALLBACK_TEXT = 200;

/** The Bot API itself: `/bot<token>/<method>` and `/file/bot<token>/<path>`. */
export function createBotApi(options: {
  world: World;
  updates: Updates;
  webhook: () => ReturnType<typeof createWebhookPush>;
  token: string;
  callbackLifetimeMs: number;
}) {
  const { world, updates, webhook, token } = options;
  const calls: ApiCall[] = [];
  const methods = new Map(Object.entries(table()).map(([name, run]) => [name.toLowerCase(), { name, run }]));
  return { handle, call, calls: () => [...calls] };

  function table(): Record<string, Method> {
    return {
      getMe: () => ({
        ...world.bot,
        can_join_groups: true,
        can_read_all_group_messages: false,
        supports_inline_queries: false,
      }),
      getUpdates: ({ fields }, gone) => updates.poll(fields, gone),
      setWebhook: ({ fields }) => webhook().set(fields),
      deleteWebhook: ({ fields }) => webhook().remove(fields),
      getWebhookInfo: () => webhook().info(),
      sendMessage: ({ fields }) => {
        chatToWrite(world, fields.chat_id);
        return post(world, fields, textOf(fields));
      },
      sendPhoto: (params) => sendPhoto(world, params),
      sendDocument: (params) => sendDocument(world, params),
      sendMediaGroup: (params) => sendMediaGroup(world, params),
      editMessageText: ({ fields }) => editText(world, fields),
      editMessageCaption: ({ fields }) => editCaption(world, fields),
      editMessageReplyMarkup: ({ fields }) => editMarkup(world, fields),
      deleteMessage: ({ fields }) => deleteOne(world, fields),
      deleteMessages: ({ fields }) => deleteMany(world, fields),
      sendChatAction: ({ fields }) => {
        const { id } = chatToWrite(world, fields.chat_id);
        if (!fields.action) throw badRequest('wrong parameter action in request');
        world.notify({ type: 'action', chat_id: id, action: String(fields.action) });
      },
      answerCallbackQuery: ({ fields }) => {
        if (String(fields.text ?? '').length > MAX_CALLBACK_TEXT) throw badRequest('MESSAGE_TOO_LONG');
        return answerCallback(world, fields, options.callbackLifetimeMs);
      },
      getFile: ({ fields }) => getFile(world, fields),
      getChat: ({ fields }) => readChat(world, fields.chat_id),
      getChatMember: ({ fields }) => readChatMember(world, fields.chat_id, fields.user_id),
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
      if (given !== token) throw new ApiError(401, 'Unauthorized');
      if (file) {
        const stored = world.files.byPath(rest!);
        if (!stored) throw new ApiError(404, 'Not Found');
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(world.files.read(stored));
        return true;
      }
      const result = await call(rest!, await readParams(request, url), gone.signal);
      sendJson(response, 200, { ok: true, result });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      sendJson(response, error.code, refusalBody(error.code, error.message, error.parameters));
    }
    return true;
  }

  async function call(name: string, params: CallParams, gone: AbortSignal): Promise<unknown> {
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
