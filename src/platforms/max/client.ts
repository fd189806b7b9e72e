import { z } from 'zod';
import { parseJson, readAs } from '../../clients/http/api-answer.ts';
import { AnswerUnreadable, ApiRefused, mayPass, refusedWithoutForm } from '../../clients/http/api-refused.ts';
import { callOnce, type OnceCall } from '../../clients/http/call-once.ts';
import { doubling, MOST_WAIT_MS, repeat } from '../../clients/http/repeat.ts';
import type { Json } from '../../engine/json.ts';
import { type MaxUploadOptions, makeUpload } from './upload.ts';

type MaxOptions = MaxUploadOptions & {
  baseUrl: string;
  timeoutMs?: number;
  /** Of a read, beyond the first try. */
  retries?: number;
  waitMs?: (repeat: number) => number;
};

export type MaxRecipient = { chatId: string } | { userId: string };

export type MaxAttachment = { type: string; payload: Json };

/** `attachments`: in an edit, null keeps them and none removes them. */
type MaxMessageBody = {
  text: string | null;
  format?: 'html' | 'markdown';
  attachments?: readonly MaxAttachment[] | null;
};

type Request = {
  method?: OnceCall['method'];
  query?: Record<string, string>;
  json?: unknown;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
};

export type MaxSent = { mid: string; url: string | null; raw: Json };
export type Max = ReturnType<typeof createMax>;

/** MAX for bots of other people. Reads are repeated; what creates or changes something is asked once. */
export function createMax(options: MaxOptions) {
  const { baseUrl, timeoutMs = 15_000, retries = 2, waitMs = doubling } = options;
  return {
    me: (token: string, signal?: AbortSignal) => read(token, '/me', bot, signal),
    /** One try: for those who want to know whether MAX answers now. */
    ping: async (token: string, signal?: AbortSignal): Promise<void> => {
      await call(token, '/me', { signal });
    },
    chat: (token: string, chatId: string, signal?: AbortSignal) =>
      read(token, `/chats/${encodeURIComponent(chatId)}`, chat, signal),
    membership: (token: string, chatId: string, signal?: AbortSignal) =>
      read(token, `/chats/${encodeURIComponent(chatId)}/members/me`, membership, signal),
    added,
    send,
    edit: (token: string, mid: string, body: MaxMessageBody, signal?: AbortSignal) =>
      change(token, '/messages', { method: 'PUT', query: { message_id: mid }, json: body, signal }),
    remove: (token: string, mid: string, signal?: AbortSignal) =>
      change(token, '/messages', { method: 'DELETE', query: { message_id: mid }, signal }),
    /** Rewrites the message of a pressed button in place, or shows a notice. */
    answer: (
      token: string,
      callbackId: string,
      json: { message?: MaxMessageBody; notification?: string },
      signal?: AbortSignal,
    ) => change(token, '/answers', { method: 'POST', query: { callback_id: callbackId }, json, signal }),
    subscriptions: async (token: string, signal?: AbortSignal) =>
      (await read(token, '/subscriptions', subscriptions, signal)).subscriptions,
    subscribe: (
      token: string,
      json: { url: string; secret?: string; update_types?: readonly string[] },
      signal?: AbortSignal,
    ) => change(token, '/subscriptions', { method: 'POST', json, signal }),
    unsubscribe: (token: string, url: string, signal?: AbortSignal) =>
      change(token, '/subscriptions', { method: 'DELETE', query: { url }, signal }),
    upload: makeUpload(
      (token, type, signal) => call(token, '/uploads', { method: 'POST', query: { type }, signal }),
      options,
    ),
  };

  function read<Result>(token: string, path: string, shape: z.ZodType<Result>, signal?: AbortSignal) {
    const attempt = async () => readAs(`MAX ${path}`, await call(token, path, { signal }), shape);
    return repeat(attempt, { retries, waitMs, mostWaitMs: MOST_WAIT_MS, signal, mayPass });
  }

  /** Chats that the bot was added to, since `marker` or within the last day; waits so long for news. */
  async function added(
    token: string,
    { marker, seconds }: { marker: number | null; seconds: number },
    signal?: AbortSignal,
  ): Promise<{ chatIds: string[]; marker: number | null }> {
    const query = {
      timeout: String(seconds),
      types: 'bot_added',
      ...(marker !== null && { marker: String(marker) }),
    };
    const request = { query, timeoutMs: timeoutMs + seconds * 1_000, signal };
    const news = readAs('MAX /updates', await call(token, '/updates', request), addedNews);
    return { chatIds: news.updates.map(({ chat_id }) => String(chat_id)), marker: news.marker ?? null };
  }

  async function send(
    token: string,
    to: MaxRecipient,
    json: MaxMessageBody,
    { disablePreview = false, signal }: { disablePreview?: boolean; signal?: AbortSignal | undefined } = {},
  ): Promise<MaxSent> {
    const raw = await call(token, '/messages', {
      method: 'POST',
      query: {
        ...('chatId' in to ? { chat_id: to.chatId } : { user_id: to.userId }),
        ...(disablePreview && { disable_link_preview: 'true' }),
      },
      json,
      signal,
    });
    const { body, url } = readAs('MAX POST /messages', raw, created).message;
    return { mid: body.mid, url: url ?? null, raw };
  }

  /** Says yes or no with HTTP 200 either way. */
  async function change(token: string, path: string, request: Request): Promise<void> {
    const answer = await call(token, path, request);
    const { success, message } = readAs(`MAX ${path}`, answer, simple);
    if (!success)
      throw new ApiRefused(`MAX ${path}`, { status: 200, description: message ?? 'no', body: answer });
  }

  async function call(token: string, path: string, request: Request): Promise<Json> {
    const { method = 'GET', query, json, signal } = request;
    const what = `MAX ${method} ${path}`;
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const answer = await callOnce(what, `${baseUrl}${path}${search}`, {
      method,
      headers: {
        authorization: token, // bare: `Bearer` is refused
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      timeoutMs: request.timeoutMs ?? timeoutMs,
      signal,
    });
    const { status, text, retryAfterMs } = answer;
    const body = parseJson(text);
    if (status >= 200 && status < 300) {
      if (body === null) throw new AnswerUnreadable(what, text);
      return body;
    }
    const said = refusal.safeParse(body);
    if (!said.success) throw refusedWithoutForm(what, answer, body);
    const { code: word, message: description } = said.data;
    throw new ApiRefused(what, { status, word, description, retryAfterMs, body });
  }
}

const bot = z.object({
  user_id: z.number(),
  first_name: z.string().nullish(),
  name: z.string().nullish(),
  username: z.string().nullish(),
});

const chat = z.object({
  chat_id: z.number(),
  type: z.string(),
  status: z.string(),
  title: z.string().nullish(),
  link: z.string().nullish(),
});

const addedNews = z.object({
  updates: z.array(z.object({ chat_id: z.number() })),
  marker: z.number().nullish(),
});

const membership = z.object({
  is_owner: z.boolean().default(false),
  is_admin: z.boolean().default(false),
  permissions: z.array(z.string()).nullish(),
});

/** No `seq`: it is above what a number can hold. */
const created = z.object({
  message: z.object({ body: z.object({ mid: z.string() }), url: z.string().nullish() }),
});

const subscriptions = z.object({ subscriptions: z.array(z.object({ url: z.string() })) });

const simple = z.object({ success: z.boolean(), message: z.string().nullish() });
const refusal = z.object({ code: z.string(), message: z.string() });
