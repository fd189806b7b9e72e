import { type ChannelPlatform, platforms } from '../platforms.ts';
import type { MarkupRules } from './markup.ts';
import type { MediaType } from './messenger.ts';

export type PlatformRules = {
  /** Telegram counts what is read, MAX what is sent. */
  counts: 'visible' | 'source';
  text: number;
  caption: number;
  /** The most media in one message. */
  together: number;
  markup: MarkupRules;
  bytes: Readonly<Record<MediaType, number>>;
  buttons: {
    all: number;
    rows: number;
    inRow: number;
    /** In a row that holds a link. */
    inRowOfLinks: number;
    text: number;
    url: number;
    /** Bytes. MAX says characters: counted alike, a payload fits both readings. */
    payload: number;
  };
};

/** For bytes that came without a name. */
export const fileNames: Readonly<Record<MediaType, string>> = {
  image: 'picture.jpg',
  video: 'video.mp4',
  audio: 'audio.mp3',
  file: 'file.bin',
};

const MB = 1024 * 1024;

export const messengerRules: Readonly<Record<ChannelPlatform, PlatformRules>> = {
  telegram: {
    ...limitsOf('telegram'),
    together: 10,
    markup: {
      tags: [
        ...['b', 'strong', 'i', 'em', 'u', 'ins', 's', 'strike', 'del'],
        ...['a', 'code', 'pre', 'blockquote', 'tg-spoiler'],
      ],
      schemes: ['http:', 'https:', 'tg:', 'mailto:', 'tel:'],
      readsMarkdown: false,
    },
    bytes: { image: 10 * MB, video: 50 * MB, audio: 50 * MB, file: 50 * MB },
    buttons: { all: 100, rows: 100, inRow: 8, inRowOfLinks: 8, text: 64, url: 2_048, payload: 64 },
  },
  max: {
    ...limitsOf('max'),
    together: 12,
    markup: {
      tags: [
        ...['b', 'strong', 'i', 'em', 'u', 'ins', 's', 'del'],
        ...['a', 'code', 'pre', 'blockquote', 'mark', 'h1'],
      ],
      schemes: ['http:', 'https:', 'max:', 'mailto:', 'tel:'],
      readsMarkdown: true,
    },
    bytes: { image: 50 * MB, video: 250 * MB, audio: 256 * MB, file: 4_096 * MB },
    buttons: { all: 210, rows: 30, inRow: 7, inRowOfLinks: 3, text: 128, url: 2_048, payload: 1_024 },
  },
};

function limitsOf(platform: ChannelPlatform): Pick<PlatformRules, 'counts' | 'text' | 'caption'> {
  const { counts, limit, captionLimit } = platforms[platform].post;
  return { counts, text: limit, caption: captionLimit };
}
