import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { makeIngestPost } from '../../../src/autopost/ingest/ingest-post.ts';
import { makeMediaShelf } from '../../../src/autopost/media/media-shelf.ts';
import { makeIngestRuns } from '../../../src/autopost/store/ingest-runs.ts';
import { makeKnowsSecret } from '../../../src/autopost/store/known-secrets.ts';
import { makeMedia } from '../../../src/autopost/store/media.ts';
import { makePush } from '../../../src/autopost/store/push.ts';
import type { NewEndpoint } from '../../../src/autopost/store/workspaces.ts';
import { createGuardedFetch } from '../../../src/clients/http/guarded-fetch.ts';
import { ingestHandler } from '../../../src/http/ingest.ts';
import { closeServer, createHttpServer, listen } from '../../../src/http/server.ts';
import type { Sql } from '../../../src/store/database.ts';
import { aWorkspace } from '../store/a-workspace.ts';

export const quiet = pino({ level: 'silent' });
export const png = Buffer.from('89504e470d0a1a0a0000', 'hex');

/** A workspace with a channel of each platform, and its entrance on a server of its own. */
export async function anEntrance(
  sql: Sql,
  {
    allowPrivate = true,
    bodyWithinMs = 20_000,
    ...endpoint
  }: { allowPrivate?: boolean; bodyWithinMs?: number } & Partial<NewEndpoint> = {},
) {
  const workspace = await aWorkspace(sql, { channels: 0 });
  await workspace.saveChannel('tg', { platform: 'telegram' });
  await workspace.saveChannel('max', { platform: 'max' });
  const secret = randomUUID();
  const common = { endpointId: 'main', kind: 'webhook_push', secret, ingressRps: 1_000 } as const;
  await workspace.workspaces.saveEndpoint(workspace.id, { ...common, ...endpoint });

  const files = new Map<string, Buffer>();
  const rings = { count: 0 };
  const knows = makeKnowsSecret(sql);
  const ingest = makeIngestPost({
    knows,
    push: makePush(sql),
    runs: makeIngestRuns(sql),
    shelf: makeMediaShelf({
      files: inMemory(files),
      fetch: createGuardedFetch({ allowPrivate }),
      media: makeMedia(sql),
    }),
    onEnqueued: () => {
      rings.count += 1;
    },
  });
  const errors: unknown[] = [];
  const base = await serve([ingestHandler(ingest, { knows, log: quiet, bodyWithinMs })], errors);
  return { ...workspace, secret, files, rings, errors, base, send, stats, messages, deliveries };

  async function send(body: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${base}/api/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    return { status: response.status, answer, retryAfter: response.headers.get('retry-after') };
  }

  async function stats(): Promise<Record<string, number>> {
    const rows = await sql<{ stats: Record<string, number> }[]>`
      select stats_json as stats from ingest_runs where workspace_id = ${workspace.id} and kind = 'push'`;
    if (rows.length > 1) throw new Error('the hour changed during the test');
    return rows[0]?.stats ?? {};
  }

  async function messages() {
    return sql`select payload, tags, source_ref, normalization_version, first_ingest_run_id
      from messages where workspace_id = ${workspace.id} order by created_at`;
  }

  async function deliveries() {
    return sql`select channel_id, status, rendered_text as text, render_meta as meta
      from deliveries where workspace_id = ${workspace.id} order by seq`;
  }
}

async function serve(handlers: Parameters<typeof createHttpServer>[0], errors: unknown[]): Promise<string> {
  const server = createHttpServer(handlers, (error) => errors.push(error));
  onTestFinished(() => closeServer(server));
  return `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
}

/** Somebody else's server. */
export async function site(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
}

export const inMemory = (files: Map<string, Buffer>) => ({
  save: async (path: string, bytes: Uint8Array) => void files.set(path, Buffer.from(bytes)),
  read: async (path: string) => files.get(path) ?? null,
  remove: async (paths: readonly string[]) => {
    for (const path of paths) files.delete(path);
  },
});
