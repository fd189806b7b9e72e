import type { IncomingMessage } from 'node:http';

const MOST_PATIENCE_MS = 2_000;

export function isPlainJson(headers: IncomingMessage['headers']): boolean {
  const isJson = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/iu.test(headers['content-type'] ?? '');
  return isJson && /^(?:identity)?$/iu.test(headers['content-encoding'] ?? '');
}

/** Not longer than `most`: then nothing of it is kept, and whatever is still to come is not waited for. */
export async function readUpTo(
  request: IncomingMessage,
  most: number,
): Promise<{ bytes: number; json: string | null } | 'not-utf8'> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > most) return { bytes: Math.min(declared, 2 ** 31 - 1), json: null };
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Left as it is at the end: destroyed, it would take the answer with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > most) return { bytes, json: null };
    chunks.push(chunk);
  }
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
  request.once('close', () => clearTimeout(patience)).resume();
}
