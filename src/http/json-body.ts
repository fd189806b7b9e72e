import type { IncomingMessage } from 'node:http';

/** No endpoint of a shop or a channel takes more; the database knows the same number. */
export const MOST_INGRESS_BYTES = 1024 * 1024;

const MOST_PATIENCE_MS = 2_000;
/** A mebibyte at 50 kB a second; slower is a mistake or an attack. */
const BODY_WITHIN_MS = 20_000;

export function isPlainJson(headers: IncomingMessage['headers']): boolean {
  const isJson = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/iu.test(headers['content-type'] ?? '');
  return isJson && /^(?:identity)?$/iu.test(headers['content-encoding'] ?? '');
}

type Body = { bytes: number; json: string | null };

/** Not longer than `most`: then nothing of it is kept, and whatever is still to come is not waited for. */
export function readUpTo(
  request: IncomingMessage,
  most: number,
  withinMs = BODY_WITHIN_MS,
): Promise<Body | 'not-utf8' | 'too-slow'> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > most) return Promise.resolve({ bytes: Math.min(declared, 2 ** 31 - 1), json: null });
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => resolve('too-slow')), withinMs);
    request.on('data', take).once('end', finish).once('error', fail);

    function take(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > most) end(() => resolve({ bytes, json: null }));
      else chunks.push(chunk);
    }

    function finish(): void {
      end(() => resolve(decoded(chunks, bytes)));
    }

    function fail(error: Error): void {
      end(() => reject(error));
    }

    /** The request itself stays open: destroyed, it would take the answer with it. */
    function end(settle: () => void): void {
      clearTimeout(timer);
      request.off('data', take).off('end', finish).off('error', fail);
      settle();
    }
  });
}

function decoded(chunks: readonly Buffer[], bytes: number): Body | 'not-utf8' {
  try {
    return { bytes, json: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch (error) {
    if (error instanceof TypeError) return 'not-utf8';
    throw error;
  }
}

/** Reads the rest of a request, so that its sender receives our response; destroys one that does not end. */
export function drain(request: IncomingMessage): void {
  const patience = setTimeout(() => request.destroy(), MOST_PATIENCE_MS);
  request.on('error', () => undefined); // already answered: a broken connection no longer matters
  request.once('close', () => clearTimeout(patience)).resume();
}
