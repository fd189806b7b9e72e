/** A place for a picture: `![alt]({{IMAGE_2}} "caption")`, or the bare `{{IMAGE_2}}`. */
type ImageMark = { start: number; end: number; number: number };

const TOKEN = /\{\{\s*IMAGE_(\d{1,4})\s*\}\}/giu;
// No alt text or caption is longer; a window keeps the search linear in a text without line ends.
const LONGEST_SIDE = 1_000;

/**
 * In the order of the text. Read outward from each token: captions carry brackets and quotes of their own, which
 * models do not always escape.
 */
export function findImageMarks(markdown: string): ImageMark[] {
  const marks: ImageMark[] = [];
  for (const match of markdown.matchAll(TOKEN)) {
    const token = { start: match.index, end: match.index + match[0].length };
    const start = imageStart(markdown, token.start);
    const end = start === null ? null : imageEnd(markdown, token.end);
    const whole = start === null || end === null ? token : { start, end };
    // A caption may quote a mark; it goes with its picture.
    if (whole.start >= (marks.at(-1)?.end ?? 0)) marks.push({ ...whole, number: Number(match[1]) });
  }
  return marks;
}

/** What still looks like a mark and names no picture. */
export const withoutBrokenMarks = (markdown: string): string =>
  markdown
    .replace(/!\[[^[\]\n]{0,300}\]\(\s*<?\{\{\s*IMAGE[^()\n]{0,300}\)/giu, '')
    .replace(/\{\{\s*IMAGE(?:[^{}\n]{0,100}\}\})?/giu, '');

/** What stood around a mark that went may have become the opening of a new one. */
export const withoutMarkOpenings = (markdown: string): string =>
  markdown.replace(/\{[{\s]*\{\s*(?=IMAGE)/giu, '');

/** Where `![alt](` begins that ends at the token; null when nothing like it stands there. */
function imageStart(markdown: string, token: number): number | null {
  const before = markdown.slice(Math.max(0, token - LONGEST_SIDE), token);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const opening = line.match(/\]\(\s*<?\s*$/u);
  if (!opening) return null;
  let depth = 0;
  for (let i = opening.index!; i >= 0; i -= 1) {
    if (line[i] === ']') depth += 1;
    if (line[i] === '[') depth -= 1;
    if (depth === 0) return line[i - 1] === '!' ? token - line.length + i - 1 : null;
  }
  return null;
}

/** Where the image ends that holds the token; null when it is not closed on its line. */
function imageEnd(markdown: string, token: number): number | null {
  const [line = ''] = markdown.slice(token, token + LONGEST_SIDE).split('\n', 1);
  const closing =
    line.match(/^\s*>?\s*\)/u) ??
    line.match(/^\s*>?\s*"[^\n]*?"\s*\)/u) ??
    line.match(/^\s*>?\s*'[^\n]*?'\s*\)/u) ??
    line.match(/^[^)]*\)/u);
  return closing ? token + closing[0].length : null;
}
