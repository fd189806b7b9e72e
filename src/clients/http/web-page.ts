import { z } from 'zod';

/** A page as a reader of its text needs it. Whatever it says is somebody else's words: data, never orders. */
export type WebPage = z.infer<typeof webPage>;
export const webPage = z.object({
  url: z.string(),
  title: z.string(),
  description: z.string(),
  summary: z.string(),
  /** Its Markdown, or the head of it. */
  text: z.string(),
  words: z.number(),
  headings: z.array(z.object({ level: z.number(), text: z.string() })),
});

/** Three times the longest article: what lies behind it would only slow the counting. */
const MOST_READ = 200_000;
const MOST_KEPT = 20_000;
const MOST_HEADINGS = 100;

/** Null when there is nothing to read. Line by line and in linear time: a page may be made to be slow to read. */
export function toWebPage(
  page: Omit<WebPage, 'text' | 'words' | 'headings'>,
  markdown: string,
): WebPage | null {
  const read = markdown.slice(0, MOST_READ);
  const lines = proseLines(read);
  const words = lines.reduce((sum, line) => sum + wordsIn(line), 0);
  if (words === 0) return null;
  const headings = lines.flatMap(headingOf).slice(0, MOST_HEADINGS);
  return { ...page, text: read.slice(0, MOST_KEPT), words, headings };
}

/** Without code, where a "#" is no heading, and without addresses. */
function proseLines(markdown: string): string[] {
  let inCode = false;
  return markdown.split('\n').filter((line) => {
    const fence = /^ {0,3}(?:```|~~~)/u.test(line);
    if (fence) inCode = !inCode;
    return !fence && !inCode;
  });
}

function wordsIn(line: string): number {
  const prose = line.replace(/(!?)\[([^\][]{0,300})\]\([^)(]{0,1000}\)/gu, (_, picture, label) =>
    picture ? '' : label,
  );
  return prose.match(/[\p{L}\p{N}]+(?:[-’'][\p{L}\p{N}]+)*/gu)?.length ?? 0;
}

function headingOf(line: string): WebPage['headings'] {
  const [, marks, rest] = /^(#{1,3})[ \t]+(\S.{0,200})/u.exec(line) ?? [];
  if (!marks || !rest) return [];
  const text = rest
    .replace(/\[([^\][]{0,200})\]\([^)(]{0,200}\)?/gu, '$1')
    .replace(/[*_`#]+/gu, '')
    .trim();
  return text === '' ? [] : [{ level: marks.length, text }];
}
