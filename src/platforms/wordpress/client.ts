import { z } from 'zod';
import { slug } from '../../services/content/slug.ts';
import { makeDiscover } from './client-discovery.ts';
import { networkFailure, refusalOf } from './client-refusal.ts';
import { type Access, makeRequest, type RequestOptions } from './client-request.ts';
import { describedIn } from './described-in.ts';

export type Taxonomy = 'categories' | 'tags';
type WordPressUser = z.infer<typeof user>;
type WordPressTerm = z.infer<typeof term>;
type InstalledPlugin = z.infer<typeof plugin>;
export type WordPressMedia = { id: number; url: string };
export type WordPressPost = {
  id: number;
  link: string;
  status: string;
  title: string;
  content: string;
  excerpt?: string;
  meta: Readonly<Record<string, unknown>>;
};
export type NewPost = {
  title: string;
  slug: string;
  content: string;
  excerpt: string;
  status: 'publish' | 'draft';
  featured_media?: number;
  categories?: readonly number[];
  tags?: readonly number[];
  meta?: Readonly<Record<string, string>>;
};

export type WordPress = ReturnType<typeof createWordPress>;

type Limits = { lookMs: number; uploadMs: number; describeMs: number; postMs: number; installMs: number };
const LIMITS: Limits = {
  lookMs: 10_000,
  uploadMs: 30_000,
  describeMs: 15_000,
  postMs: 30_000,
  // The site fetches the plugin, unpacks and starts it before it answers.
  installMs: 120_000,
};

/** Whatever a person may have made of it since, it is still the same post. */
const ANY_STATUS = 'publish,future,draft,pending,private';

const user = z.object({
  id: z.number(),
  name: z.string(),
  roles: z.array(z.string()).catch([]),
  // PHP writes an empty map as a list.
  capabilities: z.record(z.string(), z.unknown()).catch({}),
});
const media = z
  .object({ id: z.number(), source_url: z.string() })
  .transform(({ id, source_url }): WordPressMedia => ({ id, url: source_url }));
const text = z.object({ raw: z.string().optional(), rendered: z.string().catch('') });
const post = z
  .object({
    id: z.number(),
    link: z.string(),
    status: z.string().catch(''),
    title: text,
    content: text,
    excerpt: text.optional(),
    meta: z.record(z.string(), z.unknown()).catch({}),
  })
  .transform(
    ({ title, content, excerpt, ...rest }): WordPressPost => ({
      ...rest,
      ...(excerpt && { excerpt: excerpt.raw ?? excerpt.rendered }),
      title: title.raw ?? title.rendered,
      content: content.raw ?? content.rendered,
    }),
  );
const listed = z.object({ link: z.string(), title: text });
// An id becomes part of a button, and stands in an integer there.
const term = z.object({ id: z.int32().positive(), name: z.string() });
const done = z.looseObject({});
/** Named by its folder and file, such as `wp-seopress/seopress`. */
const plugin = z.object({ plugin: z.string(), status: z.string() });
const describedFields = z.object({ title: z.string().catch(''), description: z.string().catch('') });

