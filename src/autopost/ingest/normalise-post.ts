import type { MediaType, ParseMode } from '../../platforms/messenger/messenger.ts';
import { hashtagsIn } from '../../services/posts/hashtags.ts';
import type { PostPayload } from '../store/delivery.ts';
import { addressesIn, canonicalUrl, withCanonicalUrls } from './canonical-url.ts';
import type { PostBody } from './read-post-body.ts';
import { tidyText } from './tidy-text.ts';

/** Raised when other things make two posts the same: what was sent before is then known by another hash. */
export const HASH_VERSION = 1;
/** Raised when a post is tidied in another way. */
export const NORMALIZATION_VERSION = 1;

/** What a reader gets: tidied, with its addresses as the sender wrote them. */
export type ShownPost = {
  text: string;
  parseMode: ParseMode;
  links: readonly string[];
  media: readonly { type: MediaType; url: string; caption: string }[];
};

export type NormalPost = {
  shown: ShownPost;
  /** If the sender names no markup: as it is shown where the channel has one of its own, which changes it. */
  inMarkup: readonly ShownPost[];
  /** By which it is known again: its addresses in their one spelling. Files join it when they are here. */
  identity: Pick<PostPayload, 'text' | 'links' | 'meta'>;
  tags: readonly string[];
  sourceRef: string | null;
};

/** One for all sources: a post that came by a feed is the same post when it is pushed. */
export function normalisePost(body: PostBody): NormalPost {
  const shown = shownIn(body.parse_mode ?? 'None', body);
  const { text, parseMode } = shown;
  const links = [...newLinks(text, body.links ?? []).keys()];
  return {
    shown,
    inMarkup: body.parse_mode
      ? []
      : markups.map((markup) => shownIn(markup, body)).filter((one) => one.parseMode !== 'None'),
    identity: {
      ...(text !== '' && { text: withCanonicalUrls(text) }),
      ...(links.length > 0 && { links }),
      ...(parseMode !== 'None' && { meta: { parse_mode: parseMode } }),
    },
    tags: tagsOf(body.tags ?? [], text),
    sourceRef: body.source_ref ?? null,
  };
}

const markups = ['HTML', 'Markdown'] as const;

function shownIn(asked: ParseMode, body: PostBody): ShownPost {
  const text = tidyText(body.text ?? '', asked);
  const media = (body.media ?? []).map(({ type, url, caption }) => ({
    type,
    url: new URL(url).href,
    caption: tidyText(caption ?? '', asked),
  }));
  const isMarked = [text, ...media.map(({ caption }) => caption)].some((part) => marks[asked].test(part));
  const links = [...newLinks(text, body.links ?? []).values()];
  return { text, parseMode: isMarked ? asked : 'None', links, media };
}

/** Those that the text does not have itself, each once: by its one spelling, as it was written. */
function newLinks(text: string, links: readonly string[]): Map<string, string> {
  const known = new Set(addressesIn(text));
  const found = new Map<string, string>();
  for (const link of links) {
    const canonical = canonicalUrl(link) ?? link;
    if (!known.has(canonical) && !found.has(canonical)) found.set(canonical, new URL(link).href);
  }
  return found;
}

/** Words without a mark in them are the same words in any markup. */
const marks: Readonly<Record<ParseMode, RegExp>> = {
  HTML: /[<&]/u,
  Markdown: /[\\`*_~[\]<&]|^\s*(?:[#>|+=-]|\d+[.)])|^(?: {4}|\t)/mu,
  None: /(?!)/u,
};

const LONGEST_TAG = 64;
const MOST_TAGS = 50;

/** From the content alone, so that the same post always goes to the same channels. */
function tagsOf(given: readonly string[], text: string): string[] {
  const tags = [...given, ...hashtagsIn(text.replace(/<[^<>]*>/gu, ' '))]
    .map(canonicalTag)
    .filter((tag) => tag !== '' && tag.length <= LONGEST_TAG);
  return [...new Set(tags)].slice(0, MOST_TAGS).sort();
}

/** The one spelling by which posts and channels find each other. */
export const canonicalTag = (tag: string): string =>
  tidyText(tag, 'None').replace(/^#+/u, '').trim().toLowerCase();
