import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Log } from '../log.ts';
import { addressList, callerAddress } from './caller-address.ts';
import { drain, readUpTo } from './json-body.ts';
import { type HttpHandler, sendJson } from './server.ts';

const MOST_BYTES = 256 * 1024;

/** Where YooKassa calls from. Its notices carry no signature. */
export const yookassaSenders = [
  '185.71.76.0/27',
  '185.71.77.0/27',
  '77.75.153.0/25',
  '77.75.154.128/25',
  '77.75.156.11',
  '77.75.156.35',
  '2a02:5180::/32',
] as const;

const notice = z.object({ event: z.string(), object: z.object({ id: z.string().min(1).max(64) }) });

/** Notices of payments and refunds. They only say where to look: what is true is asked of YooKassa itself. */
export function yookassaWebhookHandler(
  heard: (notice: { event: string; id: string }) => Promise<string>,
  { senders, trustedHops, log }: { senders: readonly string[]; trustedHops: number; log: Log },
): HttpHandler {
  const isSender = addressList(senders);
  return async (request, response, url) => {
    if (url.pathname !== '/api/yookassa/webhook') return false;
    const { status, body } = await answerTo(request);
    if (response.destroyed) return true;
    if (!request.complete) drain(request);
    sendJson(response, status, body);
    return true;
  };

  async function answerTo(request: IncomingMessage): Promise<{ status: number; body: object }> {
    if (request.method !== 'POST') return { status: 405, body: { error: 'POST only' } };
    const caller = callerAddress(request, trustedHops);
    if (!isSender(caller)) {
      log.warn({ caller }, 'a payment notice from a stranger was refused');
      return { status: 403, body: { error: 'forbidden' } };
    }
    const read = await readUpTo(request, MOST_BYTES);
    if (read === 'too-slow') return { status: 408, body: { error: 'too slow' } };
    const json = read === 'not-utf8' || read.json === null ? undefined : parsed(read.json);
    if (json === undefined) return { status: 400, body: { error: 'no JSON' } };
    const given = notice.safeParse(json);
    if (!given.success) return { status: 200, body: { status: 'ignored' } };
    try {
      const { event, object } = given.data;
      return { status: 200, body: { status: await heard({ event, id: object.id }) } };
    } catch (error) {
      log.error({ err: error }, 'a payment notice was not taken');
      return { status: 500, body: { error: 'try again' } }; // YooKassa brings it again, for a day
    }
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
