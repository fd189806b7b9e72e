import { Agent, type Dispatcher, fetch, type Response } from 'undici';
import { AppError } from '../../errors.ts';
import { withDeadline } from './deadline.ts';
import { doubling, MOST_WAIT_MS, repeat, retryAfterOf } from './repeat.ts';

/** How one supplier of ours is reached. Addresses that people type go through guarded-fetch.ts instead. */
export type SupplierOptions = {
  name: string;
  baseUrl: string;
  headers?: Record<string, string>;
  timeoutMs?: number;
  /** Of a read, beyond the first try. */
  retries?: number;
  /** Before the n-th repeat (from 0), when the supplier does not say how long. */
  waitMs?: (repeat: number) => number;
  /** The longest wait, whatever the supplier asks for. */
  mostWaitMs?: number;
  mostBytes?: number;
};

type SupplierCall = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: URLSearchParams | Record<string, string>;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: Uint8Array | string;
  timeoutMs?: number;
  signal?: AbortSignal;
};

type SupplierAnswer = { status: number; headers: Headers; body: Buffer };

export type Supplier = ReturnType<typeof createSupplier>;

/** The supplier refused, or did not answer (`status` is null then). */
export class SupplierFailed extends AppError {
  readonly code = 'EXTERNAL_SERVICE';
  readonly userMessage = 'Внешний сервис сейчас недоступен. Попробуйте позже.';
  override readonly retryable = true;
  readonly status: number | null;
  /** Seconds, when the supplier named them. */
  readonly retryAfter: number | null;
  constructor(
    supplier: string,
    why: string,
    {
      status = null,
      retryAfter = null,
      cause,
    }: { status?: number | null; retryAfter?: number | null; cause?: unknown } = {},
  ) {
    super(`${supplier}: ${why}`);
    this.status = status;
    this.retryAfter = retryAfter;
    this.cause = cause;
  }
}

const MOST_BYTES = 32 * 1024 * 1024;
const MOST_QUOTED = 300;
const WORTH_REPEATING = [429, 500, 502, 503, 504];

/** One pool for all suppliers; undici keeps one set of connections per origin. */
const pool: Dispatcher = new Agent({
  connections: 20,
  connect: { timeout: 5_000 },
  keepAliveTimeout: 10_000,
});

/**
 * `read` repeats what failed in a way that may pass; `once` never does: a call that creates something may have
 * reached the supplier although its answer did not reach us.
 */
export function createSupplier({
  name,
  baseUrl,
  headers = {},
  timeoutMs = 30_000,
  retries = 2,
  waitMs = doubling,
  mostWaitMs = MOST_WAIT_MS,
  mostBytes = MOST_BYTES,
}: SupplierOptions) {
  return { once, read, json };

  function read(path: string, call: SupplierCall = {}): Promise<SupplierAnswer> {
    return repeat(() => once(path, call), { retries, waitMs, mostWaitMs, signal: call.signal, mayPass });
  }

  /** A read whose answer must be JSON. */
  async function json(path: string, call: SupplierCall = {}): Promise<unknown> {
    const { status, body } = await read(path, call);
    try {
      return JSON.parse(body.toString('utf8'));
    } catch (cause) {
      throw new SupplierFailed(name, `answered something that is no JSON: ${quoted(body)}`, {
        status,
        cause,
      });
    }
  }

  async function once(path: string, call: SupplierCall = {}): Promise<SupplierAnswer> {
    try {
      return await withDeadline(call.timeoutMs ?? timeoutMs, call.signal, (signal) =>
        exchange(path, call, signal),
      );
    } catch (error) {
      if (error instanceof SupplierFailed) throw error;
      call.signal?.throwIfAborted(); // the caller has left: not a failure of the supplier
      throw new SupplierFailed(name, 'could not be reached or did not answer in time', { cause: error });
    }
  }

  async function exchange(path: string, call: SupplierCall, signal: AbortSignal): Promise<SupplierAnswer> {
    const response = await fetch(addressOf(path, call.query), {
      dispatcher: pool,
      method: call.method ?? (call.json === undefined && call.body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(call.json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        ...call.headers,
      },
      body: call.json === undefined ? (call.body ?? null) : JSON.stringify(call.json),
      signal,
      redirect: 'manual', // none of them redirects: a proxy's log-in page is a refusal, not an answer
    });
    const body = await readUpTo(response, mostBytes);
    const answer = { status: response.status, headers: response.headers as unknown as Headers, body };
    if (!response.ok) throw refused(answer);
    return answer;
  }

  function addressOf(path: string, query?: SupplierCall['query']): string {
    const search = query ? `?${new URLSearchParams(query)}` : '';
    return `${baseUrl}${path}${search}`;
  }

  function refused({ status, headers: answered, body }: SupplierAnswer): SupplierFailed {
    return new SupplierFailed(name, `answered ${status}: ${quoted(body)}`, {
      status,
      retryAfter: retryAfterOf(answered.get('retry-after')),
    });
  }

  async function readUpTo({ body, status }: Response, most: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body ?? []) {
      size += chunk.length;
      // With its status: what is too long now will be too long the next time.
      if (size > most) throw new SupplierFailed(name, `sent more than ${most} bytes`, { status });
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

function mayPass(error: unknown): false | { retryAfterSec: number | null } {
  if (!(error instanceof SupplierFailed)) return false;
  const passing = error.status === null || WORTH_REPEATING.includes(error.status);
  return passing && { retryAfterSec: error.retryAfter };
}

const quoted = (body: Buffer): string => body.toString('utf8').slice(0, MOST_QUOTED);
