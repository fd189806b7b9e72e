import type { IncomingMessage, ServerResponse } from 'node:http';
import { DeadlinePassed, withDeadline } from '../clients/http/deadline.ts';
import type { Log } from '../log.ts';
import type { Receive, Received } from '../shop-bot/receive.ts';
import { isDatabaseAway } from '../store/database-away.ts';
import { drain, isPlainJson, MOST_INGRESS_BYTES, readUpTo } from './json-body.ts';
import { type HttpHandler, sendJson } from './server.ts';

/** MAX waits for 30 s. */
const WITHIN_MS = 25_000;

type Answer = { status: number; body: object; retryAfterSec?: number };

/**
 * Updates of MAX, for the bots of all shops. 200 only when the message and its answer are settled: anything else makes
 * MAX bring the update again. Its own client answers first, and loses what it had not handled.
 */
export function maxWebhookHandler(
  receive: Receive,
  { log, withinMs = WITHIN_MS }: { log: Log; withinMs?: number },
): HttpHandler {
  return async (request, response, url) => {
    const endpointId = /^\/api\/max\/([\w.@-]{1,64})$/u.exec(url.pathname)?.[1];
    if (endpointId === undefined) return false;
    const answer = await answerTo(request, endpointId);
    send(request, response, answer);
    return true;
  };

  async function answerTo(request: IncomingMessage, endpointId: string): Promise<Answer> {
    if (request.method !== 'POST') return problem(405, 'method_not_allowed');
    const secret = request.headers['x-max-bot-api-secret'];
    if (typeof secret !== 'string' || !/^[\w-]{5,256}$/u.test(secret)) return problem(401, 'unauthorized');
    if (!isPlainJson(request.headers)) return problem(415, 'unsupported_media_type');
    try {
      const body = await readUpTo(request, MOST_INGRESS_BYTES);
      if (body === 'not-utf8') return problem(400, 'invalid_request');
      if (body === 'too-slow') return problem(408, 'request_timeout');
      return toAnswer(
        await withDeadline(withinMs, undefined, () => receive({ endpointId, secret, ...body })),
      );
    } catch (error) {
      const passes = isDatabaseAway(error) || error instanceof DeadlinePassed;
      log.error({ err: error, endpoint: endpointId }, 'an update of MAX was not taken');
      return problem(passes ? 503 : 500, 'try_again', 5);
    }
  }
}

function toAnswer(received: Received): Answer {
  switch (received.outcome) {
    case 'answered':
    case 'ignored':
      return { status: 200, body: { success: true } };
    case 'duplicate':
      return { status: 200, body: { success: true, dropped: 'duplicate' } };
    case 'unauthorised':
      return problem(401, 'unauthorized');
    case 'too-large':
      return problem(413, 'payload_too_large');
    case 'invalid':
      return problem(400, 'invalid_request');
    case 'rate-limited':
      return problem(429, 'rate_limited', Math.max(1, Math.ceil(received.retryAfterMs / 1_000)));
    default: {
      const never: never = received;
      throw new TypeError(`Expected an outcome of a webhook call, got ${JSON.stringify(never)}`);
    }
  }
}

const problem = (status: number, error: string, retryAfterSec?: number): Answer => ({
  status,
  body: { error },
  ...(retryAfterSec !== undefined && { retryAfterSec }),
});

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, retryAfterSec }: Answer,
): void {
  if (response.destroyed) return; // the sender hung up: MAX brings it again
  if (retryAfterSec !== undefined) response.setHeader('retry-after', String(retryAfterSec));
  if (!request.complete) drain(request);
  sendJson(response, status, body);
}
