import type { IncomingMessage } from 'node:http';
import { logIn, refusedFor } from './login.ts';
import { listMedia, updateMedia, uploadMedia } from './media.ts';
import { activatePlugin, installPlugin, listPlugins } from './plugins.ts';
import { createPost, deletePost, listPages, listPosts, readPost, updatePost } from './posts.ts';
import { updateRankMath } from './rank-math.ts';
import { capabilitiesOf } from './roles.ts';
import { readSeoPress, updateSeoPress } from './seopress.ts';
import type { Site } from './site.ts';
import { createTerm, listTerms } from './terms.ts';
import { type SiteSettings, type User, WpError } from './wire.ts';

export type Call = {
  site: Site;
  user: User | null;
  request: IncomingMessage;
  query: URLSearchParams;
  bytes: Buffer;
  /** The body, where it is JSON. */
  json: unknown;
  /** Address of the site, without a slash at the end. */
  base: string;
};
export type Reply = { status: number; body: unknown; headers?: Record<string, string> };
type Route = (call: Call & { id: number; route: string }) => Reply | Promise<Reply>;

const routes: readonly (readonly [pattern: RegExp, route: Route])[] = [
  [/^GET $/u, index],
  [/^GET wp\/v2\/users\/me$/u, me],
  [/^GET wp\/v2\/media$/u, listMedia],
  [/^POST wp\/v2\/media$/u, uploadMedia],
  [/^POST wp\/v2\/media\/(\d+)$/u, updateMedia],
  [/^GET wp\/v2\/pages$/u, listPages],
  [/^GET wp\/v2\/posts$/u, listPosts],
  [/^POST wp\/v2\/posts$/u, createPost],
  [/^GET wp\/v2\/posts\/(\d+)$/u, readPost],
  [/^POST wp\/v2\/posts\/(\d+)$/u, updatePost],
  [/^DELETE wp\/v2\/posts\/(\d+)$/u, deletePost],
  [/^GET wp\/v2\/categories$/u, (call) => listTerms({ ...call, taxonomy: 'categories' })],
  [/^POST wp\/v2\/categories$/u, (call) => createTerm({ ...call, taxonomy: 'categories' })],
  [/^GET wp\/v2\/tags$/u, (call) => listTerms({ ...call, taxonomy: 'tags' })],
  [/^POST wp\/v2\/tags$/u, (call) => createTerm({ ...call, taxonomy: 'tags' })],
  [/^GET wp\/v2\/plugins$/u, listPlugins],
  [/^POST wp\/v2\/plugins$/u, installPlugin],
  [/^POST wp\/v2\/plugins\/([^/]+\/[^/]+)$/u, activatePlugin],
  [/^GET seopress\/v1\/posts\/(\d+)\/title-description-metas$/u, readSeoPress],
  [/^PUT seopress\/v1\/posts\/(\d+)\/[a-z-]+$/u, updateSeoPress],
  [/^POST rankmath\/v1\/updateMeta$/u, updateRankMath],
];

/** `route` is what comes after `/wp-json/`. */
export async function answerRest(route: string, call: Omit<Call, 'user' | 'json'>): Promise<Reply> {
  try {
    const user = logIn(call.site, call.request);
    const { rest } = call.site.settings;
    if (rest === 'off' || (rest === 'members' && !user))
      throw new WpError(401, 'rest_cannot_access', 'DRA: Only authenticated users can access the REST API.');
    // Where a host lets no PUT through, the method stands in the address.
    const method = call.query.get('_method') ?? call.request.method;
    const asked = `${method} ${route.replace(/\/+$/u, '')}`;
    for (const [pattern, answer] of routes) {
      const match = pattern.exec(asked);
      if (match) return await answer({ ...call, user, json: jsonOf(call), id: Number(match[1] ?? 0), route });
    }
    throw new WpError(404, 'rest_no_route', 'No route was found matching the URL and request method.');
  } catch (error) {
    if (error instanceof WpError) return { status: error.status, body: error.body() };
    throw error;
  }
}

function index({ site, base, query }: Call): Reply {
  const { title, applicationPasswords } = site.settings;
  const plugin = namespaces[site.seoPlugin()];
  const endpoints = { authorization: `${base}/wp-admin/authorize-application.php` };
  const whole = {
    name: title,
    description: '',
    url: base,
    home: base,
    gmt_offset: 3,
    timezone_string: 'Europe/Moscow',
    namespaces: ['oembed/1.0', ...plugin, 'wp/v2'],
    authentication: applicationPasswords ? { 'application-passwords': { endpoints } } : [],
    routes: {},
  };
  const fields = query.get('_fields')?.split(',');
  const body = Object.fromEntries(Object.entries(whole).filter(([name]) => !fields || fields.includes(name)));
  return { status: 200, body };
}

const namespaces: Readonly<Record<SiteSettings['seo'], readonly string[]>> = {
  none: [],
  yoast: ['yoast/v1'],
  'yoast-old': ['yoast/v1'],
  rankmath: ['rankmath/v1'],
  'rankmath-new': ['rankmath/v1'],
  seopress: ['seopress/v1'],
};

function me({ user, query }: Call): Reply {
  if (!user) throw refusedFor(null, 'rest_not_logged_in', 'You are not currently logged in.');
  const { id, name, login, email, role } = user;
  const edited = { username: login, email, roles: [role], capabilities: capabilitiesOf(user) };
  return { status: 200, body: { id, name, slug: login, ...(query.get('context') === 'edit' && edited) } };
}

function jsonOf({ request, bytes }: Omit<Call, 'user' | 'json'>): unknown {
  if (!/json/iu.test(request.headers['content-type'] ?? '')) return null;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new WpError(400, 'rest_invalid_json', 'Invalid JSON body passed.');
  }
}
