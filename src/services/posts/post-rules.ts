import { type PostPlatform, postLimits } from '../quality/validate-content.ts';

export type PostRules = {
  limit: number;
  /** Telegram counts what is read; the others are taken at their word: the length of what is sent. */
  counts: 'visible' | 'source';
  /** A longer text goes under the picture as a message of its own. */
  captionLimit?: number;
  titleLimit?: number;
  tags: readonly string[];
  hashtags: { min: number; max: number };
  picture: 'optional' | 'required';
};

const messengerTags = ['b', 'strong', 'i', 'em', 'u', 's', 'a', 'code', 'pre', 'blockquote'];

/** What each platform takes. How many words a post has by default is in content-settings.ts. */
export const postRules: Readonly<Record<PostPlatform, PostRules>> = {
  telegram: {
    limit: postLimits.telegram.text,
    counts: 'visible',
    captionLimit: 1_024,
    tags: messengerTags,
    hashtags: { min: 1, max: 3 },
    picture: 'optional',
  },
  vk: {
    limit: postLimits.vk.text,
    counts: 'source',
    tags: [],
    hashtags: { min: 3, max: 5 },
    picture: 'optional',
  },
  pinterest: {
    limit: postLimits.pinterest.text,
    counts: 'source',
    titleLimit: postLimits.pinterest.title,
    tags: [],
    hashtags: { min: 0, max: 3 },
    picture: 'required',
  },
  max: {
    limit: postLimits.max.text,
    counts: 'source',
    tags: messengerTags,
    hashtags: { min: 1, max: 3 },
    picture: 'optional',
  },
};
