import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { DeadlinePassed, withDeadline } from './deadline.ts';
import { AddressRefused, SiteUnreachable } from './fetch-errors.ts';
import { askAddress, readAnswer } from './pinned-request.ts';
import { isPublicAddress } from './public-address.ts';
import { askNameServer, checkedAddress, type ResolveName } from './resolve-name.ts';

export type FetchedPage = { url: string; status: number; headers: IncomingMessage['headers']; body: Buffer };
export type FetchCall = {
  method?: 'GET' | 'POST' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
  /** For all of it, redirects and the answer's last byte included. */
  timeoutMs?: number;
  /** Of this answer, where it differs from what this client takes otherwise. */
  mostBytes?: number;
  signal?: AbortSignal | undefined;
};
export type GuardedFetch = (url: string, call?: FetchCall) => Promise<FetchedPage>;

type Options = {
  /** On in the sandbox and in tests, where every peer is on loopback. */
  allowPrivate?: boolean;
  /** Open wherever they are: the stand-ins, where a real bot is tried out. */
  openOrigins?: readonly string[];
  allows?: (address: string) => boolean;
  resolve?: ResolveName;
  mostBytes?: number;
  mostMs?: number;
  mostRedirects?: number;
};

type Hop = { url: string; headers: Readonly<Record<string, string>> };

const HEADERS = {
  'user-agent': 'SEO-Master/2.0',
  accept: 'text/html,*/*;q=0.5',
  'accept-encoding': 'identity',
};

/**
 * The one client for addresses that people type. Each hop is checked after its name was resolved, and the connection
 * goes to the very address that was checked: a name that answers differently the second time gains nothing.
 */
export function createGuardedFetch({
  allowPrivate = false,
  openOrigins = [],
  allows = allowPrivate ? () => true : isPublicAddress,
  resolve = askNameServer,
  mostBytes = 5 * 1024 * 1024,
  mostMs = 15_000,
  mostRedirects = 5,
}: Options = {}): GuardedFetch {
  return async (url, call = {}) => {
    const progress = { connected: false };
    try {
      return await withDeadline(call.timeoutMs ?? mostMs, call.signal, (signal) =>
        followed(url, call, signal, progress),
      );
    } catch (error) {
      if (!(error instanceof DeadlinePassed)) throw error;
      const mayHaveArrived = progress.connected;
      throw new SiteUnreachable(new URL(url).hostname, error, { reason: 'timeout', mayHaveArrived });
    }
  };

  async function followed(
    url: string,
    { method = 'GET', headers = {}, body, mostBytes: most = mostBytes }: FetchCall,
    signal: AbortSignal,
    progress: { connected: boolean },
  ): Promise<FetchedPage> {
    let hop: Hop = { url, headers: { ...HEADERS, ...headers } };
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      const target = parsed(hop.url);
      const address = await Promise.race([addressOf(target), ended(signal)]);
      const onConnect = () => Object.assign(progress, { connected: true });
      const response = await askAddress(target, address, {
        method,
        headers: hop.headers,
        body,
        signal,
        onConnect,
      });
      const next = nextHop(response, target, hop.headers, method);
      if (!next)
        return {
          url: target.href,
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: await readAnswer(response, target, { mostBytes: most, signal }),
        };
      response.destroy();
      hop = next;
    }
    throw new SiteUnreachable(new URL(url).hostname, `more than ${mostRedirects} redirects`, {
      reason: 'redirects',
    });
  }

  async function addressOf({ hostname, origin }: URL): Promise<string> {
    const address = await checkedAddress(hostname, {
      resolve: (name) => resolve(name).catch((cause) => nameless(hostname, cause)),
      allows: openOrigins.includes(origin) ? () => true : allows,
    });
    return address ?? nameless(hostname, 'no address');
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

/**
 * Null: the answer is an answer, or a redirect that must not be followed. What was to change something goes on only
 * where the server asks for the same request again, and only on the same origin. No other origin gets the headers.
 */
function nextHop(
  { statusCode = 0, headers: answered }: IncomingMessage,
  from: URL,
  headers: Hop['headers'],
  method: string,
): Hop | null {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
  if (!isRedirect || !answered.location || !URL.canParse(answered.location, from.href)) return null;
  const to = new URL(answered.location, from);
  const staysHome = to.origin === from.origin;
  const isRead = method === 'GET';
  if (!isRead && !(staysHome && [307, 308].includes(statusCode))) return null;
  return { url: to.href, headers: staysHome ? headers : HEADERS };
}

/** A DNS lookup cannot be cancelled; the caller stops waiting for it. */
async function ended(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

function nameless(hostname: string, cause: unknown): never {
  throw new SiteUnreachable(hostname, cause, { reason: 'no-name' });
}
