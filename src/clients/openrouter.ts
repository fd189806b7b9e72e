import { setMaxListeners } from 'node:events';
import OpenAI from 'openai';
import PQueue from 'p-queue';
import { Agent, fetch } from 'undici';
import { z } from 'zod';
import type { AiFailed } from '../errors.ts';
import type { Log } from '../log.ts';
import { DeadlinePassed, withDeadline } from './http/deadline.ts';
import { doubling, MOST_WAIT_MS, repeat } from './http/repeat.ts';
import { type Completion, readCompletion } from './openrouter-answer.ts';
import { mayPass, RouterFailed, toAiFailed, toRouterFailure } from './openrouter-failure.ts';
import { type ModelRequest, toBody } from './openrouter-request.ts';

export type OpenRouterOptions = {
  baseUrl: string;
  apiKey: string;
  /** Our public address; the router's statistics name us by it. */
  referer?: string | undefined;
  log: Log;
  concurrency?: number;
  retries?: number;
  waitMs?: (repeat: number) => number;
  mostWaitMs?: number;
};

export type BilledCompletion = Completion & { costUsd: number };
export type OpenRouter = ReturnType<typeof createOpenRouter>;

const CONNECT_MS = 5_000;
const COST_LOOKUP_MS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** Models of many providers behind one address. Failures are `AiFailed`; a caller who left gets their own reason. */
export function createOpenRouter({
  baseUrl,
  apiKey,
  referer,
  log,
  concurrency = 30,
  retries = 2,
  waitMs = doubling,
  mostWaitMs = MOST_WAIT_MS,
}: OpenRouterOptions) {
  const gate = new PQueue({ concurrency });
  const client = openAiClient({ baseUrl, apiKey, referer, concurrency });
  return { complete };

  async function complete(request: ModelRequest, signal?: AbortSignal): Promise<BilledCompletion> {
    if (signal) setMaxListeners(0, signal); // a text and ten pictures are asked for in one caller's name
    let { models } = request;
    try {
      const completion = await repeat(attempt, { retries, waitMs, mostWaitMs, signal, mayPass });
      return { ...completion, costUsd: completion.costUsd ?? (await costOf(completion.id)) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RouterFailed || error instanceof DeadlinePassed) throw reported(error);
      throw error;
    }

    /** A wait between two tries keeps no place in the queue, and time in the queue is not taken from the answer's. */
    async function attempt(): Promise<Completion> {
      try {
        return await gate.add(() => once({ ...request, models }, signal), signal ? { signal } : {});
      } catch (error) {
        if (error instanceof RouterFailed && error.begun) models = withoutFirst(models);
        throw error;
      }
    }
  }

  async function once(request: ModelRequest, signal: AbortSignal | undefined): Promise<Completion> {
    const body = toBody(request);
    try {
      return await withDeadline(request.timeoutMs, signal, async (ended) =>
        readCompletion(await client.chat.completions.create(body, { signal: ended })),
      );
    } catch (error) {
      signal?.throwIfAborted();
      const failure = toRouterFailure(error);
      log.warn({ err: failure, model: body.model }, 'a try at OpenRouter failed');
      throw failure;
    }
  }

  /**
   * The router nearly always says what an answer cost. An answer is not lost because its price is unknown, and it
   * is asked for even when the caller has left: the money is spent.
   */
  async function costOf(id: string): Promise<number> {
    try {
      const told = await withDeadline(COST_LOOKUP_MS, undefined, (ended) =>
        client.get('/generation', { query: { id }, signal: ended }),
      );
      return generation.parse(told).data.total_cost;
    } catch (error) {
      log.warn({ err: error, id }, 'the cost of an answer is not known: booked as zero');
      return 0;
    }
  }

  function reported(failure: RouterFailed | DeadlinePassed): AiFailed {
    if (failure instanceof RouterFailed && !failure.moderated) {
      if (failure.status === 402) log.error({ err: failure }, 'OpenRouter has no credit left');
      if (failure.status === 401 || failure.status === 403) {
        log.error({ err: failure }, 'OpenRouter refuses our key');
      }
    }
    return toAiFailed(failure);
  }
}

/** Before it begins to answer, a model that fails is left by the router itself; afterwards by us (E12). */
function withoutFirst(models: ModelRequest['models']): ModelRequest['models'] {
  const [, next, ...others] = models;
  return next === undefined ? models : [next, ...others];
}

const generation = z.object({ data: z.object({ total_cost: z.number() }) });

function openAiClient({
  baseUrl,
  apiKey,
  referer,
  concurrency,
}: Pick<OpenRouterOptions, 'baseUrl' | 'apiKey' | 'referer'> & { concurrency: number }): OpenAI {
  const pool = new Agent({
    connections: concurrency,
    connect: { timeout: CONNECT_MS },
    maxResponseSize: MOST_BYTES,
  });
  const pooledFetch = (url: string, init: object) => fetch(url, { ...init, dispatcher: pool });
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey || 'none', // a proxy at an address of its own may need no key, and the package insists on one
    defaultHeaders: { 'X-Title': 'SEO Master', ...(referer && { 'HTTP-Referer': referer }) },
    // The package would not see an error inside a 200, sleeps through an abort, and waits as long as it is told.
    maxRetries: 0,
    fetch: pooledFetch as unknown as typeof globalThis.fetch,
    // Meant for OpenAI: the package would take them from the environment.
    organization: null,
    project: null,
    logLevel: 'off',
  });
}
