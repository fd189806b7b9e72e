import { maxPreflight } from '../../platforms/max/preflight.ts';
import type { OutgoingPost, Preflight } from '../../platforms/messenger/messenger.ts';
import type { ChannelPlatform } from '../../platforms/platforms.ts';
import { telegramPreflight } from '../../platforms/telegram/preflight.ts';
import type { KeptItem } from '../pull/keep-items.ts';
import { withLinks } from '../queue/with-links.ts';
import type { MediaItem, PostMeta } from '../store/delivery.ts';
import type { Layout, NewMessage } from '../store/enqueue.ts';
import { HASH_VERSION, NORMALIZATION_VERSION, type NormalPost, type ShownPost } from './normalise-post.ts';

/** A post as it is enqueued: what it is, and how each platform gets it or why it cannot. */
export function toMessage(post: NormalPost, items: readonly KeptItem[]): NewMessage {
  const { shown, inMarkup, identity, tags, sourceRef } = post;
  return {
    payload: { ...identity, ...(items.length > 0 && { media: items.map(toItem) }) },
    tags,
    ...(sourceRef !== null && { sourceRef }),
    hashVersion: HASH_VERSION,
    normalizationVersion: NORMALIZATION_VERSION,
    ...layOut(outgoing(shown, items)),
    inMarkup: Object.fromEntries(inMarkup.map((one) => [one.parseMode, layOut(outgoing(one, items))])),
  };
}

function outgoing({ text, links, parseMode, media }: ShownPost, items: readonly KeptItem[]): OutgoingPost {
  return {
    text: withLinks(text, links, parseMode),
    parseMode,
    media: items.map((item, at) => ({ ...item, caption: media[at]?.caption ?? '' })),
  };
}

/** Not the address it came from: the file is ours now, and the address may hold a key. */
const toItem = ({ type, caption, blobRef, sha256 }: KeptItem): MediaItem => ({
  type,
  blob_ref: blobRef,
  sha256,
  ...(caption !== '' && { caption }),
});

const preflights: Readonly<Record<ChannelPlatform, (post: OutgoingPost) => Preflight>> = {
  telegram: telegramPreflight,
  max: maxPreflight,
};

function layOut(post: OutgoingPost): Layout {
  const renderings: Layout['renderings'] = {};
  const refusals: Layout['refusals'] = {};
  for (const platform of Object.keys(preflights) as ChannelPlatform[]) {
    const checked = preflights[platform](post);
    if (checked.ok) {
      const { text, meta } = checked.rendered;
      renderings[platform] = { text, meta: { ...asJson(meta), parse_mode: post.parseMode } };
    } else refusals[platform] = checked.refusal.userMessage;
  }
  return { renderings, refusals };
}

/** It is JSON, though its type has no name for every field. */
const asJson = (meta: object): PostMeta => meta as PostMeta;
