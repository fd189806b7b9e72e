import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AnswerTooLarge, SiteUnreachable } from './fetch-errors.ts';

type PinnedRequest = {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array | string | undefined;
  signal: AbortSignal;
  /** From here on the other side may read the request. */
  onConnect(): void;
};

/** One request to one address, whatever the name of its host resolves to by now. */
export function askAddress(target: URL, address: string, call: PinnedRequest): Promise<IncomingMessage> {
  const isSecure = target.protocol === 'https:';
  const request = isSecure ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    let connected = false;
    const sent = request(target, {
      method: call.method,
      headers: call.headers,
      signal: call.signal,
      agent: false, // a pooled connection could lead to an address that was checked for another name
      lookup: (_, options, done) => {
        const family = isIP(address);
        if (options.all) done(null, [{ address, family }]);
        else done(null, address, family);
      },
    });
    sent.once('socket', (socket) =>
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        connected = true;
        call.onConnect();
      }),
    );
    sent.once('response', resolve);
    sent.once('error', (cause: Error & { code?: string }) => {
      const reason = isAboutCertificate(cause.code ?? '') ? 'certificate' : 'no-answer';
      reject(new SiteUnreachable(target.hostname, cause, { reason, mayHaveArrived: connected }));
    });
    sent.end(call.body);
  });
}

export async function readAnswer(
  response: IncomingMessage,
  { hostname }: URL,
  { mostBytes, signal }: { mostBytes: number; signal: AbortSignal },
): Promise<Buffer> {
  const declared = Number(response.headers['content-length'] ?? 0);
  const body = decoded(response);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    if (declared > mostBytes) throw new AnswerTooLarge(hostname, mostBytes);
    for await (const chunk of body) {
      size += chunk.length;
      // Counted after unpacking: a small archive may hold a large page.
      if (size > mostBytes) throw new AnswerTooLarge(hostname, mostBytes);
      chunks.push(chunk);
    }
    signal.throwIfAborted();
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof AnswerTooLarge) throw error;
    throw new SiteUnreachable(hostname, error, { mayHaveArrived: true });
  } finally {
    response.destroy();
  }
}

/** Asked for plain bytes, some servers pack them all the same. */
function decoded(response: IncomingMessage): Readable {
  const unpackers: Record<string, () => NodeJS.ReadWriteStream> = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const unpack = unpackers[response.headers['content-encoding']?.toLowerCase() ?? ''];
  if (!unpack) return response;
  const unpacked = unpack() as unknown as Readable & NodeJS.WritableStream;
  response.once('error', (error) => unpacked.destroy(error));
  return response.pipe(unpacked) as unknown as Readable;
}

/** OpenSSL's codes for a certificate that is self-signed, for another name, or expired. */
const isAboutCertificate = (code: string): boolean =>
  /CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/u.test(code);
