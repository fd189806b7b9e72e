import type { PostPayload } from '../../store/autopost/delivery.ts';
import { hashtagsIn } from '../posts/hashtags.ts';
import type { MediaType, ParseMode } from '../publishing/messenger.ts';
import { addressesIn, canonicalUrl, withCanonicalUrls } from './canonical-url.ts';
import type { PostBody } from './read-post-body.ts';
import { tidyText } from './tidy-text.ts';

/** Raised when other things make two posts the same: what was sent before is then known by another hash. */
export const HASH_VERSION = 1;
/** Raised when a post is tidied in another way. */
export const NORMALIZATION_VERSION = 1;

export type NormalPost = {
  /** What a reader gets: tidied, with its addresses as the sender wrote them. */
  shown: {
    text: string;
    parseMode: ParseMode;
    links: readonly string[];
    media: readonly { type: MediaType; url: string; caption: string }[];
  };
  /** By which it is known again: its addresses in their one spelling. Files join it when they are here. */
  identity: Pick<PostPayload, 'text' | 'links' | 'meta'>;
  tags: readonly string[];
  sourceRef: string | null;
};

/** One for all sources: a post that came by a feed is the same post when it is pushed. */
export function normalisePost(body: PostBody): NormalPost {
  const asked = body.parse_mode ?? 'None';
  const text = tidyText(body.text ?? '', asked);
  const media = (body.media ?? []).map(({ type, url, caption }) => ({
    type,
    url: new URL(url).href,
    caption: tidyText(caption ?? '', asked),
  }));
  const parseMode = [text, ...media.map(({ caption }) => caption)].some((part) => marks[asked].test(part))
    ? asked
    : 'None';
  const links = newLinks(text, body.links ?? []);
  return {
    shown: { text, parseMode, links: [...links.values()], media },
    identity: {
      ...(text !== '' && { text: withCanonicalUrls(text) }),
      ...(links.size > 0 && { links: [...links.keys()] }),
      ...(parseMode !== 'None' && { meta: { parse_mode: parseMode } }),
    },
    tags: tagsOf(body.tags ?? [], text),
    sourceRef: body.source_ref ?? null,
  };
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
  const tags = [...given.map((tag) => tidyText(tag, 'None')), ...hashtagsIn(text.replace(/<[^<>]*>/gu, ' '))]
    .map((tag) => tag.replace(/^#+/u, '').trim().toLowerCase())
    .filter((tag) => tag !== '' && tag.length <= LONGEST_TAG);
  return [...new Set(tags)].slice(0, MOST_TAGS).sort();
}
