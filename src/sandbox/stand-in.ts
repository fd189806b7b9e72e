import type { IncomingMessage } from 'node:http';
import { createHttpServer, type HttpHandler, listen, readBody, sendJson } from '../http/server.ts';
import { createFaults, type FaultRule, type Faults, type RefusalBody, strike } from './faults.ts';

export type StandIn = {
  readonly name: string;
  /** Without a slash at the end. */
  readonly url: string;
  readonly faults: Faults;
  /** Ends everything at once, open and hanging connections too. */
  close(): Promise<void>;
};

type StandInOptions = {
  name: string;
  handle: HttpHandler;
  /** 0, or none: a free one. */
  port?: number;
  refusal?: RefusalBody;
  /** Shared with a service that strikes by chat. */
  faults?: Faults;
  /** Answers before any fault can strike: ways to act as the people behind the service. */
  control?: HttpHandler;
};

// A stand-in acts for people and keeps their data: it is never for the network.
const HOST = '127.0.0.1';
const MAX_CONTROL_BODY = 64 * 1024;

/** A local server in the place of an outside service. Every stand-in is started, addressed and made to fail like this. */
export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const faults = options.faults ?? createFaults();
  const refusal = options.refusal ?? ((status) => ({ error: `stand-in was told to answer ${status}` }));
  const server = createHttpServer([refuseStrangers, faultControl, control, service], (error) =>
    console.error(`stand-in ${options.name}:`, error),
  );
  const port = await listen(server, options.port ?? 0, HOST);
  return { name: options.name, url: `http://${HOST}:${port}`, faults, close };

  async function faultControl(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (url.pathname !== '/__faults') return false;
    if (request.method === 'POST') {
      try {
        const given: unknown = JSON.parse((await readBody(request, MAX_CONTROL_BODY)).toString());
        for (const rule of Array.isArray(given) ? given : [given]) faults.add(rule as FaultRule);
      } catch (error) {
        sendJson(response, 400, { error: String(error) });
        return true;
      }
    }
    if (request.method === 'DELETE') faults.clear();
    sendJson(response, 200, { faults: faults.list() });
    return true;
  }

  async function control(...args: Parameters<HttpHandler>): Promise<boolean> {
    return (await options.control?.(...args)) ?? false;
  }

  function service(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    const fault = faults.take(request.method ?? 'GET', url.pathname);
    const handle = () => options.handle(request, response, url);
    return strike(fault, request, response, { faults, refusal, handle });
  }

  function close(): Promise<void> {
    faults.clear();
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

/** On this port, so that addresses in chats and databases stay good; on another one if somebody has it. */
export async function onPort<Started>(
  port: number,
  start: (port: number) => Promise<Started>,
): Promise<Started> {
  try {
    return await start(port);
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return start(0);
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * A page of another site, open in the same browser, can reach loopback: it must not act for people here. Browsers
 * name the site in Origin; a name that was rebound to 127.0.0.1 shows in Host.
 */
async function refuseStrangers(...[request, response]: Parameters<HttpHandler>): Promise<boolean> {
  const host = `http://${request.headers.host}`;
  const local = URL.canParse(host) && LOOPBACK.has(new URL(host).hostname);
  if (local && !isFromAnotherSite(request)) return false;
  sendJson(response, 403, { error: 'requests from other sites are refused' });
  return true;
}

export function isFromAnotherSite({ headers }: IncomingMessage): boolean {
  if (headers.origin === undefined) return false;
  return !URL.canParse(headers.origin) || new URL(headers.origin).host !== headers.host;
}
