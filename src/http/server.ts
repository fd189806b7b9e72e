import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Answers the request and says true, or leaves it untouched for the next handler and says false. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<boolean>;

export class BodyTooLarge extends Error {}

export class PortTaken extends Error {
  override readonly name = 'PortTaken';
  readonly code = 'EADDRINUSE';
  constructor(port: number, cause: unknown) {
    super(`Port ${port} is taken by another process. Stop it, or set PORT.`, { cause });
  }
}

// An answer that is being written takes milliseconds; a stream would never end.
const LAST_ANSWERS_MS = 1_000;

/** Handlers are asked in order; the first one that answers ends the request. */
export function createHttpServer(handlers: HttpHandler[], onError: (error: unknown) => void): Server {
  return createServer(async (request, response) => {
    try {
      const url = addressOf(request.url);
      if (!url) return sendJson(response, 404, { error: 'not found' });
      for (const handle of handlers) if (await handle(request, response, url)) return;
      sendJson(response, 404, { error: 'not found' });
    } catch (error) {
      if (error instanceof BodyTooLarge) {
        // Closed at once, the wire would swallow the answer; left unread, the rest would stand in the way of what the
        // sender asks next. One that never ends is cut off.
        const late = setTimeout(() => request.destroy(), LAST_ANSWERS_MS).unref();
        request.once('end', () => clearTimeout(late)).resume();
        return sendJson(response, 413, { error: 'body too large' });
      }
      onError(error);
      if (!response.headersSent) sendJson(response, 500, { error: 'internal error' });
      else response.destroy();
    }
  });
}

/** Null for what no browser would ask for, such as `//`. */
function addressOf(path = '/'): URL | null {
  try {
    return new URL(path, 'http://localhost');
  } catch {
    return null;
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  };
  response.writeHead(status, headers).end(text);
}

/** By events: iterating over a request costs as much as all the rest of a small one. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        request.removeAllListeners('data');
        reject(new BodyTooLarge(`body exceeds ${maxBytes} bytes`));
      }
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

export function listen(server: Server, port: number, host?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTaken(port, error) : error);
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Graceful: running requests are answered, new ones are refused. */
export async function closeServer(server: Server): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const late = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(idle);
  clearTimeout(late);
}
