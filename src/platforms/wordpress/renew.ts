import type { Log } from '../../log.ts';
import { jsonLdScript, withPageAddress } from '../../services/content/json-ld.ts';
import type { WordPress, WordPressPost } from './client.ts';
import { WordPressFailed } from './client-failed.ts';
import type { Access } from './client-request.ts';
import { asHtml, holdsJsonLd, toPostContent, withMark } from './content.ts';
import type { WordPressChannel } from './publish.ts';
import { redescribe } from './seo.ts';

/** A post as it stands on the site: enough to change it and to put it back. */
export type StandingPost = { id: number; link: string; title: string; content: string; excerpt: string };

export type PostText = Pick<StandingPost, 'title' | 'content' | 'excerpt'>;

/** Reads and replaces a post that was published before. Its slug, and so its address, is never touched. */
export function makeRenewPost({ wordpress, log }: { wordpress: WordPress; log: Log }) {
  return { find, read, put };

  /** By its address; null: it is not there any more. */
  async function find(
    channel: WordPressChannel,
    url: string,
    signal?: AbortSignal,
  ): Promise<StandingPost | null> {
    const access = await siteOf(channel, signal);
    const number = numberIn(url);
    // Never asked for without a name: WordPress takes that for all posts.
    const [found] =
      number === null
        ? await wordpress.findPosts(access, { slug: slugOf(url) }, signal)
        : await numbered(access, number, signal);
    return found && found.status !== 'trash' ? standing(found) : null;
  }

  async function numbered(access: Access, id: number, signal?: AbortSignal): Promise<WordPressPost[]> {
    try {
      return [await wordpress.readPost(access, id, signal)];
    } catch (error) {
      if (error instanceof WordPressFailed && error.status === 404) return [];
      throw error;
    }
  }

  async function read(channel: WordPressChannel, id: number, signal?: AbortSignal): Promise<StandingPost> {
    return standing(await wordpress.readPost(await siteOf(channel, signal), id, signal));
  }

  /** In place of a text that stood there. Safe to repeat: it says the same each time. */
  async function put(
    channel: WordPressChannel,
    id: number,
    { title, content, excerpt }: PostText,
    instead: PostText,
    signal?: AbortSignal,
  ): Promise<StandingPost> {
    const { seoPlugin, ...access } = await siteOf(channel, signal);
    const post = await wordpress.updatePost(access, id, { title, content, excerpt }, signal);
    const change = { from: instead.excerpt, to: excerpt };
    await redescribe({ wordpress, access, signal, log }, post, change, seoPlugin);
    return standing(post);
  }

  async function siteOf({ url, login, appPassword }: WordPressChannel, signal: AbortSignal | undefined) {
    const site = await wordpress.discover(url, { signal, credentials: { login, appPassword } });
    return { restRoot: site.restRoot, seoPlugin: site.seoPlugin, login, appPassword };
  }
}

const standing = ({ id, link, title, content, excerpt = '' }: WordPressPost): StandingPost => ({
  ...{ id, link, title, content, excerpt },
});

/** The new text in the clothes of the old post: its mark, the pictures of its data, and data only where it had some. */
export function renewed(
  old: StandingPost,
  { title, html, excerpt }: { title: string; html: string; excerpt: string },
) {
  const { body, jsonLd } = toPostContent(html, []);
  const [, mark = ''] = /<!-- publication ([0-9a-z]+) -->/u.exec(old.content) ?? [];
  const data = holdsJsonLd(old.content) ? dressed(jsonLd, imagesIn(old.content), old.link) : '';
  return {
    title: asHtml(title),
    excerpt: asHtml(excerpt),
    content: withMark({ body, jsonLd: data }, mark),
  };
}

const SCRIPT = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/gu;

const dressed = (jsonLd: string, image: unknown, address: string): string =>
  jsonLd.replace(SCRIPT, (_, text: string) => {
    const data = withPageAddress(JSON.parse(text), address) as Record<string, unknown>;
    return jsonLdScript('headline' in data && image !== undefined ? { ...data, image } : data);
  });

function imagesIn(content: string): unknown {
  for (const [, text] of content.matchAll(SCRIPT)) {
    try {
      const { image } = JSON.parse(text!) as { image?: unknown };
      if (image !== undefined) return image;
    } catch {
      // rewritten by a plugin of the site
    }
  }
  return undefined;
}

/** Addresses may be `/name/`, `/2026/11/name/` or `/name.html`, and by number `/?p=7` or `/archives/7`. */
const slugOf = (url: string): string => lastPart(url).replace(/\.\w+$/u, '');

function numberIn(url: string): number | null {
  const number = new URL(url).searchParams.get('p') ?? lastPart(url);
  return /^\d+$/u.test(number) ? Number(number) : null;
}

const lastPart = (url: string): string =>
  decodeURIComponent(new URL(url).pathname.replace(/\/+$/u, '').split('/').at(-1)!);
