import type { PostDraft } from '../../../machines/fragments/post-ports.ts';
import { freePostVersions } from '../../../machines/fragments/post-work.ts';
import { postRulesOf } from '../../platforms/platforms.ts';
import { type Price, total } from '../../prices.ts';
import type { DraftImage } from '../../store/draft.ts';
import type { PostContent, StoredPost } from '../../store/post-drafts.ts';
import { factNotes } from '../article/article-notes.ts';
import { slug } from '../content/slug.ts';
import type { StoredPicture } from '../pictures/draw-pictures.ts';
import type { Post, PostWarning } from './to-post.ts';

const MOST_TITLE = 80;
const MOST_ALT = 200;

/** What is kept of a version until it is decided about. */
export function toContent(
  { platform, text, title, link, words, contentHash, warnings, ...made }: Post,
  picture: DraftImage | null,
  order: {
    place: string;
    keyword: string;
    price: Price;
    imagesWanted: number;
    notes?: readonly string[];
    kept?: true;
    crossOf?: number;
  },
): PostContent {
  const { modelUsed, promptVersion, generationTimeMs } = made;
  return {
    title: title ?? order.keyword.slice(0, MOST_TITLE),
    html: text,
    words,
    images: picture ? [picture] : [],
    telegraph: null,
    details: {
      platform,
      place: order.place,
      link,
      contentHash,
      modelUsed,
      promptVersion,
      generationTimeMs,
      price: order.price,
      imagesWanted: order.imagesWanted,
      notes: [...(order.notes ?? []), ...inWords(warnings)],
      ...(order.kept && { kept: order.kept }),
      ...(order.crossOf !== undefined && { crossOf: order.crossOf }),
    },
  };
}

export const toImage = (
  { url, storage_path, width, height }: StoredPicture,
  keyword: string,
  company: string,
): DraftImage => ({
  ...{ url, storage_path, width, height },
  alt: `${keyword} — ${company}`.slice(0, MOST_ALT),
  filename: slug(keyword) || 'picture',
  caption: '',
});

/** As the dialogue knows it. `returned`: what came back with this version. */
export function toDraft(
  { id, images, details, regenerations, tokens }: DraftOf,
  { returned }: { returned: number },
): PostDraft {
  const isFree = regenerations < freePostVersions;
  return {
    draftId: id,
    images: images.length,
    imagesWanted: details.imagesWanted,
    spent: tokens,
    returned,
    regenerations,
    nextPrice: isFree ? 0 : total(details.price),
    nextTextPrice: isFree ? 0 : details.price.text,
    lost: details.lost ?? 0,
    warnings: details.notes,
  };
}

type DraftOf = Pick<StoredPost, 'id' | 'images' | 'details' | 'regenerations' | 'tokens'>;

/** As its readers will see it, but for the picture. */
export const toShown = ({ html, title, details }: Pick<StoredPost, 'html' | 'title' | 'details'>) => ({
  text: html,
  title: postRulesOf(details.platform).titleLimit === undefined ? null : title,
  link: details.link,
});

function inWords(warnings: readonly PostWarning[]): string[] {
  const links = warnings.filter((warning) => warning.code === 'link-not-of-company');
  const facts = warnings.filter((warning) => warning.code !== 'link-not-of-company');
  return [
    ...links.map(({ value }) => `В тексте чужая ссылка: ${value}. Проверьте её.`),
    ...factNotes(facts).map(({ text }) => text),
  ];
}
