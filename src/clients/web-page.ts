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
const HEADING_LENGTH = 200;

/** Null when there is nothing to read. */
export function toWebPage(
  page: Omit<WebPage, 'text' | 'words' | 'headings'>,
  markdown: string,
): WebPage | null {
  const read = markdown.slice(0, MOST_READ);
  const prose = read
    .replace(/^ *(`{3,}|~{3,})[\s\S]*?^ *\1 *$/gmu, '') // a "#" in code is no heading
    .replace(/!\[[^\]\n]*\]\([^)\n]*\)/gu, '')
    .replace(/\[([^\]\n]*)\]\([^)\n]*\)/gu, '$1');
  const words = prose.match(/[\p{L}\p{N}]+(?:[-’'][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  if (words === 0) return null;
  return { ...page, text: read.slice(0, MOST_KEPT), words, headings: headingsOf(prose) };
}

function headingsOf(prose: string): WebPage['headings'] {
  return [...prose.matchAll(/^(#{1,3})[ \t]+(\S.*)$/gmu)].slice(0, MOST_HEADINGS).map(([, marks, line]) => ({
    level: marks!.length,
    text: line!
      .replace(/[ \t]*#*[ \t]*$|[*_`]+/gu, '')
      .trim()
      .slice(0, HEADING_LENGTH),
  }));
}
