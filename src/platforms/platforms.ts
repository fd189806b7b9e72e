import type { WordRange } from '../prices.ts';

/**
 * Every platform there is, in the order in which they are offered. The one place that knows them by name: elsewhere
 * code asks for a property. A new one is a line here, a folder beside this file and a stand-in; then the compiler names
 * the tables that lack it: its client, its publisher, its check and the dialogue that connects it.
 */
export const platforms = {
  wordpress: {
    title: 'WordPress',
    content: 'article',
    hasChannels: false,
    hasChooser: false,
    usual: { words: { min: 1_500, max: 2_500 }, style: 'Информативный', pictures: 4 },
    pictureShape: null,
    post: null,
  },
  telegram: {
    title: 'Telegram',
    content: 'post',
    hasChannels: true,
    hasChooser: true,
    usual: { words: { min: 100, max: 300 }, style: 'Разговорный', pictures: 1 },
    pictureShape: null,
    post: {
      limit: 4_096,
      counts: 'visible',
      captionLimit: 1_024,
      tags: ['b', 'strong', 'i', 'em', 'u', 's', 'a', 'code', 'pre', 'blockquote'],
      hashtags: { min: 1, max: 3 },
      link: 'inline',
      picture: 'optional',
    },
  },
  vk: {
    title: 'VK',
    content: 'post',
    hasChannels: false,
    hasChooser: false,
    usual: { words: { min: 100, max: 300 }, style: 'Разговорный', pictures: 1 },
    pictureShape: null,
    post: {
      limit: 16_384,
      counts: 'source',
      tags: [],
      hashtags: { min: 3, max: 5 },
      link: 'beside',
      picture: 'optional',
    },
  },
  pinterest: {
    title: 'Pinterest',
    content: 'pin',
    hasChannels: false,
    hasChooser: false,
    usual: { words: { min: 30, max: 60 }, style: 'Разговорный', pictures: 1 },
    pictureShape: '2:3',
    post: {
      limit: 500,
      counts: 'source',
      titleLimit: 100,
      tags: [],
      hashtags: { min: 0, max: 3 },
      link: 'beside',
      picture: 'required',
    },
  },
  max: {
    title: 'MAX',
    content: 'post',
    hasChannels: true,
    hasChooser: false,
    usual: { words: { min: 100, max: 300 }, style: 'Разговорный', pictures: 1 },
    pictureShape: null,
    post: {
      limit: 4_000,
      counts: 'source',
      captionLimit: 4_000,
      tags: ['b', 'strong', 'i', 'em', 'u', 's', 'a', 'code', 'pre', 'blockquote'],
      hashtags: { min: 1, max: 3 },
      link: 'inline',
      picture: 'optional',
    },
  },
} as const satisfies Record<string, PlatformTraits>;

type PlatformTraits = {
  /** On screens. */
  title: string;
  content: 'article' | 'post' | 'pin';
  /** Autoposting delivers to its channels. */
  hasChannels: boolean;
  /** Its channels are picked from the messenger's own list, in the place of the usual keys. */
  hasChooser: boolean;
  /** Used where the person has chosen nothing. */
  usual: { words: WordRange; style: string; pictures: number };
  /** The only shape that the platform shows well; null: the place of a picture decides. */
  pictureShape: '2:3' | null;
  post: PostRules | null;
};

export type PostRules = {
  limit: number;
  /** Telegram counts what is read; the others count what is sent, markup included. */
  counts: 'visible' | 'source';
  /** A longer text goes under the picture as a message of its own. */
  captionLimit?: number;
  titleLimit?: number;
  /** Markup that the platform reads; none: plain text. */
  tags: readonly string[];
  hashtags: { min: number; max: number };
  /** Where the link to the company's site stands: in the text, or in a field of its own. */
  link: 'inline' | 'beside';
  picture: 'optional' | 'required';
};

type Platforms = typeof platforms;
type Having<Property extends keyof PlatformTraits, Value> = {
  [Name in keyof Platforms]: Platforms[Name][Property] extends Value ? Name : never;
}[keyof Platforms];

export type Platform = keyof Platforms;
/** Takes posts (a pin is one), no articles. */
export type PostPlatform = Having<'post', PostRules>;
/** Has channels for autoposting. */
export type ChannelPlatform = Having<'hasChannels', true>;

export const platformNames = Object.keys(platforms) as Platform[];
export const articlePlatforms = platformNames.filter(takesArticles);
export const postPlatforms = platformNames.filter(takesPosts);
export const channelPlatforms = platformNames.filter(
  (platform): platform is ChannelPlatform => platforms[platform].hasChannels,
);

export function isPlatform(name: string): name is Platform {
  return Object.hasOwn(platforms, name);
}

/** Stored names may be of a later version: those are shown as they are. */
export const platformTitle = (name: string): string => (isPlatform(name) ? platforms[name].title : name);

export const postRulesOf = (platform: PostPlatform): PostRules => platforms[platform].post;

export function takesPosts(platform: Platform): platform is PostPlatform {
  return platforms[platform].post !== null;
}

export function takesArticles(name: string): boolean {
  return isPlatform(name) && platforms[name].content === 'article';
}
