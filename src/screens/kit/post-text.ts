import type { RichPart, RichText } from './screen.ts';

const TAG = /<\/?(?:b|strong|i|em|u|s|code|pre|blockquote|a)(?:\s+href="[^"<>]*")?>/giu;
const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** A post with its markup, as its readers will see it: known tags are markup, all else is text and escaped again. */
export function postText(html: string): RichText {
  const parts: RichPart[] = [];
  let end = 0;
  const push = (text: string) => {
    if (text !== '')
      parts.push({ value: text.replace(/&(?:amp|lt|gt|quot);/gu, (entity) => entities[entity] ?? entity) });
  };
  for (const tag of html.matchAll(TAG)) {
    push(html.slice(end, tag.index));
    parts.push({ markup: tag[0] });
    end = tag.index + tag[0].length;
  }
  push(html.slice(end));
  return parts;
}

/** What is read of it. */
export const lengthOf = (text: RichText): number =>
  text.reduce(
    (sum, part) => sum + ('value' in part ? part.value : part.markup.replace(/<[^>]*>/gu, '')).length,
    0,
  );
