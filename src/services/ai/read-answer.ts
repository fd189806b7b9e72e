import { z } from 'zod';

/** The model said something, and it is not what was asked for. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** What a model said, as the value that was asked for. Throws nothing but `UnusableAnswer`. */
export function readAnswer<Shape extends z.ZodObject>(raw: string, shape: Shape): z.infer<Shape> {
  const said = parsed(raw) ?? parsed(mended(raw));
  if (said === null) throw new UnusableAnswer('no JSON, and not to be mended');
  const read = shape.safeParse(Array.isArray(said.value) ? named(said.value, shape) : said.value);
  if (!read.success) throw new UnusableAnswer(z.prettifyError(read.error), { cause: read.error });
  return read.data;
}

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null; // the one way JSON.parse has to say no
  }
}

/** A list where an object was asked for: meant is the one list in it, if there is only one. */
function named(list: unknown[], shape: z.ZodObject): Record<string, unknown[]> {
  const lists = Object.entries(shape.shape).filter(([, field]) => field instanceof z.ZodArray);
  return { [lists.length === 1 ? lists[0]![0] : 'items']: list };
}

const CLOSES: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** A string and its closing quote, if it has one; a bracket or comma; a run of anything else. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*("?)|[{}[\],]|[^"{}[\],]+/gsu;

/**
 * The first object or list, out of fences and talk, without commas that nothing follows and with the brackets it
 * lacks at the end. One pass that knows strings from structure: a text may hold any of these marks itself.
 */
function mended(raw: string): string {
  const open: string[] = [];
  const kept: string[] = [];
  for (const [mark, quote] of withoutFences(raw).matchAll(TOKENS)) {
    if (CLOSES[mark]) open.push(CLOSES[mark]);
    if (mark === '}' || mark === ']') {
      dropTrailingComma(kept);
      if (open.pop() !== mark) return '';
    }
    kept.push(quote === '' ? `${mark}"` : mark);
    if (open.length === 0) break;
  }
  dropTrailingComma(kept);
  return kept.join('') + open.reverse().join('');
}

function withoutFences(raw: string): string {
  const text = raw.slice(Math.max(0, raw.search(/[{[]/u))).trimEnd();
  return text.endsWith('```') ? text.slice(0, -3) : text;
}

function dropTrailingComma(kept: string[]): void {
  const last = kept.findLastIndex((token) => token.trim() !== '');
  if (kept[last] === ',') kept.splice(last, 1);
}
