import { refusedFor } from './login.ts';
import type { Call } from './rest.ts';
import { can } from './roles.ts';
import { WpError } from './wire.ts';

type Order = { objectType?: unknown; objectID?: unknown; meta?: Record<string, unknown> };

/** The plugin's own way to its fields; an empty value erases one. */
export function updateRankMath({ site, user, json }: Call) {
  if (!site.settings.seo.startsWith('rankmath'))
    throw new WpError(404, 'rest_no_route', 'No route was found matching the URL and request method.');
  const { objectType, objectID, meta = {} } = (json ?? {}) as Order;
  const post = objectType === 'post' ? site.posts.get(Number(objectID)) : undefined;
  if (!post) throw new WpError(400, 'rest_invalid_param', 'Invalid parameter(s): objectID', { params: {} });
  if (!user || (post.author !== user.id && !can(user, 'edit_others_posts')))
    throw refusedFor(user, 'rest_forbidden', 'Sorry, you are not allowed to do that.');
  const kept = Object.entries({ ...post.meta, ...meta }).filter(([, value]) => value !== '');
  site.posts.put(post.id, { ...post, meta: Object.fromEntries(kept) });
  return { status: 200, body: { slug: true, schemas: [] } };
}
