import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';

export type SupabaseStandIn = StandIn & { readonly paths: () => string[] };

type Stored = { id: string; bytes: Buffer; contentType: string; updatedAt: Date };

const ROOT = '/storage/v1/object';
const MAX_BODY = 64 * 1024 * 1024;

/** Supabase Storage with one private bucket. Refusals carry their true status in the body, under HTTP 400. */
export async function startSupabaseStandIn({
  key,
  bucket = 'content-images',
  port,
  clock = Date.now,
}: {
  key: string;
  bucket?: string;
  port?: number;
  clock?: () => number;
}): Promise<SupabaseStandIn> {
  const objects = new Map<string, Stored>();
  const secret = randomBytes(32);
  const standIn = await startStandIn({
    name: 'supabase',
    handle,
    ...(port !== undefined && { port }),
    refusal: (status) => refusalBody(status, 'InternalError', `The stand-in was told to answer ${status}`),
  });
  return { ...standIn, paths: () => [...objects.keys()].sort() };

  async function handle(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (!url.pathname.startsWith(`${ROOT}/`)) return false;
    const [first = '', ...rest] = decodeURIComponent(url.pathname.slice(ROOT.length + 1)).split('/');
    const action = first === 'sign' || first === 'list' ? first : null;
    const [named, ...segments] = action ? rest : [first, ...rest];
    const path = segments.join('/');

    if (action === 'sign' && request.method === 'GET') {
      return serve(response, isSignedFor(path, url.searchParams.get('token') ?? '') ? path : null);
    }
    const { apikey, authorization } = request.headers;
    if (apikey !== key || authorization !== `Bearer ${key}`) {
      return refuse(response, 403, 'Unauthorized', 'Invalid Compact JWS');
    }
    if (named !== bucket) return refuse(response, 404, 'Bucket not found', 'Bucket not found');
    const body = await readBody(request, MAX_BODY);
    if (action === 'sign') return sign(response, path, JSON.parse(body.toString()).expiresIn);
    if (action === 'list') return list(response, JSON.parse(body.toString()));
    if (request.method === 'GET') return serve(response, path);
    if (request.method === 'DELETE') return remove(response, JSON.parse(body.toString()).prefixes);
    return upload(response, path, {
      bytes: body,
      contentType: request.headers['content-type'] ?? 'application/octet-stream',
      replace: request.headers['x-upsert'] === 'true',
    });
  }

  function upload(
    response: ServerResponse,
    path: string,
    { bytes, contentType, replace }: { bytes: Buffer; contentType: string; replace: boolean },
  ): true {
    const known = objects.get(path);
    if (known && !replace) return refuse(response, 409, 'Duplicate', 'The resource already exists');
    const id = known?.id ?? randomUUID();
    objects.set(path, { id, bytes, contentType, updatedAt: new Date(clock()) });
    return answer(response, { Id: id, Key: `${bucket}/${path}` });
  }

  function serve(response: ServerResponse, path: string | null): true {
    if (path === null) return refuse(response, 400, 'InvalidJWT', 'jwt expired');
    const stored = objects.get(path);
    if (!stored) return refuse(response, 404, 'not_found', 'Object not found');
    response.writeHead(200, { 'content-type': stored.contentType }).end(stored.bytes);
    return true;
  }

  function sign(response: ServerResponse, path: string, seconds: number): true {
    if (!objects.has(path)) return refuse(response, 404, 'not_found', 'Object not found');
    const expires = String(Math.floor(clock() / 1_000) + seconds);
    const token = `${expires}.${tokenFor(path, expires)}`;
    return answer(response, { signedURL: `/object/sign/${bucket}/${path}?token=${token}` });
  }

  function isSignedFor(path: string, token: string): boolean {
    const [expires = '', signature] = token.split('.');
    return signature === tokenFor(path, expires) && Number(expires) * 1_000 > clock();
  }

  function tokenFor(path: string, expires: string): string {
    return createHmac('sha256', secret).update(`${path}\n${expires}`).digest('base64url');
  }

  function remove(response: ServerResponse, prefixes: string[]): true {
    const removed = prefixes.filter((path) => objects.delete(path));
    return answer(
      response,
      removed.map((name) => ({ bucket_id: bucket, name })),
    );
  }

  /** One level, as the real thing: folders are names without an id. */
  function list(
    response: ServerResponse,
    { prefix, limit = 100, offset = 0 }: { prefix: string; limit?: number; offset?: number },
  ): true {
    const start = prefix === '' ? '' : `${prefix}/`;
    const entries = new Map<string, object>();
    for (const path of [...objects.keys()].filter((known) => known.startsWith(start)).sort()) {
      const [name = '', ...deeper] = path.slice(start.length).split('/');
      const { id, updatedAt } = objects.get(path)!;
      const isFile = deeper.length === 0;
      entries.set(name, {
        name,
        id: isFile ? id : null,
        updated_at: isFile ? updatedAt.toISOString() : null,
      });
    }
    return answer(response, [...entries.values()].slice(offset, offset + limit));
  }
}

function answer(response: ServerResponse, body: unknown): true {
  sendJson(response, 200, body);
  return true;
}

function refuse(response: ServerResponse, status: number, error: string, message: string): true {
  sendJson(response, 400, refusalBody(status, error, message));
  return true;
}

const refusalBody = (status: number, error: string, message: string) => ({
  statusCode: String(status),
  error,
  message,
});
