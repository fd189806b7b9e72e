import { type Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import type { ApiClientOptions } from 'grammy';

/** As grammY calls it; a body that is no text is an upload. */
type Call = {
  method: string;
  headers: Record<string, string>;
  body: string | Readable;
  agent: Agent;
  signal: AbortSignal;
};

/**
 * What grammY needs of `fetch` and no more: node-fetch, its default, takes a fifth of the time an update costs us.
 * Failures keep the code of the socket, by which `api-fault.ts` tells "never left" from "nobody knows".
 */
function leanFetch(url: string, { body, headers, ...options }: Call): Promise<{ json(): unknown }> {
  return new Promise((resolve, reject) => {
    const text = typeof body === 'string' ? Buffer.from(body) : null;
    const call = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, {
      ...options,
      headers: text ? { ...headers, 'content-length': text.length } : headers,
    });
    call.once('error', reject);
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => resolve({ json: () => JSON.parse(Buffer.concat(chunks).toString()) }));
    });
    if (text) call.end(text);
    else (body as Readable).once('error', reject).pipe(call);
  });
}

/** For `new Bot` and `new Api`. */
export const leanClient = { fetch: leanFetch as unknown as NonNullable<ApiClientOptions['fetch']> };
