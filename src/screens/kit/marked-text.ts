import type { RichPart, RichText } from './screen.ts';

/** How a person formatted a part of their text. Offsets are in UTF-16 units. */
export type Mark = {
  kind: MarkKind;
  offset: number;
  length: number;
  /** The address of a `link`, the language of a `pre-code`, the id of an `emoji`. */
  detail?: string | undefined;
};

export const markKinds = [
  'bold',
  'italic',
  'underline',
  'strike',
  'spoiler',
  'code',
  'pre',
  'pre-code',
  'link',
  'quote',
  'folded-quote',
  'emoji',
] as const;
export type MarkKind = (typeof markKinds)[number];

type Tags = { open: (detail: string) => RichText; close: string };

const plain = (name: string, attributes = ''): Tags => ({
  open: () => [{ markup: `<${name}${attributes}>` }],
  close: `</${name}>`,
});
const detailed = (before: string, after: string, close: string): Tags => ({
  open: (detail) => [{ markup: before }, { value: detail }, { markup: after }],
  close,
});

const tags: Readonly<Record<MarkKind, Tags>> = {
  bold: plain('b'),
  italic: plain('i'),
  underline: plain('u'),
  strike: plain('s'),
  spoiler: plain('tg-spoiler'),
  code: plain('code'),
  pre: plain('pre'),
  'pre-code': detailed('<pre><code class="language-', '">', '</code></pre>'),
  link: detailed('<a href="', '">', '</a>'),
  quote: plain('blockquote'),
  'folded-quote': plain('blockquote', ' expandable'),
  emoji: detailed('<tg-emoji emoji-id="', '">', '</tg-emoji>'),
};

/** The text as its author formatted it. Marks that cross each other are closed and opened again: markup only nests. */
export function markedText(text: string, marks: readonly Mark[] = []): RichText {
  const parts: RichPart[] = [];
  const usable = marks.filter(({ offset, length }) => offset >= 0 && length > 0 && offset < text.length);
  const edges = [...new Set(usable.flatMap(({ offset, length }) => [offset, offset + length]))];
  const cuts = [0, ...edges.filter((at) => at > 0 && at < text.length).sort((a, b) => a - b), text.length];
  let open: Mark[] = [];
  for (const [i, from] of cuts.slice(0, -1).entries()) {
    const here = usable
      .filter(({ offset, length }) => offset <= from && from < offset + length)
      .sort((a, b) => a.offset - b.offset || b.length - a.length);
    const kept = open.findIndex((mark, depth) => mark !== here[depth]);
    const shared = kept === -1 ? open.length : kept;
    for (const mark of open.slice(shared).reverse()) parts.push({ markup: tags[mark.kind].close });
    for (const mark of here.slice(shared)) parts.push(...tags[mark.kind].open(mark.detail ?? ''));
    open = here;
    parts.push({ value: text.slice(from, cuts[i + 1]) });
  }
  for (const mark of open.reverse()) parts.push({ markup: tags[mark.kind].close });
  return parts;
}
