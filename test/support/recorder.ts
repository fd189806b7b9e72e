import { createHttpServer, listen, readBody } from '../../src/http/server.ts';

export type RecordedRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string | undefined>;
  /** A form by its fields, JSON as it is; a file by its size. */
  body: unknown;
};

const MAX_BODY = 16 * 1024 * 1024;

/** A server that writes down what it is asked and answers as told: for comparing a client with what the API takes. */
export async function startRecorder(answer: (asked: RecordedRequest) => unknown) {
  const requests: RecordedRequest[] = [];
  const server = createHttpServer(
    [
      async (request, response, url) => {
        const bytes = await readBody(request, MAX_BODY);
        const type = request.headers['content-type'] ?? '';
        const asked: RecordedRequest = {
          method: request.method ?? '',
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
          headers: { authorization: request.headers.authorization, 'content-type': type.split(';')[0] },
          body: await readAs(type, bytes),
        };
        requests.push(asked);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(asked)));
        return true;
      },
    ],
    (error) => console.error('recorder:', error),
  );
  const port = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function readAs(type: string, bytes: Buffer): Promise<unknown> {
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(bytes.toString()));
  if (type.startsWith('application/json')) return JSON.parse(bytes.toString());
  if (!type.startsWith('multipart/form-data')) return bytes.length === 0 ? null : bytes.toString();
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  return Object.fromEntries(
    [...form].map(([name, value]) => [
      name,
      value instanceof File ? { name: value.name, type: value.type, size: value.size } : value,
    ]),
  );
}
