import { slug as toSlug } from '../../services/content/slug.ts';
import { kses } from './kses.ts';
import { refusedFor } from './login.ts';
import type { Call } from './rest.ts';
import { can, mayWriteScripts } from './roles.ts';
import { type Post, type User, WpError } from './wire.ts';

const YOAST_KEYS = ['_yoast_wpseo_title', '_yoast_wpseo_metadesc', '_yoast_wpseo_focuskw'];
const MOST_PER_PAGE = 100;

type Fields = Readonly<Record<string, unknown>>;

export function createPost(call: Call) {
  const { site, user } = call;
  if (!user || !can(user, 'edit_posts'))
    throw refusedFor(user, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.');
  const blank: Post = {
    id: 0,
    author: user.id,
    status: 'draft',
    slug: '',
    title: '',
    content: '',
    excerpt: '',
    featuredMedia: 0,
    categories: [],
    tags: [],
    meta: {},
    madeAt: new Date().toISOString(),
  };
  return { status: 201, body: save({ ...call, user }, blank, site.nextId) };
}

export function updatePost(call: Call & { id: number }) {
  const { user } = call;
  const post = found(call);
  const mayEdit =
    user && (post.author === user.id ? can(user, 'edit_posts') : can(user, 'edit_others_posts'));
  if (!mayEdit) throw refusedFor(user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
  return { status: 200, body: save({ ...call, user }, post, () => post.id) };
}

export function readPost(call: Call & { id: number }) {
  const post = found(call);
  if (post.status !== 'publish' || call.query.get('context') === 'edit') mustEdit(call.user);
  return { status: 200, body: shown(call, post) };
}

export function deletePost(call: Call & { id: number }) {
  const post = found(call);
  const { site, user, query } = call;
  if (!user || (post.author !== user.id && !can(user, 'edit_others_posts')))
    throw refusedFor(user, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.');
  const previous = shown(call, post);
  if (query.get('force') !== 'true') {
    site.posts.put(post.id, { ...post, status: 'trash', slug: `${post.slug}__trashed` });
    return { status: 200, body: { ...previous, status: 'trash' } };
  }
  site.posts.remove(post.id);
  return { status: 200, body: { deleted: true, previous } };
}

export function listPosts(call: Call) {
  const { site, user, query } = call;
  if (query.get('context') === 'edit') mustEdit(user);
  const statuses = (query.get('status') ?? 'publish').split(',');
  if (statuses.some((status) => status !== 'publish')) mustEdit(user);
  // An empty list is no condition.
  const slugs = query.get('slug')?.split(',').filter(Boolean) ?? [];
  const search = query.get('search')?.toLowerCase();
  const perPage = Number(query.get('per_page') ?? 10);
  if (perPage > MOST_PER_PAGE)
    throw new WpError(400, 'rest_invalid_param', 'Invalid parameter(s): per_page', {
      params: { per_page: 'too many' },
    });
  const all = site.posts
    .values()
    .filter(({ status }) => statuses.includes(status))
    .filter(({ slug }) => slugs.length === 0 || slugs.includes(slug))
    .filter(({ title, content }) => !search || `${title}\n${content}`.toLowerCase().includes(search))
    .reverse();
  const page = Number(query.get('page') ?? 1);
  return {
    status: 200,
    body: all.slice((page - 1) * perPage, page * perPage).map((post) => shown(call, post)),
    headers: { 'x-wp-total': String(all.length), 'x-wp-totalpages': String(Math.ceil(all.length / perPage)) },
  };
}

export function listPages({ site, query, base }: Call) {
  const { pages } = site.settings;
  const perPage = Number(query.get('per_page') ?? 10);
  const from = (Number(query.get('page') ?? 1) - 1) * perPage;
  return {
    status: 200,
    body: pages
      .slice(from, from + perPage)
      .map(({ slug, title }) => ({ link: `${base}/${slug}/`, title: { rendered: title } })),
    headers: { 'x-wp-total': String(pages.length) },
  };
}

/** In WordPress's order: rights, then the post itself, and only then its meta, whose refusal undoes nothing. */
function save(call: Call & { user: User }, before: Post, giveId: () => number) {
  const { site, user } = call;
  const fields = (call.json ?? {}) as Fields;
  const status = textOf(fields.status) ?? before.status;
  if (['publish', 'future', 'private'].includes(status) && !can(user, 'publish_posts'))
    throw refusedFor(
      user,
      'rest_cannot_publish',
      'Sorry, you are not allowed to publish posts in this post type.',
    );
  const clean = mayWriteScripts(user, site.settings) ? (html: string) => html : kses;
  const title = clean(textOf(fields.title) ?? before.title);
  const id = giveId();
  const wanted = toSlug(textOf(fields.slug) ?? (before.slug || title)) || String(id);
  const post: Post = {
    ...before,
    id,
    status,
    title,
    content: clean(textOf(fields.content) ?? before.content),
    excerpt: clean(textOf(fields.excerpt) ?? before.excerpt),
    slug: site.freeSlug(wanted, site.posts.values(), id),
    featuredMedia: Number(fields.featured_media ?? before.featuredMedia),
    categories: idsOf(fields.categories) ?? before.categories,
    tags: idsOf(fields.tags) ?? before.tags,
    meta: { ...before.meta, ...registered(call, (fields.meta ?? {}) as Fields) },
  };
  site.posts.put(id, post);
  const strangers = Object.keys((fields.meta ?? {}) as Fields).filter((key) => !(key in post.meta));
  if (strangers.length > 0 && site.settings.unknownMeta === 'refused')
    throw refusedFor(
      user,
      'rest_cannot_update',
      `Sorry, you are not allowed to edit the ${strangers[0]} custom field.`,
    );
  return shown({ site, base: call.base }, post);
}

const registered = ({ site }: Call, meta: Fields): Fields =>
  site.settings.seo === 'yoast'
    ? Object.fromEntries(Object.entries(meta).filter(([key]) => YOAST_KEYS.includes(key)))
    : {};

function shown({ site, base, query }: Pick<Call, 'site' | 'base'> & { query?: URLSearchParams }, post: Post) {
  const rendered = post.content.replace(/<!--\s*\/?wp:[\s\S]*?-->\s*/gu, '');
  const isEdited = !query || query.get('context') === 'edit';
  const known = Object.fromEntries(Object.entries(post.meta).filter(([key]) => key.startsWith('_yoast')));
  return {
    id: post.id,
    date_gmt: post.madeAt.slice(0, 19),
    slug: post.slug,
    status: post.status,
    type: 'post',
    link: `${base}/${addressOf(site, post)}`,
    title: { rendered: post.title, ...(isEdited && { raw: post.title }) },
    content: { rendered, protected: false, ...(isEdited && { raw: post.content }) },
    excerpt: { rendered: post.excerpt, protected: false, ...(isEdited && { raw: post.excerpt }) },
    author: post.author,
    featured_media: post.featuredMedia,
    categories: post.categories,
    tags: post.tags,
    meta: Object.keys(known).length > 0 ? known : [],
  };
}

/** A draft is reached by its number, whatever its name will be. */
const addressOf = ({ settings }: Call['site'], { id, slug, status }: Post): string =>
  ['draft', 'pending'].includes(status)
    ? addresses.plain({ id })
    : addresses[settings.permalinks]({ id, slug });

const addresses = {
  pretty: ({ slug }: { slug: string }) => `${slug}/`,
  plain: ({ id }: { id: number }) => `?p=${id}`,
  numbered: ({ id }: { id: number }) => `archives/${id}`,
  html: ({ slug }: { slug: string }) => `${slug}.html`,
};

function found({ site, id }: Call & { id: number }): Post {
  const post = site.posts.get(id);
  if (!post) throw new WpError(404, 'rest_post_invalid_id', 'Invalid post ID.');
  return post;
}

function mustEdit(user: User | null): void {
  if (user && can(user, 'edit_posts')) return;
  throw refusedFor(
    user,
    'rest_forbidden_context',
    'Sorry, you are not allowed to edit posts in this post type.',
  );
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const idsOf = (value: unknown): number[] | undefined =>
  Array.isArray(value) ? value.map(Number).filter(Number.isInteger) : undefined;
