import { createRequire } from 'node:module';
import type { TelegraphElement, TelegraphNode } from '../../clients/telegraph.ts';

/** As much of a DOM as is read here. jsdom's own types would declare a browser's globals for the whole product. */
type DomNode = {
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: Iterable<DomNode>;
};
type DomElement = DomNode & {
  readonly localName: string;
  readonly children: Iterable<DomElement>;
  getAttribute(name: string): string | null;
};

const { JSDOM } = createRequire(import.meta.url)('jsdom') as { JSDOM: { fragment(html: string): DomNode } };

const ELEMENT = 1;
const TEXT = 3;

/** Under which name Telegraph knows an element. One that is not here leaves its content. */
const names = new Map(
  Object.entries({ h2: 'h3', h5: 'h4', h6: 'h4' }).concat(
    'a aside b blockquote br code em figcaption figure h3 h4 hr i img li ol p pre s strong u ul'
      .split(' ')
      .map((name) => [name, name]),
  ),
);
/** The page has a title of its own, and its contents lead to anchors that Telegraph does not keep. */
const dropped = new Set(['h1', 'nav', 'script', 'style', 'template']);
const alone = new Set(['br', 'hr', 'img']);
/** Between their parts there is no text, only the line breaks of the HTML. */
const partsOnly = new Set(['ul', 'ol', 'figure']);

/** Telegraph takes 64 KB; the rest is for the line that says so and for what its own counting may add. */
const MOST_BYTES = 60_000;
const CONTINUES: TelegraphNode = {
  tag: 'p',
  children: [{ tag: 'em', children: ['Статья длиннее: в предпросмотр поместилось только её начало.'] }],
};

/** An article's HTML as a Telegraph page, cut to what fits on one. */
export function toTelegraph(html: string): TelegraphNode[] {
  const nodes = childrenOf(JSDOM.fragment(html), false).filter(hasContent);
  const kept = fitting(nodes, MOST_BYTES);
  return kept.length === nodes.length && kept.at(-1) === nodes.at(-1) ? nodes : [...kept, CONTINUES];
}

function childrenOf(parent: DomNode, preformatted: boolean): TelegraphNode[] {
  return [...parent.childNodes].flatMap((node) => toNodes(node, preformatted));
}

function toNodes(node: DomNode, preformatted: boolean): TelegraphNode[] {
  if (node.nodeType === TEXT) return textOf(node.textContent ?? '', preformatted);
  if (node.nodeType !== ELEMENT) return [];
  const element = node as DomElement;
  if (dropped.has(element.localName)) return [];
  if (element.localName === 'tr') return rowOf(element);
  const tag = names.get(element.localName);
  if (!tag) return childrenOf(element, preformatted);
  return elementOf(element, tag, preformatted || tag === 'pre');
}

function textOf(text: string, preformatted: boolean): TelegraphNode[] {
  const shown = preformatted ? text : text.replace(/[^\S\u00a0\u202f]+/gu, ' ');
  return shown === '' ? [] : [shown];
}

function elementOf(element: DomElement, tag: string, preformatted: boolean): TelegraphNode[] {
  const attrs = attributesOf(element, tag);
  if (tag === 'img' && !attrs) return [];
  if (alone.has(tag)) return [{ tag, ...(attrs && { attrs }) }];
  const inside = childrenOf(element, preformatted);
  const children = partsOnly.has(tag) ? inside.filter(hasContent) : inside;
  if (!children.some(hasContent)) return [];
  return tag === 'a' && !attrs ? children : [{ tag, ...(attrs && { attrs }), children }];
}

/** Addresses that work on the Telegraph page; an anchor of ours would lead nowhere. */
function attributesOf(element: DomElement, tag: string): TelegraphElement['attrs'] | null {
  const href = tag === 'a' ? element.getAttribute('href') : null;
  if (href && /^(?:https?:\/\/|mailto:|tel:)/iu.test(href)) return { href };
  const src = tag === 'img' ? element.getAttribute('src') : null;
  return src && /^https?:\/\//iu.test(src) ? { src } : null;
}

/** Telegraph has no tables: a row is a line. */
function rowOf(row: DomElement): TelegraphNode[] {
  const cells = [...row.children].map((cell) => childrenOf(cell, false));
  const line = cells.flatMap((cell, i) => (i === 0 ? cell : [' | ', ...cell]));
  return cells.flat().some(hasContent) ? [{ tag: 'p', children: line }] : [];
}

const hasContent = (node: TelegraphNode): boolean =>
  typeof node === 'string'
    ? node.trim() !== ''
    : alone.has(node.tag) || (node.children ?? []).some(hasContent);

/** Whole nodes while there is room. One that would not fit on a page of its own gives what it can of its inside. */
function fitting(nodes: TelegraphNode[], room: number): TelegraphNode[] {
  const kept: TelegraphNode[] = [];
  let left = room - '[]'.length;
  for (const node of nodes) {
    const size = sizeOf(node) + ','.length;
    if (size > left) {
      const part = size > MOST_BYTES ? partOf(node, left) : null;
      return part === null ? kept : [...kept, part];
    }
    kept.push(node);
    left -= size;
  }
  return kept;
}

function partOf(node: TelegraphNode, room: number): TelegraphNode | null {
  if (typeof node === 'string') return headOf(node, room);
  const shell = { ...node, children: [] };
  const children = fitting(node.children ?? [], room - sizeOf(shell));
  return children.length > 0 ? { ...node, children } : null;
}

/** Up to a blank; by halves, because only the JSON knows how long a letter is in it. */
function headOf(text: string, room: number): string | null {
  let end = text.length;
  while (end > 0 && sizeOf(text.slice(0, end)) > room) end = Math.floor(end / 2);
  const head = text.slice(0, end);
  const blank = head.search(/\s\S*$/u);
  return blank > 0 ? head.slice(0, blank) : null;
}

const sizeOf = (node: TelegraphNode): number => Buffer.byteLength(JSON.stringify(node));
