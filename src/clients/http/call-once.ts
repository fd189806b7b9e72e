import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
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

/** A parsed address, for callers that use it often: parsing one is a tenth of a call. */
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
 * callers that create something must know. `what` stands for the address in the log, which may hold a token.
 */
export const callOnce = makeCallOnce({ connections: 20 });

/** With a connection pool of its own: its callers do not wait behind others. */
export function makeCallOnce({ connections }: { connections: number }) {
  // An idle connection that the other side is just closing swallows a request: kept shorter than servers keep theirs.
  const pool = new Agent({ connections, connect: { timeout: 5_000 }, keepAliveTimeout: 3_000 });
  return (what: string, address: string | Address, call: OnceCall): Promise<OnceAnswer> =>
    new Promise((resolve, reject) => {
      call.signal?.throwIfAborted();
      const { timeoutMs, signal, ...request } = call;
      const { origin, path } = typeof address === 'string' ? addressOf(address) : address;
      pool.dispatch({ origin, path, ...request }, new Exchange(what, call, resolve, reject));
    });
}

/**
 * Hears the dispatcher itself: the streams that `request` and `fetch` put around it cost more than all the rest. A class,
 * because there is one for every call: closures would be made anew each time.
 */
class Exchange implements Dispatcher.DispatchHandler {
  // Since a connected socket was given the request: names, TLS and queues are behind it then.
  private onTheWire: Dispatcher.DispatchController | null = null;
  private isOver = false;
  private size = 0;
  private readonly chunks: Buffer[] = [];
  private readonly answer: OnceAnswer = { status: 0, retryAfterMs: null, text: '' };
  private readonly timer: NodeJS.Timeout;
  private readonly what: string;
  private readonly call: OnceCall;
  private readonly resolve: (answer: OnceAnswer) => void;
  private readonly reject: (why: unknown) => void;

  constructor(
    what: string,
    call: OnceCall,
    resolve: (answer: OnceAnswer) => void,
    reject: (why: unknown) => void,
  ) {
    this.what = what;
    this.call = call;
    this.resolve = resolve;
    this.reject = reject;
    this.timer = setTimeout(() => this.lose(new DeadlinePassed(call.timeoutMs)), call.timeoutMs);
    const { signal } = call;
    if (!signal) return;
    setMaxListeners(0, signal); // many calls at once may be made in one caller's name
    signal.addEventListener('abort', this);
  }

  /** The caller has left. */
  handleEvent(): void {
    this.lose(this.call.signal?.reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isOver) controller.abort(new Error('its caller has left'));
    else this.onTheWire = controller;
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    { 'retry-after': retryAfter }: IncomingHttpHeaders,
  ): void {
    this.answer.status = status;
    this.answer.retryAfterMs = milliseconds(typeof retryAfter === 'string' ? retryAfterOf(retryAfter) : null);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > MOST_BYTES) this.lose(new Error(`the answer has more than ${MOST_BYTES} bytes`));
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.end()) return;
    this.answer.text = Buffer.concat(this.chunks).toString('utf8');
    this.resolve(this.answer);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.lose(error);
  }

  private lose(why: unknown): void {
    if (!this.end()) return;
    const { signal } = this.call;
    // The caller left before the request was written: nothing is lost.
    const left = signal?.aborted && !this.onTheWire;
    this.reject(left ? signal.reason : new AnswerLost(this.what, this.onTheWire !== null, why));
    this.onTheWire?.abort(why instanceof Error ? why : new Error('broken off', { cause: why }));
  }

  private end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.timer);
    this.call.signal?.removeEventListener('abort', this);
    return true;
  }
}

export function addressOf(url: string): Address {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}

const milliseconds = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1_000);
