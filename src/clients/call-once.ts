import { Agent, type FormData, request } from 'undici';
import { withDeadline } from './deadline.ts';
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

// An idle connection that the other side is just closing swallows a request: kept shorter than servers keep theirs.
const pool = new Agent({ connections: 20, connect: { timeout: 5_000 }, keepAliveTimeout: 3_000 });

type Sending = { hasLeft: boolean };

/** Notes the moment in which a connected socket is given the request: names, TLS and queues are behind it then. */
const dispatcher = pool.compose((dispatch) => (options, handler) => {
  const { opaque } = options as { opaque?: Sending };
  return dispatch(options, {
    onRequestStart: (...args) => {
      if (opaque) opaque.hasLeft = true;
      handler.onRequestStart?.(...args);
    },
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
});

/**
 * One request, made once. Unlike `supplier.ts` it tells a request that never left from one whose answer was lost:
 * whoever creates something by it must know. `what` stands for the address in the log, which may hold a token.
 */
export async function callOnce(what: string, url: string, call: OnceCall): Promise<OnceAnswer> {
  const sending: Sending = { hasLeft: false };
  try {
    return await withDeadline(call.timeoutMs, call.signal, async (signal) => {
      const { method, headers = {}, body = null } = call;
      // Not fetch, which costs three times as much: a dispatcher does little else.
      const answer = await request(url, { dispatcher, method, headers, body, signal, opaque: sending });
      const { 'retry-after': retryAfter = null } = answer.headers;
      return {
        status: answer.statusCode,
        retryAfterMs: milliseconds(retryAfterOf(Array.isArray(retryAfter) ? null : retryAfter)),
        text: await readUpTo(answer.body, MOST_BYTES),
      };
    });
  } catch (error) {
    if (!sending.hasLeft) call.signal?.throwIfAborted(); // whoever asked has left before anything happened
    throw new AnswerLost(what, sending.hasLeft, error);
  }
}

async function readUpTo(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw new Error(`the answer has more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const milliseconds = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1_000);
