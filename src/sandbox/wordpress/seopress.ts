import { refusedFor } from './login.ts';
import type { Call } from './rest.ts';
import { can } from './roles.ts';
import { type Post, WpError } from './wire.ts';

const KEYS: Readonly<Record<string, string>> = {
  title: '_seopress_titles_title',
  description: '_seopress_titles_desc',
};

export function readSeoPress(call: Call & { id: number }) {
  const { meta } = postOf(call);
  const said = (key: string) => String(meta[KEYS[key]!] ?? '');
  return { status: 200, body: { title: said('title'), description: said('description') } };
}

/** One address for each group of fields; the two of the first group have short names there. */
export function updateSeoPress(call: Call & { id: number }) {
  const post = postOf(call);
  const { site, user, json } = call;
  if (!user || (post.author !== user.id && !can(user, 'edit_others_posts')))
    throw refusedFor(user, 'rest_forbidden', 'Sorry, you are not allowed to do that.');
  const given = Object.entries((json ?? {}) as Record<string, unknown>);
  const meta = Object.fromEntries(given.map(([key, value]) => [KEYS[key] ?? key, value]));
  site.posts.put(post.id, { ...post, meta: { ...post.meta, ...meta } });
  return { status: 200, body: { code: 'success' } };
}

function postOf({ site, id }: Call & { id: number }): Post {
  const post = site.seoPlugin() === 'seopress' ? site.posts.get(id) : undefined;
  if (!post)
    throw new WpError(404, 'rest_no_route', 'No route was found matching the URL and request method.');
  return post;
}
