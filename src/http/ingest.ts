import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ingested, IngestPost } from '../autopost/ingest/ingest-post.ts';
import type { KnowsSecret } from '../autopost/store/known-secrets.ts';
import { DeadlinePassed, withDeadline } from '../clients/http/deadline.ts';
import type { Log } from '../log.ts';
import { isDatabaseAway } from '../store/database-away.ts';
import { drain, isPlainJson, MOST_INGRESS_BYTES, readUpTo } from './json-body.ts';
import { type HttpHandler, sendJson } from './server.ts';

const RETRY_SECONDS = 5;

type Answer = { status: number; body: object; retryAfterSec?: number };

/** Posts from other people's systems. `error` is for their program, `message` for the reader of its log. */
export function ingestHandler(
  ingest: IngestPost,
  {
    knows,
    log,
    withinMs = 90_000,
    bodyWithinMs,
  }: { knows: KnowsSecret; log: Log; withinMs?: number; bodyWithinMs?: number },
): HttpHandler {
  return async (request, response, url) => {
    if (url.pathname !== '/api/ingest') return false;
    try {
      send(request, response, await answerTo(request));
    } catch (error) {
      if (error !== request.errored) throw error;
      log.info({ err: error }, 'a sender hung up in mid-sentence');
    }
    return true;
  };

  async function answerTo(request: IncomingMessage): Promise<Answer> {
    if (request.method !== 'POST') return answers.method;
    const secret = /^Bearer +(\S{1,512})$/iu.exec(request.headers.authorization ?? '')?.[1];
    if (secret === undefined) return answers.unauthorised;
    if (!isPlainJson(request.headers)) return answers.media;
    try {
      // Before a byte of the body is read: a stranger may send a mebibyte, or one byte a minute.
      if (!(await knows(secret))) return answers.unauthorised;
      const body = await readUpTo(request, MOST_INGRESS_BYTES, bodyWithinMs);
      if (body === 'not-utf8') return answers.encoding;
      if (body === 'too-slow') return answers.tooSlow;
      return toAnswer(await withDeadline(withinMs, undefined, () => ingest({ secret, ...body })));
    } catch (error) {
      if (!isDatabaseAway(error) && !(error instanceof DeadlinePassed)) throw error;
      log.error({ err: error }, 'a pushed post was not taken');
      return answers.away;
    }
  }
}

const problem = (status: number, error: string, message: string, more: object = {}): Answer => ({
  status,
  body: { error, message, ...more },
});

const answers = {
  method: problem(405, 'method_not_allowed', 'Этот адрес принимает только POST.'),
  unauthorised: problem(
    401,
    'unauthorized',
    'Ключ не подходит. Нужен заголовок Authorization: Bearer <ключ>.',
  ),
  media: problem(415, 'unsupported_media_type', 'Нужен JSON без сжатия: Content-Type: application/json.'),
  encoding: problem(400, 'invalid_request', 'Текст не в кодировке UTF-8.'),
  tooSlow: problem(408, 'request_timeout', 'Запрос передавался слишком долго. Повторите его.'),
  tooLarge: problem(413, 'payload_too_large', 'Запрос больше, чем разрешено этому ключу.'),
  away: {
    ...problem(503, 'unavailable', 'Пост не принят. Повторите запрос чуть позже.'),
    retryAfterSec: RETRY_SECONDS,
  },
};

function toAnswer(ingested: Ingested & { traceId: string }): Answer {
  const trace_id = ingested.traceId;
  switch (ingested.outcome) {
    case 'accepted': {
      const { messageId: message_id, queued, suppressed, rejected, rejections } = ingested;
      const more = rejections.length > 0 ? { rejections } : {};
      return { status: 202, body: { message_id, queued, suppressed, rejected, ...more, trace_id } };
    }
    // Not an error: a repeat was already accepted.
    case 'duplicate':
      return { status: 200, body: { dropped: 'duplicate', trace_id } };
    case 'unauthorised':
      return answers.unauthorised;
    case 'too-large':
      return answers.tooLarge;
    case 'rate-limited': {
      const retryAfterSec = Math.max(1, Math.ceil(ingested.retryAfterMs / 1_000));
      const more = { retry_after_sec: retryAfterSec, trace_id };
      return { ...problem(429, 'rate_limited', 'Слишком много запросов подряд.', more), retryAfterSec };
    }
    case 'invalid': {
      const more = { problems: ingested.problems, trace_id };
      return problem(400, 'invalid_request', 'Запрос не принят: исправьте перечисленное.', more);
    }
    case 'media-unavailable': {
      const { url, message, retryable } = ingested;
      const more = { url, retryable, trace_id };
      if (!retryable) return problem(422, 'media_unavailable', message, more);
      return { ...problem(503, 'media_unavailable', message, more), retryAfterSec: RETRY_SECONDS };
    }
    default: {
      const never: never = ingested;
      throw new TypeError(`Expected an outcome of the ingest, got ${JSON.stringify(never)}`);
    }
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, retryAfterSec }: Answer,
): void {
  if (retryAfterSec !== undefined) response.setHeader('retry-after', String(retryAfterSec));
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  if (!request.complete) drain(request);
  sendJson(response, status, body);
}
