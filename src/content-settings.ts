import { z } from 'zod';
import { type Platform, platforms, takesArticles } from './platforms/platforms.ts';
import type { WordRange } from './prices.ts';

/** What a person may set for the texts and pictures of a category, and apart for one platform of it. */

export type AspectRatio = (typeof aspectRatios)[number];
export const aspectRatios = [
  '1:1',
  '2:3',
  '3:2',
  '3:4',
  '4:3',
  '4:5',
  '5:4',
  '9:16',
  '16:9',
  '21:9',
] as const;
export type PictureSize = '1K' | '2K' | '4K';

const list = z.array(z.string()).catch([]);

const storedText = z
  .object({
    style: z.union([z.array(z.string()), z.string().transform((one) => [one])]).catch([]),
    html_style: z.string().catch(''),
    words_min: z.number().int().positive().nullish().catch(null),
    words_max: z.number().int().positive().nullish().catch(null),
  })
  .partial();

const storedImage = z
  .object({
    formats: z.array(z.enum(aspectRatios)).catch([]),
    styles: list,
    tones: list,
    cameras: list,
    angles: list,
    quality: z.string().catch(''),
    count: z.number().int().min(0).max(10).nullish().catch(null),
    text_on_image: z.number().min(0).max(100).catch(0),
    collage: z.number().min(0).max(100).catch(0),
  })
  .partial();

export type TextSettings = {
  styles: string[];
  htmlStyle: string;
  words: WordRange;
  /** Chosen by the person: the competitors' length does not replace it. */
  wordsChosen: boolean;
};

export type ImageSettings = {
  /** Empty: the place of a picture decides its shape. */
  formats: AspectRatio[];
  styles: string[];
  tones: string[];
  cameras: string[];
  angles: string[];
  size: PictureSize;
  quality: string;
  count: number;
  textOnImage: number;
  collage: number;
};

const sizes: Readonly<Record<string, PictureSize>> = { HD: '1K', 'Ultra HD': '2K', '8K': '4K' };

/**
 * Effective settings. An override replaces the category's as a whole, text and pictures apart. A post takes its
 * length from the override alone: what the category says is meant for articles.
 */
export function textSettings(platform: Platform, category: unknown, override: unknown): TextSettings {
  const own = storedText.safeParse(override).data;
  const stored = own ?? storedText.safeParse(category).data ?? {};
  const length = takesArticles(platform) ? stored : (own ?? {});
  const { usual } = platforms[platform];
  const max = length.words_max ?? usual.words.max;
  const min = length.words_min ?? Math.min(usual.words.min, max);
  return {
    styles: stored.style?.length ? stored.style : [usual.style],
    htmlStyle: stored.html_style || 'Блог',
    words: { min, max: Math.max(min, max) },
    wordsChosen: Boolean(length.words_min ?? length.words_max),
  };
}

export function imageSettings(platform: Platform, category: unknown, override: unknown): ImageSettings {
  const stored = storedImage.safeParse(override).data ?? storedImage.safeParse(category).data ?? {};
  return {
    formats: stored.formats ?? [],
    styles: stored.styles?.length ? stored.styles : ['Фотореализм'],
    tones: stored.tones?.length ? stored.tones : ['Нейтральный'],
    cameras: stored.cameras ?? [],
    angles: stored.angles ?? [],
    size: sizes[stored.quality ?? ''] ?? '1K',
    quality: stored.quality || 'HD',
    count: pictureCount(platform, stored.count ?? platforms[platform].usual.pictures),
    textOnImage: stored.text_on_image ?? 0,
    collage: stored.collage ?? 0,
  };
}

/** A post has one picture or none, a pin exactly one, whatever the category wants for its articles. */
function pictureCount(platform: Platform, wanted: number): number {
  const { post } = platforms[platform];
  if (!post) return wanted;
  return post.picture === 'required' ? 1 : Math.min(wanted, 1);
}
