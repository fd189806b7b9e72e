import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { models } from './models.ts';
import { createMoods, type MoodRule, type Moods } from './moods.ts';
import { type Author, createRouter } from './router.ts';
import { type ChatRequest, chatRequest, routerError, taskOf, textOf } from './wire.ts';

export type OpenRouterStandInOptions = {
  /** None: any key is good, so long as there is one. */
  apiKey?: string;
  port?: number;
  /** How long a model thinks. */
  latencyMs?: number;
  author: Author;
};

/** A request as it came, and what became of it. */
export type ModelRequestSeen = {
  task: string;
  system: string;
  user: string;
  /** The one that answered; null: none did, or none yet. */
  model: string | null;
  status: number | null;
  /** Who asks, by their own word. */
  referer: string | undefined;
  body: ChatRequest;
};

export type OpenRouterStandIn = StandIn & {
  readonly moods: Moods;
  /** The newest 200, oldest first. */
  requests(): readonly ModelRequestSeen[];
};

const MOST_SEEN = 200;
const MOST_BYTES = 64 * 1024 * 1024;
const CREDIT_USD = 100;

/** OpenRouter on loopback. Control over HTTP: `<url>/__mood` for the models' moods, `<url>/__requests` for what came. */
export async function startOpenRouterStandIn(options: OpenRouterStandInOptions): Promise<OpenRouterStandIn> {
  const { apiKey, port, latencyMs = 0, author } = options;
  const moods = createMoods();
  const router = createRouter(author, moods);
  const seen: ModelRequestSeen[] = [];
  const standIn = await startStandIn({
    name: 'openrouter',
    handle,
    control,
    refusal: (status) => routerError(status),
    ...(port !== undefined && { port }),
  });
  return { ...standIn, moods, requests: () => seen };

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    const route = `${request.method} ${url.pathname}`;
    if (route === 'GET /models') sendJson(response, 200, { data: catalogue });
    else if (!isKeyGood(request)) sendJson(response, 401, routerError(401));
    else if (route === 'POST /chat/completions') await chat(request, response);
    else if (route === 'GET /generation') {
      const data = router.generation(url.searchParams.get('id') ?? '');
      sendJson(response, data ? 200 : 404, data ? { data } : routerError(404, 'Generation not found'));
    } else if (route === 'GET /key') {
      const usage = router.spent();
      sendJson(response, 200, { data: { limit: CREDIT_USD, limit_remaining: CREDIT_USD - usage, usage } });
    } else return false;
    return true;
  }

  function isKeyGood({ headers }: IncomingMessage): boolean {
    const [, key] = /^Bearer (\S+)$/u.exec(headers.authorization ?? '') ?? [];
    return apiKey === undefined ? key !== undefined : key === apiKey;
  }

  async function chat(...[request, response]: [Parameters<HttpHandler>[0], Parameters<HttpHandler>[1]]) {
    const body = chatRequest.safeParse(parsed(await readBody(request, MOST_BYTES)));
    if (!body.success) return sendJson(response, 400, routerError(400, body.error.message));
    const record: ModelRequestSeen = {
      task: taskOf(body.data),
      system: textOf(body.data, 'system'),
      user: textOf(body.data, 'user'),
      model: null,
      status: null,
      referer: request.headers['http-referer']?.toString(),
      body: body.data,
    };
    seen.push(record);
    if (seen.length > MOST_SEEN) seen.shift();
    if (latencyMs > 0) await sleep(latencyMs);
    const reply = await router.complete(body.data);
    Object.assign(record, { model: reply.model, status: reply.status });
    sendJson(response, reply.status, reply.body);
  }

  async function control(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (url.pathname === '/__requests') sendJson(response, 200, { requests: seen });
    else if (url.pathname === '/__mood') {
      if (request.method === 'DELETE') moods.clear();
      if (request.method === 'POST') {
        try {
          const given = parsed(await readBody(request, MOST_BYTES));
          for (const rule of [given].flat()) moods.add(rule as MoodRule);
        } catch (error) {
          sendJson(response, 400, { error: String(error) });
          return true;
        }
      }
      sendJson(response, 200, { moods: moods.list() });
    } else return false;
    return true;
  }
}

const catalogue = Object.entries(models).map(([id, { dated, prompt, completion, picture }]) => ({
  id,
  canonical_slug: dated,
  architecture: { output_modalities: picture === null ? ['text'] : ['image', 'text'] },
  pricing: { prompt: String(prompt / 1_000_000), completion: String(completion / 1_000_000) },
}));

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined; // refused by the schema like anything else that is no request
  }
}
