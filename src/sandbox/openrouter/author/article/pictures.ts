import { slug } from '../../../../services/content/slug.ts';
import { fill, type Slots } from '../fill.ts';
import { pictures } from '../material/openings.ts';
import type { ArticleBrief } from './brief.ts';
import { type Draft, fixed } from './draft.ts';

export type ImageMeta = { alt: string; filename: string; figcaption: string };

/** Puts the pictures between the paragraphs of the sections, evenly and in order; tells what each shows. */
export function placePictures(
  draft: Draft,
  { images: count, ownPhotos }: Pick<ArticleBrief, 'images' | 'ownPhotos'>,
  slots: Slots,
): ImageMeta[] {
  const metas = Array.from({ length: count }, (_, i) => described(i, ownPhotos[i], slots));
  const { sections } = draft;
  if (sections.length === 0) return metas;

  const perSection = sections.map((_, i) => share(count, sections.length, i));
  let number = 0;
  sections.forEach(({ blocks, kind }, i) => {
    const wanted = perSection[i]!;
    const step = Math.max(1, Math.floor(blocks.length / (wanted + 1)));
    for (let n = 0; n < wanted; n++) {
      const { alt, figcaption } = metas[number]!;
      number += 1;
      blocks.splice(
        placeFor(blocks, step * (n + 1) + n),
        0,
        fixed(`![${alt}]({{IMAGE_${number}}} "${figcaption}")`, kind),
      );
    }
  });
  return metas;
}

/** Never right under a subheading or before a list that a sentence announces. */
function placeFor(blocks: Draft['opening'], wanted: number): number {
  let at = Math.min(wanted, blocks.length);
  while (at < blocks.length && blocks[at - 1]?.type === 'fixed') at += 1;
  return at;
}

/** Of a photo of the company's own nothing is invented: what its owner says of it is all there is. */
function described(i: number, own: string | undefined, slots: Slots): ImageMeta {
  const meta = describe(i, slots);
  if (own === undefined || own === 'подписи нет') return meta;
  return { ...meta, alt: `${own}: ${slots.phrase.text}`, figcaption: `${own}. Фото компании` };
}

function describe(i: number, slots: Slots): ImageMeta {
  const { alt, caption, file } = pictures[i % pictures.length]!;
  return {
    alt: fill(alt, slots),
    figcaption: fill(caption, slots),
    filename: `${slug(slots.phrase.text).slice(0, 40).replace(/-+$/u, '') || 'image'}-${file}-${i + 1}`,
  };
}

const share = (whole: number, parts: number, i: number): number =>
  Math.floor((whole * (i + 1)) / parts) - Math.floor((whole * i) / parts);
