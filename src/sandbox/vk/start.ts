import { type HttpHandler, readBody, sendJson } from '../../http/server.ts';
import { openJournal } from '../journal.ts';
import { openKeptFiles } from '../kept-files.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { createVkApi } from './api.ts';
import { vkPage } from './reader.ts';
import { openVkWorld, type VkGroupRow, type VkToken, type VkWorld } from './world.ts';

type VkStandInOptions = {
  port?: number;
  /** A file; with it communities, keys and walls survive the end of the process. */
  journal?: string;
  /** As VK has them; null: none, for tests that call often. */
  limits?: { user: number; community: number } | null;
  now?: () => number;
};

export type VkStandIn = StandIn & { readonly world: VkWorld };

/** What can be changed from another process: `POST /__vk` with any of these. */
type Order = { group?: VkGroupRow; token?: VkToken; revoke?: string };

const MAX_ORDER = 64 * 1024;
const LIMITS = { user: 3, community: 20 };
const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** VK on loopback: its methods, the host of uploads, and the walls as people read them. */
export async function startVkStandIn(options: VkStandInOptions = {}): Promise<VkStandIn> {
  const { port = 0, now = Date.now, limits = LIMITS } = options;
  const journal = openJournal(options.journal);
  const files = openKeptFiles(options.journal);
  const world = openVkWorld(journal, now);
  const api = createVkApi({ world, files, limits, now });
  const standIn = await startStandIn({
    name: 'vk',
    port,
    handle: async (...args) => (await api(...args)) || read(...args),
    control,
  });
  return { ...standIn, world, close };

  async function read(...[, response, { pathname }]: Parameters<HttpHandler>): Promise<boolean> {
    const photo = /^\/photo\/(\d+)$/u.exec(pathname)?.[1];
    const bytes = photo ? files.get(`photo-${photo}`) : null;
    if (bytes) {
      const mime = world.photo(Number(photo))?.mime ?? 'image/jpeg';
      response.writeHead(200, { 'content-type': mime }).end(bytes);
      return true;
    }
    const html = vkPage(world, pathname);
    if (html === null) return false;
    response.writeHead(200, HTML).end(html);
    return true;
  }

  async function control(...[request, response, url]: Parameters<HttpHandler>): Promise<boolean> {
    if (url.pathname === '/__arrivals') {
      sendJson(response, 200, { posts: world.wall(Number(url.searchParams.get('group_id'))) });
      return true;
    }
    if (url.pathname !== '/__vk' || request.method !== 'POST') return false;
    const { group, token, revoke }: Order = JSON.parse((await readBody(request, MAX_ORDER)).toString());
    if (group) world.addGroup(group);
    if (token) world.addToken(token);
    if (revoke) world.revoke(revoke);
    sendJson(response, 200, { ok: true });
    return true;
  }

  async function close(): Promise<void> {
    await standIn.close();
    journal.close();
  }
}

/** An order to fail with one of VK's numbers: they come with HTTP 200. */
export const vkFault = (method: string, code: number, times: number | null = 1) => ({
  ...{ match: method.replaceAll('.', '\\.'), times },
  fault: {
    kind: 'status' as const,
    status: 200,
    body: { error: { error_code: code, error_msg: `told to answer ${code}`, request_params: [] } },
  },
});
