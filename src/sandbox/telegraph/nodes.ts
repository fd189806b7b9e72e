import { z } from 'zod';

const tags = [
  ...['a', 'aside', 'b', 'blockquote', 'br', 'code', 'em', 'figcaption', 'figure', 'h3', 'h4', 'hr', 'i'],
  ...['iframe', 'img', 'li', 'ol', 'p', 'pre', 's', 'strong', 'u', 'ul', 'video'],
];

export type Node = string | { tag: string; attrs?: { href?: string; src?: string }; children?: Node[] };

const node: z.ZodType<Node> = z.lazy(() =>
  z.union([
    z.string(),
    z.strictObject({
      tag: z.string().refine((tag) => tags.includes(tag)),
      attrs: z.strictObject({ href: z.string().optional(), src: z.string().optional() }).optional(),
      children: z.array(node).optional(),
    }),
  ]),
);

const MOST_BYTES = 64 * 1024;

type ContentError =
  | 'CONTENT_REQUIRED'
  | 'CONTENT_FORMAT_INVALID'
  | 'CONTENT_TEXT_REQUIRED'
  | 'CONTENT_TOO_BIG';

/** A page's content as it came, which in a form is JSON in a string; or the name of what is wrong with it. */
export function readContent(given: unknown): Node[] | ContentError {
  if (given === undefined || given === '') return 'CONTENT_REQUIRED';
  const content = z.array(node).safeParse(typeof given === 'string' ? parsed(given) : given);
  if (!content.success) return 'CONTENT_FORMAT_INVALID';
  if (content.data.length === 0) return 'CONTENT_REQUIRED';
  if (Buffer.byteLength(JSON.stringify(content.data)) > MOST_BYTES) return 'CONTENT_TOO_BIG';
  return content.data.some(hasContent) ? content.data : 'CONTENT_TEXT_REQUIRED';
}

export const textOf = (nodes: readonly Node[]): string =>
  nodes.map((one) => (typeof one === 'string' ? one : textOf(one.children ?? []))).join('');

const hasContent = (one: Node): boolean =>
  typeof one === 'string' ? one.trim() !== '' : one.tag === 'img' || (one.children ?? []).some(hasContent);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // no list of nodes, and refused for that
  }
}