/** The REST API of WordPress sites that people connect. Every failure is a WordPressFailed. */
export function createWordPress({
  limits = {},
  allowHttp = false,
  ...options
}: RequestOptions & {
  limits?: Partial<Limits>;
  /** Every peer is on this machine: an address typed with `http://` is not asked for HTTPS first. */
  allowHttp?: boolean;
}) {
  const { lookMs, uploadMs, describeMs, postMs, installMs } = { ...LIMITS, ...limits };
  const { request, requestPart } = makeRequest(options);
  const { fetch } = options;
  return {
    discover: makeDiscover({ fetch, request, allowHttp, timeoutMs: lookMs }),

    me(access: Access, signal?: AbortSignal): Promise<WordPressUser> {
      const call = { query: { context: 'edit' }, timeoutMs: lookMs, signal };
      return request(access, 'wp/v2/users/me', user, call);
    },

    uploadMedia(
      access: Access,
      file: { bytes: Uint8Array; contentType: string; filename: string },
      signal?: AbortSignal,
    ): Promise<WordPressMedia> {
      const headers = {
        'content-type': file.contentType,
        'content-disposition': `attachment; filename="${file.filename}"`,
      };
      const call = { method: 'POST', body: file.bytes, headers, timeoutMs: uploadMs, signal } as const;
      return request(access, 'wp/v2/media', media, call);
    },

    async describeMedia(
      access: Access,
      id: number,
      words: { alt_text: string; caption: string },
      signal?: AbortSignal,
    ): Promise<void> {
      const call = { method: 'POST', json: words, timeoutMs: describeMs, signal } as const;
      await request(access, `wp/v2/media/${id}`, done, call);
    },

    async findMedia(access: Access, slug: string, signal?: AbortSignal): Promise<WordPressMedia | null> {
      const call = { query: { slug, context: 'edit' }, timeoutMs: lookMs, signal };
      const [found] = await request(access, 'wp/v2/media', z.array(media), call);
      return found ?? null;
    },

    findTerms(access: Access, taxonomy: Taxonomy, search: string, signal?: AbortSignal) {
      const call = { query: { search, per_page: '10' }, timeoutMs: lookMs, signal };
      return request(access, `wp/v2/${taxonomy}`, z.array(term), call);
    },

    /** What is published, the newest first, a hundred at a time at most. */
    async listPages(
      access: Access,
      kind: 'posts' | 'pages',
      { page, perPage }: { page: number; perPage: number },
      signal?: AbortSignal,
    ): Promise<{ pages: { url: string; title: string }[]; total: number }> {
      const query = {
        page: String(page),
        per_page: String(perPage),
        status: 'publish',
        _fields: 'link,title',
      };
      const call = { query, timeoutMs: lookMs, signal };
      const { items, total } = await requestPart(access, `wp/v2/${kind}`, z.array(listed), call);
      return { pages: items.map(({ link, title }) => ({ url: link, title: title.rendered })), total };
    },

    /** By name, a page at a time. */
    async listTerms(
      access: Access,
      taxonomy: Taxonomy,
      { page, perPage }: { page: number; perPage: number },
      signal?: AbortSignal,
    ): Promise<{ terms: WordPressTerm[]; total: number }> {
      const query = { page: String(page), per_page: String(perPage), orderby: 'name', order: 'asc' };
      const call = { query, timeoutMs: lookMs, signal };
      const { items, total } = await requestPart(access, `wp/v2/${taxonomy}`, z.array(term), call);
      return { terms: items, total };
    },

    /** Those of them that are there. */
    async termsById(
      access: Access,
      taxonomy: Taxonomy,
      ids: readonly number[],
      signal?: AbortSignal,
    ): Promise<WordPressTerm[]> {
      const query = { include: ids.join(','), per_page: '100' };
      const call = { query, timeoutMs: lookMs, signal };
      const found = await request(access, `wp/v2/${taxonomy}`, z.array(term), call);
      return found.filter(({ id }) => ids.includes(id));
    },

    /** The slug in Latin letters: WordPress would percent-encode Russian ones. */
    createTerm(access: Access, taxonomy: Taxonomy, name: string, signal?: AbortSignal) {
      const json = { name, ...(slug(name) && { slug: slug(name) }) };
      const call = { method: 'POST', json, timeoutMs: describeMs, signal } as const;
      return request(access, `wp/v2/${taxonomy}`, term, call);
    },

    createPost(access: Access, fresh: NewPost, signal?: AbortSignal): Promise<WordPressPost> {
      const call = { method: 'POST', json: fresh, timeoutMs: postMs, signal } as const;
      return request(access, 'wp/v2/posts', post, call);
    },

    /** Says the same thing as often as it is told: safe to repeat. */
    updatePost(
      access: Access,
      id: number,
      changes: Partial<NewPost>,
      signal?: AbortSignal,
    ): Promise<WordPressPost> {
      const call = { method: 'POST', json: changes, timeoutMs: postMs, signal } as const;
      return request(access, `wp/v2/posts/${id}`, post, call);
    },

    /** By their slugs, or by a word in them; in whatever status. */
    findPosts(
      access: Access,
      by: { slug: string } | { search: string },
      signal?: AbortSignal,
    ): Promise<WordPressPost[]> {
      const query = { ...by, status: ANY_STATUS, context: 'edit', per_page: '100' };
      return request(access, 'wp/v2/posts', z.array(post), { query, timeoutMs: lookMs, signal });
    },

    readPost(access: Access, id: number, signal?: AbortSignal): Promise<WordPressPost> {
      const call = { query: { context: 'edit' }, timeoutMs: lookMs, signal };
      return request(access, `wp/v2/posts/${id}`, post, call);
    },

    async deletePost(access: Access, id: number, signal?: AbortSignal): Promise<void> {
      const call = { method: 'DELETE', query: { force: 'true' }, timeoutMs: postMs, signal } as const;
      await request(access, `wp/v2/posts/${id}`, done, call);
    },

    /** Rank Math takes its fields at an address of its own; an empty one is erased. */
    async updateRankMath(
      access: Access,
      postId: number,
      meta: Readonly<Record<string, unknown>>,
      signal?: AbortSignal,
    ): Promise<void> {
      const json = { objectType: 'post', objectID: postId, meta };
      const call = { method: 'POST', json, timeoutMs: describeMs, signal } as const;
      await request(access, 'rankmath/v1/updateMeta', done, call);
    },

    /** SEOPress has an address for each group of its fields. It wants PUT, which many hosts block: WordPress is told so. */
    async updateSeoPress(
      access: Access,
      postId: number,
      group: 'title-description-metas' | 'target-keywords' | 'meta-robot-settings',
      meta: Readonly<Record<string, string>>,
      signal?: AbortSignal,
    ): Promise<void> {
      const query = { _method: 'PUT' };
      const call = { method: 'POST', query, json: meta, timeoutMs: describeMs, signal } as const;
      await request(access, `seopress/v1/posts/${postId}/${group}`, done, call);
    },

    readSeoPress(access: Access, postId: number, signal?: AbortSignal) {
      const call = { timeoutMs: lookMs, signal };
      return request(access, `seopress/v1/posts/${postId}/title-description-metas`, describedFields, call);
    },

    findPlugins(access: Access, search: string, signal?: AbortSignal): Promise<InstalledPlugin[]> {
      const call = { query: { search }, timeoutMs: lookMs, signal };
      return request(access, 'wp/v2/plugins', z.array(plugin), call);
    },

    /** From the directory of wordpress.org, and started. */
    installPlugin(access: Access, slug: string, signal?: AbortSignal): Promise<InstalledPlugin> {
      const json = { slug, status: 'active' };
      const call = { method: 'POST', json, timeoutMs: installMs, signal } as const;
      return request(access, 'wp/v2/plugins', plugin, call);
    },

    activatePlugin(access: Access, name: string, signal?: AbortSignal): Promise<InstalledPlugin> {
      const call = { method: 'POST', json: { status: 'active' }, timeoutMs: installMs, signal } as const;
      return request(access, `wp/v2/plugins/${name}`, plugin, call);
    },

    /** The description that a visitor's browser and search engines find in a page's head; null: there is none. */
    async descriptionOn(url: string, signal?: AbortSignal): Promise<string | null> {
      const page = await fetch(url, { timeoutMs: lookMs, signal }).catch((error: unknown) => {
        throw networkFailure(error, 'GET a page', false);
      });
      if (page.status !== 200) throw refusalOf(page, 'GET a page', false);
      return describedIn(page.body.toString('utf8'));
    },
  };
}
