import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, fetch } from 'undici';
import { AppError } from '../errors.ts';

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
  mostBytes?: number;
};

export type SupplierCall = {
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

export type SupplierAnswer = { status: number; headers: Headers; body: Buffer };

export type Supplier = ReturnType<typeof createSupplier>;

/** We were answered, and the answer was no; or we were not answered at all (`status` is null then). */
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

const MOST_WAIT_MS = 60_000;
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
  waitMs = (repeat) => 1_000 * 2 ** repeat,
  mostBytes = MOST_BYTES,
}: SupplierOptions) {
  return { once, read, json };

  async function read(path: string, call: SupplierCall = {}): Promise<SupplierAnswer> {
    for (let repeat = 0; ; repeat += 1) {
      try {
        return await once(path, call);
      } catch (error) {
        if (!(error instanceof SupplierFailed) || repeat >= retries || !mayPass(error)) throw error;
        const wait = Math.min(
          error.retryAfter === null ? waitMs(repeat) : error.retryAfter * 1_000,
          MOST_WAIT_MS,
        );
        await sleep(wait, undefined, { signal: call.signal });
      }
    }
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
    call.signal?.throwIfAborted();
    const deadline = AbortSignal.timeout(call.timeoutMs ?? timeoutMs);
    try {
      const response = await fetch(addressOf(path, call.query), {
        dispatcher: pool,
        method: call.method ?? (call.json === undefined && call.body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(call.json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
          ...call.headers,
        },
        body: call.json === undefined ? (call.body ?? null) : JSON.stringify(call.json),
        signal: call.signal ? AbortSignal.any([call.signal, deadline]) : deadline,
        redirect: 'error', // none of them redirects; a proxy's log-in page is no answer
      });
      const body = await readUpTo(response.body, mostBytes);
      const answer = { status: response.status, headers: response.headers as unknown as Headers, body };
      if (!response.ok) throw refused(answer);
      return answer;
    } catch (error) {
      if (error instanceof SupplierFailed) throw error;
      call.signal?.throwIfAborted(); // whoever asked has left: that is no failure of the supplier
      throw new SupplierFailed(name, 'could not be reached or did not answer in time', { cause: error });
    }
  }

  function addressOf(path: string, query?: SupplierCall['query']): string {
    const search = query ? `?${new URLSearchParams(query)}` : '';
    return `${baseUrl}${path}${search}`;
  }

  function refused({ status, headers: answered, body }: SupplierAnswer): SupplierFailed {
    return new SupplierFailed(name, `answered ${status}: ${quoted(body)}`, {
      status,
      retryAfter: secondsOf(answered.get('retry-after')),
    });
  }

  async function readUpTo(stream: AsyncIterable<Uint8Array> | null, most: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of stream ?? []) {
      size += chunk.length;
      if (size > most) throw new SupplierFailed(name, `sent more than ${most} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

const mayPass = ({ status }: SupplierFailed): boolean => status === null || WORTH_REPEATING.includes(status);

const quoted = (body: Buffer): string => body.toString('utf8').slice(0, MOST_QUOTED);

/** `Retry-After` comes as seconds or as a date. */
function secondsOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1_000);
}
