import { FormData } from 'undici';
import { z } from 'zod';
import { parseJson, readAs } from '../../clients/http/api-answer.ts';
import { AnswerUnreadable, ApiRefused, mayPass, refusedWithoutForm } from '../../clients/http/api-refused.ts';
import { callOnce } from '../../clients/http/call-once.ts';
import { doubling, MOST_WAIT_MS, repeat } from '../../clients/http/repeat.ts';
import type { Json } from '../../engine/json.ts';

type TelegramChannelOptions = {
  apiRoot: string;
  timeoutMs?: number;
  uploadTimeoutMs?: number;
  /** Of a read, beyond the first try. */
  retries?: number;
  waitMs?: (repeat: number) => number;
};

export type Upload = { bytes: Uint8Array; fileName: string; contentType: string };

export type SendMethod =
  | 'sendMessage'
  | 'sendPhoto'
  | 'sendVideo'
  | 'sendAudio'
  | 'sendDocument'
  | 'sendMediaGroup';

export type TelegramRequest = {
  method: SendMethod;
  fields: Record<string, unknown>;
  /** By the name of the part. */
  files: ReadonlyMap<string, Upload>;
};

export type SentMessage = z.infer<typeof sentMessage>;
export type TelegramChannels = ReturnType<typeof createTelegramChannels>;

/**
 * Channels that belong to people, each with a bot of its owner. By hand, not by grammY: a create must be made once
 * and must tell whether its request has left. Reads are repeated, nothing else is.
 */
export function createTelegramChannels({
  apiRoot,
  timeoutMs = 15_000,
  uploadTimeoutMs = 30_000,
  retries = 2,
  waitMs = doubling,
}: TelegramChannelOptions) {
  return {
    me: (token: string, signal?: AbortSignal) => read(token, 'getMe', {}, bot, signal),
    chat: (token: string, chatId: string, signal?: AbortSignal) =>
      read(token, 'getChat', { chat_id: chatId }, chat, signal),
    member: (token: string, chatId: string, userId: number, signal?: AbortSignal) =>
      read(token, 'getChatMember', { chat_id: chatId, user_id: userId }, member, signal),
    create,
    remove,
    ping,
  };

  function read<Result>(
    token: string,
    method: string,
    fields: Record<string, unknown>,
    shape: z.ZodType<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const attempt = async () => readAs(nameOf(method), await call(token, method, { fields, signal }), shape);
    return repeat(attempt, { retries, waitMs, mostWaitMs: MOST_WAIT_MS, signal, mayPass });
  }

  /** What was sent, in the order of the channel: one message, or those of an album. */
  async function create(
    token: string,
    { method, fields, files }: TelegramRequest,
    signal?: AbortSignal,
  ): Promise<SentMessage[]> {
    const result = await call(token, method, { fields, files, signal });
    return readAs(nameOf(method), Array.isArray(result) ? result : [result], sentMessages);
  }

  /** One try: for those who want to know whether Telegram answers now. */
  async function ping(token: string, signal?: AbortSignal): Promise<void> {
    await call(token, 'getMe', { fields: {}, signal });
  }

  async function remove(
    token: string,
    chatId: string,
    messageId: string,
    signal?: AbortSignal,
  ): Promise<void> {
    await call(token, 'deleteMessage', {
      fields: { chat_id: chatId, message_id: Number(messageId) },
      signal,
    });
  }

  async function call(
    token: string,
    method: string,
    {
      fields,
      files = new Map(),
      signal,
    }: {
      fields: Record<string, unknown>;
      files?: ReadonlyMap<string, Upload>;
      signal: AbortSignal | undefined;
    },
  ): Promise<Json> {
    const what = nameOf(method);
    const isUpload = files.size > 0;
    const heard = await callOnce(what, `${apiRoot}/bot${token}/${method}`, {
      method: 'POST',
      ...(isUpload
        ? { body: toForm(fields, files) }
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) }),
      timeoutMs: isUpload ? uploadTimeoutMs : timeoutMs,
      signal,
    });
    const { status, text } = heard;
    const body = parseJson(text);
    const answer = envelope.safeParse(body);
    if (answer.success && answer.data.ok) return answer.data.result as Json;
    if (answer.success && !answer.data.ok) throw refused(what, answer.data);
    if (status >= 200 && status < 300) throw new AnswerUnreadable(what, text);
    throw refusedWithoutForm(what, heard, body);
  }
}

const nameOf = (method: string): string => `Telegram ${method}`;

const bot = z.object({ id: z.number(), first_name: z.string(), username: z.string().optional() });

const chat = z.object({
  id: z.number(),
  type: z.string(),
  title: z.string().optional(),
  username: z.string().optional(),
});

const member = z.object({ status: z.string(), can_post_messages: z.boolean().optional() });

const file = z.object({ file_id: z.string() });

const sentMessage = z.object({
  message_id: z.number(),
  chat: z.object({ id: z.number(), username: z.string().optional() }),
  media_group_id: z.string().optional(),
  photo: z.array(file).optional(),
  video: file.optional(),
  audio: file.optional(),
  document: file.optional(),
});

const sentMessages = z.array(sentMessage).min(1);

const refusal = z.object({
  ok: z.literal(false),
  error_code: z.number(),
  description: z.string().default(''),
  parameters: z
    .object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() })
    .optional(),
});

const envelope = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: z.unknown() }),
  refusal,
]);

function refused(what: string, answer: z.infer<typeof refusal>): ApiRefused {
  const { error_code: status, description, parameters = {} } = answer;
  const { retry_after: seconds, migrate_to_chat_id: movedTo } = parameters;
  return new ApiRefused(what, {
    status,
    description,
    retryAfterMs: seconds === undefined ? null : seconds * 1_000,
    movedTo: movedTo === undefined ? null : String(movedTo),
    body: answer as unknown as Json,
  });
}

function toForm(fields: Record<string, unknown>, files: ReadonlyMap<string, Upload>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  for (const [name, { bytes, fileName, contentType }] of files)
    form.set(name, new Blob([new Uint8Array(bytes)], { type: contentType }), fileName);
  return form;
}
