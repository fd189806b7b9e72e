import createMarkdownIt from 'markdown-it';
import { slug } from '../content/slug.ts';
import { type ImageData, usableImageData } from '../quality/validate-content.ts';
import { findImageMarks, withoutBrokenMarks, withoutMarkOpenings } from './image-marks.ts';
import { spreadOverSections } from './spread-over-sections.ts';

/** As the model gives it. */
export type ImageMeta = { alt: string; filename: string; figcaption: string };

export type Described<Picture> = Picture & { alt: string; filename: string; caption: string };

const markdownIt = createMarkdownIt();

/**
 * Brings pictures and the places left for them together (E32). Pictures count from 1 in the order given, whatever
 * was lost on the way; each comes out exactly once, and no mark is left.
 */
export function placePictures<Picture extends { url: string }>(article: {
  title: string;
  markdown: string;
  meta: readonly ImageMeta[];
  pictures: readonly Picture[];
}): { markdown: string; pictures: Described<Picture>[] } {
  const { title, meta, markdown } = article;
  const pictures = article.pictures.map((picture, i) => ({ ...picture, ...describe(meta[i], title, i + 1) }));
  const { text, unplaced } = fillMarks(markdown, pictures);
  return { markdown: withoutGaps(addToSections(text, pictures, unplaced)), pictures };
}

function describe(meta: ImageMeta | undefined, title: string, n: number) {
  const given: ImageData = {
    alt: meta?.alt ?? '',
    filename: (meta?.filename ?? '').trim().replace(/\.(?:webp|jpe?g|png|gif)$/iu, ''),
    caption: meta?.figcaption ?? '',
  };
  const { alt, filename, caption } = usableImageData(given, { title, slug: slug(title), n });
  return { alt: oneLine(alt), filename, caption: oneLine(caption ?? '') };
}

/** A number that comes twice keeps its first place; one that no picture has keeps none. */
function fillMarks<Picture extends { url: string }>(
  markdown: string,
  pictures: readonly Described<Picture>[],
) {
  const unplaced = new Set(pictures.keys());
  let text = '';
  let from = 0;
  for (const { start, end, number } of findImageMarks(markdown)) {
    const index = number - 1;
    text += withoutBrokenMarks(markdown.slice(from, start));
    if (unplaced.delete(index)) text += imageMarkdown(pictures[index]!);
    from = end;
  }
  text += withoutBrokenMarks(markdown.slice(from));
  return { text: withoutMarkOpenings(text), unplaced: [...unplaced] };
}

/** Under the headings of their sections: there a picture breaks neither a list nor a table. */
function addToSections<Picture extends { url: string }>(
  markdown: string,
  pictures: readonly Described<Picture>[],
  unplaced: readonly number[],
): string {
  if (unplaced.length === 0) return markdown;
  const ends = headingEnds(markdown);
  const places = spreadOverSections(pictures.length, ends.length);
  const lines = markdown.split('\n');
  const insertions = unplaced.map((index) => ({ index, line: ends[places[index] ?? -1] ?? 0 }));
  // From the end, so that lines above keep their numbers.
  for (const { index, line } of insertions.sort((a, b) => b.line - a.line || b.index - a.index)) {
    lines.splice(line, 0, '', imageMarkdown(pictures[index]!), '');
  }
  return lines.join('\n');
}

/** For each section, the line after its heading. */
const headingEnds = (markdown: string): number[] =>
  markdownIt
    .parse(markdown, {})
    .filter(({ type, tag, level }) => type === 'heading_open' && level === 0 && /^h[12]$/u.test(tag))
    .map(({ map }) => map![1]);

function imageMarkdown({ url, alt, caption }: { url: string; alt: string; caption: string }): string {
  const title = caption === '' ? '' : ` "${escaped(caption)}"`;
  return `![${escaped(alt)}](<${url}>${title})`;
}

const escaped = (text: string): string => text.replace(/[\\[\]"`*_~<&]/gu, '\\$&');

/** Braces would make a mark of it. */
const oneLine = (text: string): string => text.replace(/[{}]/gu, '').replace(/\s+/gu, ' ').trim();

const withoutGaps = (markdown: string): string => markdown.replace(/\n(?:[ \t]*\n){2,}/gu, '\n\n').trim();
