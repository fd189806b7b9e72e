import type { RichText } from '../../screens/kit/screen.ts';

export const MOST_TEXT = 4096;
export const MOST_CAPTION = 1024;

/**
 * The one place where text from people and models is escaped, and where a text that is too long is cut: behind
 * the last character that fits, with every tag closed. Telegram counts what is left after parsing the markup.
 */
export function toHtml(text: RichText, limit = MOST_TEXT): string {
  const html = text.map((part) => ('markup' in part ? part.markup : escapeHtml(part.value))).join('');
  return cut(html, limit);
}

export function escapeHtml(value: string): string {
  return value.toWellFormed().replace(/[&<>"]/gu, (char) => escapes[char]!);
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A tag, an entity, or one character. */
const token = /<\/?([a-z-]+)[^>]*>|&(?:#\d+|#x[\da-f]+|[a-z]+);|[\s\S]/giu;

function cut(html: string, limit: number): string {
  if (html.length <= limit || visibleLength(html) <= limit) return html;
  let length = 0;
  let kept = '';
  const open: string[] = [];
  for (const [piece, tag] of html.matchAll(token)) {
    if (tag) {
      if (piece.startsWith('</')) open.pop();
      else open.push(tag);
    } else {
      length += widthOf(piece);
      if (length > limit - 1) break;
    }
    kept += piece;
  }
  return `${kept}…${open
    .reverse()
    .map((tag) => `</${tag}>`)
    .join('')}`;
}

export function visibleLength(html: string): number {
  let length = 0;
  for (const [piece, tag] of html.matchAll(token)) if (!tag) length += widthOf(piece);
  return length;
}

/** An entity stands for one character; an emoji counts as two, as in UTF-16. */
const widthOf = (piece: string): number => (piece.length > 2 && piece.startsWith('&') ? 1 : piece.length);
