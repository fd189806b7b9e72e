import { setMaxListeners } from 'node:events';
import { Agent, type Dispatcher, type FormData } from 'undici';
import { DeadlinePassed } from './deadline.ts';
import { retryAfterOf } from './repeat.ts';

export type OnceCall = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | FormData;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
};

/** Whatever the status: a refusal is an answer too. */
export type OnceAnswer = { status: number; retryAfterMs: number | null; text: string };

/** An address taken apart, by whoever calls it often: parsing one is a tenth of a call. */
export type Address = { origin: string; path: string };

/** No whole answer came. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
  /** False: the request was never written to the wire, so nothing was done. */
  readonly mayHaveArrived: boolean;
  constructor(what: string, mayHaveArrived: boolean, cause: unknown) {
    super(`${what}: ${mayHaveArrived ? 'sent, and not answered' : 'could not be sent'}`, { cause });
    this.mayHaveArrived = mayHaveArrived;
  }
}

const MOST_BYTES = 4 * 1024 * 1024;

/**
 * One request, made once. Unlike `supplier.ts` it tells a request that never left from one whose answer was lost:
 * whoever creates something by it must know. `what` stands for the address in the log, which may hold a token.
 */
export const callOnce = makeCallOnce({ connections: 20 });

/** With connections of its own: whoever waits for one waits for nobody else's. */
export function makeCallOnce({ connections }: { connections: number }) {
  // An idle connection that the other side is just closing swallows a request: kept shorter than servers keep theirs.
  const pool = new Agent({ connections, connect: { timeout: 5_000 }, keepAliveTimeout: 3_000 });
  return async (what: string, address: string | Address, call: OnceCall): Promise<OnceAnswer> => {
    call.signal?.throwIfAborted();
    return exchange(pool, what, typeof address === 'string' ? addressOf(address) : address, call);
  };
}

/** By the dispatcher itself: the streams that `request` and `fetch` put around it cost more than all the rest. */
function exchange(
  pool: Dispatcher,
  what: string,
  address: Address,
  { timeoutMs, signal, ...request }: OnceCall,
): Promise<OnceAnswer> {
  return new Promise((resolve, reject) => {
    // Since a connected socket was given the request: names, TLS and queues are behind it then.
    let onTheWire: Dispatcher.DispatchController | null = null;
    let isOver = false;
    let size = 0;
    const chunks: Buffer[] = [];
    const answer: OnceAnswer = { status: 0, retryAfterMs: null, text: '' };
    const timer = setTimeout(() => lose(new DeadlinePassed(timeoutMs)), timeoutMs);
    const leave = () => lose(signal?.reason);
    if (signal) setMaxListeners(0, signal); // many calls at once may be made in one caller's name
    signal?.addEventListener('abort', leave);

    pool.dispatch(
      { ...address, ...request },
      {
        onRequestStart(controller) {
          if (isOver) return controller.abort(new Error('nobody waits for it'));
          onTheWire = controller;
        },
        onResponseStart(_, status, { 'retry-after': retryAfter }) {
          answer.status = status;
          answer.retryAfterMs = milliseconds(
            typeof retryAfter === 'string' ? retryAfterOf(retryAfter) : null,
          );
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size > MOST_BYTES) lose(new Error(`the answer has more than ${MOST_BYTES} bytes`));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          if (!end()) return;
          answer.text = Buffer.concat(chunks).toString('utf8');
          resolve(answer);
        },
        onResponseError: (_, error) => lose(error),
      },
    );

    function lose(why: unknown): void {
      if (!end()) return;
      // Whoever asked has left before anything happened: that is nothing lost.
      reject(signal?.aborted && !onTheWire ? signal.reason : new AnswerLost(what, onTheWire !== null, why));
      onTheWire?.abort(why instanceof Error ? why : new Error('broken off', { cause: why }));
    }

    function end(): boolean {
      if (isOver) return false;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      return true;
    }
  });
}

export function addressOf(url: string): Address {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}

const milliseconds = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1_000);
