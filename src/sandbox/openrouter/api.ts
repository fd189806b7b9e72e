import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { models } from './models.ts';
import type { Router } from './router.ts';
import { sendReply } from './send-reply.ts';
import { type ChatRequest, chatRequest, routerError, taskOf, textOf } from './wire.ts';

/** A request as it came, and what became of it. */
export type RequestSeen = {
  task: string;
  system: string;
  user: string;
  /** Who asks, by their own word. */
  referer: string | undefined;
  body: ChatRequest;
  /** The model that answered; null: none did, or none yet. */
  model: string | null;
  status: number | null;
};

const MOST_SEEN = 200;
// Pictures come along as examples, in the body itself.
const MOST_BYTES = 64 * 1024 * 1024;
const CREDIT_USD = 100;

/** The router's paths. `apiKey` undefined: any key is good, so long as there is one. */
export function createApi(router: Router, apiKey: string | undefined, latencyMs: number) {
  const seen: RequestSeen[] = [];
  const routes: Readonly<Record<string, (...args: Parameters<HttpHandler>) => void | Promise<void>>> = {
    'POST /chat/completions': chat,
    'GET /generation': (_, response, url) => {
      const data = router.generation(url.searchParams.get('id') ?? '');
      if (data) sendJson(response, 200, { data });
      else sendJson(response, 404, routerError(404, 'Generation not found'));
    },
    'GET /key': (_, response) => {
      const usage = router.spentUsd();
      sendJson(response, 200, { data: { limit: CREDIT_USD, limit_remaining: CREDIT_USD - usage, usage } });
    },
    'GET /models': (_, response) => sendJson(response, 200, { data: catalogue }),
  };
  return { handle, requests: (): readonly RequestSeen[] => seen };

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    const route = routes[`${request.method} ${url.pathname}`];
    if (!route) return false;
    if (isKeyGood(request)) await route(request, response, url);
    else sendJson(response, 401, routerError(401));
    return true;
  }

  function isKeyGood({ headers }: IncomingMessage): boolean {
    const key = /^Bearer (\S+)$/u.exec(headers.authorization ?? '')?.[1];
    return apiKey === undefined ? key !== undefined : key === apiKey;
  }

  async function chat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = chatRequest.safeParse(parsed(await readBody(request, MOST_BYTES)));
    if (!read.success) return sendJson(response, 400, routerError(400, read.error.message));
    const body = read.data;
    const record: RequestSeen = {
      task: taskOf(body),
      system: textOf(body, 'system'),
      user: textOf(body, 'user'),
      referer: request.headers['http-referer']?.toString(),
      body,
      model: null,
      status: null,
    };
    seen.push(record);
    if (seen.length > MOST_SEEN) seen.shift();
    if (latencyMs > 0) await sleep(latencyMs);
    const reply = await router.complete(body);
    record.model = reply.model;
    record.status = reply.status;
    sendReply(response, reply);
  }
}

const perToken = (usdPerMillion: number): string => (usdPerMillion / 1_000_000).toFixed(8);

const catalogue = Object.entries(models).map(([id, { dated, prompt, completion, picture }]) => ({
  id,
  canonical_slug: dated,
  architecture: { output_modalities: picture === null ? ['text'] : ['image', 'text'] },
  pricing: { prompt: perToken(prompt), completion: perToken(completion) },
}));

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined; // refused by the schema like anything else that is no request
  }
}
