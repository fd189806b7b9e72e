import { z } from 'zod';

/** The model said something, and it is not what was asked for. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** What a model said, as the value that was asked for. Throws nothing but `UnusableAnswer`. */
export function readAnswer<Shape extends z.ZodObject>(raw: string, shape: Shape): z.infer<Shape> {
  const said = parsed(raw) ?? foundIn(raw);
  if (said === null) throw new UnusableAnswer('no JSON, and not to be mended');
  const read = shape.safeParse(Array.isArray(said.value) ? meantBy(said.value, shape) : said.value);
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

/** A list where an object was asked for: it holds the object, or is the one list in it, if there is only one. */
function meantBy(list: unknown[], shape: z.ZodObject): unknown {
  if (list.length === 1 && shape.safeParse(list[0]).success) return list[0];
  const lists = Object.entries(shape.shape).filter(([, field]) => field instanceof z.ZodArray);
  return { [lists.length === 1 ? lists[0]![0] : 'items']: list };
}

const CLOSES: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** A string and its closing quote, if it has one; a bracket or comma; a run of anything else. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*("?)|[{}[\],]|[^"{}[\],]+/gsu;

/** The first object or list that is JSON, out of fences and talk: talk may have brackets of its own. */
function foundIn(raw: string): { value: unknown } | null {
  let rest = raw.trimEnd().replace(/```$/u, '');
  for (;;) {
    const start = rest.search(/[{[]/u);
    const piece = start === -1 ? null : mended(rest.slice(start));
    const found = piece && parsed(piece.json);
    if (found || !piece?.closed) return found;
    rest = rest.slice(start + piece.length);
  }
}

/**
 * An object or list from its opening bracket on, without commas that nothing follows, with its line breaks written as
 * JSON writes them and with the brackets it lacks at the end. One pass that knows strings from structure: a text may
 * hold any of these marks itself. Null: its brackets cross.
 */
function mended(text: string): { json: string; length: number; closed: boolean } | null {
  const open: string[] = [];
  const kept: string[] = [];
  let length = 0;
  for (const [mark, quote] of text.matchAll(TOKENS)) {
    length += mark.length;
    if (CLOSES[mark]) open.push(CLOSES[mark]);
    if (mark === '}' || mark === ']') {
      dropTrailingComma(kept);
      if (open.pop() !== mark) return null;
    }
    kept.push(quote === undefined ? mark : escaped(quote === '' ? `${mark}"` : mark));
    if (open.length === 0) break;
  }
  dropTrailingComma(kept);
  return { json: kept.join('') + open.toReversed().join(''), length, closed: open.length === 0 };
}

const escaped = (text: string): string =>
  text.replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));

function dropTrailingComma(kept: string[]): void {
  const last = kept.findLastIndex((token) => token.trim() !== '');
  if (kept[last] === ',') kept.splice(last, 1);
}
