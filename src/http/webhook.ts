import { timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Update } from 'grammy/types';
import { NotApplied } from '../engine/not-applied.ts';
import type { Log } from '../log.ts';
import { type HttpHandler, readBody, sendJson } from './server.ts';

const MOST_BYTES = 1024 * 1024;
const MOST_MS = 60_000;

/** A call to the Bot API, made by the answer to an update. */
type Reply = { method: string };

/** Telegram's updates. Answered with 200 only when the update is applied; otherwise Telegram brings it again. */
export function webhookHandler(
  secret: string,
  handleUpdate: (update: Update) => Promise<Reply | null>,
  log: Log,
  mostMs = MOST_MS,
): HttpHandler {
  const isSecret = secretCheck(secret);
  return async (request, response, url) => {
    if (url.pathname !== '/webhook') return false;
    if (request.method !== 'POST') return refuse(response, 405, 'POST only');
    if (!isSecret(request.headers['x-telegram-bot-api-secret-token']))
      return refuse(response, 401, 'wrong secret');
    const update = parseUpdate(await readBody(request, MOST_BYTES));
    if (!update) return refuse(response, 400, 'not an update');
    const timer = setTimeout(refuse, mostMs, response, 503, 'not applied in time');
    try {
      const reply = await handleUpdate(update);
      return answer(response, 200, reply ?? { ok: true });
    } catch (error) {
      if (error instanceof NotApplied) return refuse(response, 503, 'try again');
      log.error({ err: error, update: update.update_id }, 'a webhook call failed');
      return refuse(response, 500, 'try again');
    } finally {
      clearTimeout(timer); // left alone, it would keep the update in memory for a minute
    }
  };
}

const refuse = (response: ServerResponse, status: number, error: string): true =>
  answer(response, status, { error });

/** The first answer counts: one that comes after the deadline is not sent. */
function answer(response: ServerResponse, status: number, body: object): true {
  if (!response.headersSent) sendJson(response, status, body);
  return true;
}

/** Telegram is trusted for the rest: what the bot does not know in it, the adapter ignores. */
function parseUpdate(body: Buffer): Update | null {
  try {
    const update: unknown = JSON.parse(body.toString('utf8'));
    const isUpdate =
      typeof update === 'object' &&
      update !== null &&
      'update_id' in update &&
      Number.isInteger(update.update_id);
    return isUpdate ? (update as Update) : null;
  } catch {
    return null;
  }
}

/** Something of the secret's own length is compared whatever was sent: how long that takes tells nothing about it. */
export function secretCheck(expected: string): (given: string | string[] | undefined) => boolean {
  const secret = Buffer.from(expected);
  return (given) => {
    if (typeof given !== 'string') return false;
    const bytes = Buffer.from(given);
    const isAsLong = bytes.length === secret.length;
    return timingSafeEqual(isAsLong ? bytes : secret, secret) && isAsLong;
  };
}
