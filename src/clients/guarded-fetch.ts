import { lookup as dnsLookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AddressRefused, AnswerTooLarge, SiteUnreachable } from './fetch-errors.ts';
import { isPublicAddress } from './public-address.ts';

export type FetchedPage = { url: string; status: number; headers: IncomingMessage['headers']; body: Buffer };
export type GuardedFetch = (url: string, options?: { signal?: AbortSignal }) => Promise<FetchedPage>;

type Options = {
  /** On in the sandbox and in tests, where every peer is on loopback. */
  allowPrivate?: boolean;
  allows?: (address: string) => boolean;
  resolve?: (hostname: string) => Promise<string[]>;
  mostBytes?: number;
  mostMs?: number;
  mostRedirects?: number;
};

/**
 * The one client for addresses that people type. Each hop is checked after its name was resolved, and the connection
 * goes to the very address that was checked: a name that answers differently the second time gains nothing.
 */
export function createGuardedFetch({
  allowPrivate = false,
  allows = allowPrivate ? () => true : isPublicAddress,
  resolve = resolveAll,
  mostBytes = 5 * 1024 * 1024,
  mostMs = 15_000,
  mostRedirects = 5,
}: Options = {}): GuardedFetch {
  return async (url, { signal } = {}) => {
    const deadline = AbortSignal.timeout(mostMs);
    const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
    let hop = url;
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      const target = parsed(hop);
      const response = await asked(target, await checkedAddress(target), stop);
      const next = redirectOf(response, target);
      if (!next)
        return {
          url: target.href,
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: await bodyOf(response, target, stop),
        };
      response.destroy();
      hop = next;
    }
    throw new SiteUnreachable(new URL(url).hostname, `more than ${mostRedirects} redirects`);
  };

  async function checkedAddress({ hostname }: URL): Promise<string> {
    const bare = hostname.replace(/^\[|\]$/gu, '');
    const addresses = isIP(bare)
      ? [bare]
      : await resolve(bare).catch((cause) => unreachable(hostname, cause));
    // One closed address among open ones is somebody's trick or mistake: neither deserves a request.
    const refused = addresses.find((address) => !allows(address));
    if (refused !== undefined) throw new AddressRefused(hostname, refused);
    return addresses[0] ?? unreachable(hostname, 'no address');
  }

  async function asked(target: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
    const request = target.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const call = request(target, {
        signal,
        agent: false, // a pooled connection could lead to an address that was checked for another name
        headers: {
          'user-agent': 'SEO-Master/2.0',
          accept: 'text/html,*/*;q=0.5',
          'accept-encoding': 'identity',
        },
        lookup: (_, options, done) => {
          const family = isIP(address);
          if (options.all) done(null, [{ address, family }]);
          else done(null, address, family);
        },
      });
      call.once('response', resolve);
      call.once('error', (cause) => reject(new SiteUnreachable(target.hostname, cause)));
      call.end();
    });
  }

  async function bodyOf(response: IncomingMessage, { hostname }: URL, signal: AbortSignal): Promise<Buffer> {
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
      if (signal.aborted) throw signal.reason;
      return Buffer.concat(chunks);
    } catch (error) {
      if (error instanceof AnswerTooLarge) throw error;
      throw new SiteUnreachable(hostname, error);
    } finally {
      response.destroy();
    }
  }
}

function parsed(url: string): URL {
  if (!URL.canParse(url)) throw new AddressRefused(url, 'not an address');
  const target = new URL(url);
  const isWeb = target.protocol === 'http:' || target.protocol === 'https:';
  if (!isWeb || target.username || target.password)
    throw new AddressRefused(target.hostname, 'not a plain web address');
  return target;
}

function redirectOf({ statusCode, headers }: IncomingMessage, from: URL): string | null {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode ?? 0);
  if (!isRedirect || !headers.location || !URL.canParse(headers.location, from.href)) return null;
  return new URL(headers.location, from).href;
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

async function resolveAll(hostname: string): Promise<string[]> {
  const found = await dnsLookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

function unreachable(hostname: string, cause: unknown): never {
  throw new SiteUnreachable(hostname, cause);
}
