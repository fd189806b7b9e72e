import type { IncomingMessage } from 'node:http';
import { Receiver, SignatureError } from '@upstash/qstash';
import { OperationLost } from '../errors.ts';
import type { Log } from '../log.ts';
import { waitingSinceHeader } from '../services/schedules/triggers.ts';
import { isDatabaseAway } from '../store/database-away.ts';
import { drain, readUpTo } from './json-body.ts';
import { type HttpHandler, sendJson } from './server.ts';

const MOST_BYTES = 64 * 1024;

export type IsSigned = (call: { signature: string; body: string; path: string }) => Promise<boolean>;

/** Either key will do, so that keys can be changed while calls are on their way. */
export function makeIsSigned({
  publicUrl,
  currentKey,
  nextKey,
}: {
  /** Behind a proxy the request's own address differs from the signed one. */
  publicUrl: string;
  currentKey: string;
  nextKey: string;
}): IsSigned {
  const receiver = new Receiver({ currentSigningKey: currentKey, nextSigningKey: nextKey, devMode: false });
  return async ({ signature, body, path }) => {
    try {
      return await receiver.verify({ signature, body, url: publicUrl + path, clockTolerance: 5 });
    } catch (error) {
      if (error instanceof SignatureError) return false;
      throw error;
    }
  };
}

export type SignedCall = {
  body: unknown;
  /** The same for every try of one delivery. */
  messageId: string;
  /** 0 for the first try. */
  retried: number;
  /** Unix ms since when it waits in our own queue for room; QStash does not say. */
  waitingSince?: number;
};

export type SignedAnswer = {
  status: 200 | 489 | 500 | 503;
  body: object;
  retryAfterSec?: number;
};

/** Must not be brought again: the caller gives the delivery up at once. */
export const neverAgain = (reason: string): SignedAnswer => ({
  status: 489,
  body: { status: 'error', reason },
});
export const laterAgain = (retryAfterSec: number, reason: string): SignedAnswer => ({
  status: 503,
  body: { status: 'error', reason },
  retryAfterSec,
});

/** An endpoint that only the scheduler may call: its signature covers the address and the raw body. */
export function signedCallHandler(
  path: string,
  isSigned: IsSigned,
  handle: (call: SignedCall) => Promise<SignedAnswer>,
  log: Log,
): HttpHandler {
  return async (request, response, url) => {
    if (url.pathname !== path) return false;
    const answer = await answerTo(request);
    if (response.destroyed) return true;
    if (!request.complete) drain(request);
    if (answer.retryAfterSec !== undefined) response.setHeader('retry-after', String(answer.retryAfterSec));
    if (answer.status === 489) response.setHeader('upstash-nonretryable-error', 'true');
    sendJson(response, answer.status, answer.body);
    return true;
  };

  async function answerTo(
    request: IncomingMessage,
  ): Promise<Omit<SignedAnswer, 'status'> & { status: number }> {
    if (request.method !== 'POST') return { status: 405, body: { error: 'POST only' } };
    const signature = request.headers['upstash-signature'];
    if (typeof signature !== 'string') return unauthorised;
    const read = await readUpTo(request, MOST_BYTES);
    if (read === 'too-slow') return { status: 408, body: { error: 'too slow' } };
    if (read === 'not-utf8') return unauthorised;
    if (read.json === null) return { status: 413, body: { error: 'body too large' } };
    try {
      if (!(await isSigned({ signature, body: read.json, path }))) return unauthorised;
      const body = parsed(read.json);
      if (body === undefined) return unauthorised;
      const waitingSince = Number(request.headers[waitingSinceHeader] ?? 0);
      return await handle({
        body,
        messageId: String(request.headers['upstash-message-id'] ?? ''),
        retried: Number(request.headers['upstash-retried'] ?? 0) || 0,
        ...(waitingSince > 0 && { waitingSince }),
      });
    } catch (error) {
      // No fault of the work: its store is away, or another process goes on with it, whose end the next call learns.
      if (isDatabaseAway(error) || error instanceof OperationLost) {
        log.warn({ err: error, path }, 'a scheduled call has to come again');
        return laterAgain(60, 'try again');
      }
      log.error({ err: error, path }, 'a scheduled call failed');
      return { status: 500, body: { error: 'try again' } };
    }
  }
}

const unauthorised = { status: 401, body: { error: 'unauthorized' } };

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
