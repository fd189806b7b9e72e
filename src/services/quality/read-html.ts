import { createRequire } from 'node:module';

/** As much of a DOM as is read here. jsdom's own types would declare a browser's globals for the whole product. */
export type DomNode = {
  readonly nodeType: number;
  readonly nodeValue: string | null;
  readonly localName?: string;
  readonly textContent: string | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  getAttribute(name: string): string | null;
};

const require = createRequire(import.meta.url);

/** What a reader and a search engine see in a rendered article. */
export type ReadHtml = {
  h1: readonly string[];
  h2: readonly string[];
  /** Headings below the first, where a section of questions is looked for. */
  headings: readonly string[];
  paragraphs: readonly string[];
  /** Everything that is read, block by block, headings included; contents and scripts are not. */
  blocks: readonly Block[];
  links: number;
  lists: number;
  images: number;
  hasContents: boolean;
  hasJsonLd: boolean;
  /** The questions of its FAQ section with the paragraphs of their answers. */
  faq: readonly AskedQuestion[];
};
export type AskedQuestion = { question: string; answer: readonly string[] };
export type Block = { text: string; heading: boolean; linked: boolean };

const BLOCKS = new Set('h1 h2 h3 h4 h5 h6 p li td th figcaption pre'.split(' '));
const TEXT_NODE = 3;
const ELEMENT_NODE = 1;
/** A picture that is still to be drawn: `{{IMAGE_2}}`. */
const PICTURE_TOKEN = /\{\{\s*IMAGE_\d+\s*\}\}/gu;

/** Loaded when it is first needed: in the bot's own thread it rarely is, and it would make every start slower. */
export function readHtml(html: string): ReadHtml {
  const { JSDOM } = require('jsdom') as { JSDOM: { fragment(html: string): DomNode } };
  return readPage(JSDOM.fragment(html));
}

/**
 * A text without block elements, one block per line, as readHtml would read it. Without jsdom, which takes seconds to
 * load and holds up everybody in the bot's own thread.
 */
export const readLines = (text: string, { linked }: { linked: boolean }): Block[] =>
  linesOf({ tag: '', raw: text, linked })
    .map(toBlock)
    .filter((block) => block.text !== '');

export const textOf = ({ blocks }: Pick<ReadHtml, 'blocks'>): string =>
  blocks.map(({ text }) => text).join('\n');

type Part = { tag: string; raw: string; linked: boolean };

/** One walk: a selector for each question would cost as much as building the page did. */
export function readPage(root: DomNode): ReadHtml {
  const parts: Part[] = [];
  const loose: Part = { tag: '', raw: '', linked: false };
  const seen = { links: 0, lists: 0, images: 0, hasContents: false, hasJsonLd: false };
  readInside(root, loose);

  const blocks = parts.map(toBlock);
  const texts = (...tags: string[]) =>
    blocks.filter(({ text }, i) => text !== '' && tags.includes(parts[i]!.tag)).map(({ text }) => text);
  const tokens = [...parts, loose].flatMap(({ raw }) => raw.match(PICTURE_TOKEN) ?? []);
  return {
    ...seen,
    images: seen.images + tokens.length,
    h1: texts('h1'),
    h2: texts('h2'),
    headings: texts('h2', 'h3', 'h4'),
    paragraphs: texts('p'),
    faq: faqOf(parts),
    blocks: [...blocks, ...linesOf(loose).map(toBlock)].filter(({ text }) => text !== ''),
  };

  /** Text belongs to the innermost block around it, so nothing is read twice. */
  function readInside(node: DomNode, part: Part): void {
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === TEXT_NODE) part.raw += child.nodeValue ?? '';
      if (child.nodeType === ELEMENT_NODE) readElement(child, part);
    }
  }

  function readElement(element: DomNode, around: Part): void {
    const tag = element.localName!;
    if (tag === 'style') return;
    if (tag === 'script') {
      seen.hasJsonLd ||= element.getAttribute('type') === 'application/ld+json' && isJson(element);
      return;
    }
    if (tag === 'nav' && element.getAttribute('class')?.split(/\s+/u).includes('toc')) {
      seen.hasContents = true;
      return;
    }
    if (tag === 'br') around.raw += '\n';
    if (tag === 'ul' || tag === 'ol') seen.lists += 1;
    if (tag === 'img') seen.images += 1;

    const href = tag === 'a' ? element.getAttribute('href') : null;
    if (href !== null && !href.startsWith('#')) seen.links += 1;
    if (href?.startsWith('http')) around.linked = true;

    const part = BLOCKS.has(tag) ? { tag, raw: '', linked: false } : around;
    if (part !== around) parts.push(part);
    readInside(element, part);
  }
}

const FAQ_HEADING = /(?<!\p{L})(?:вопрос|спрашива|faq)/iu;
const QUESTION_LENGTH = 300;

/** From a second-level heading that speaks of questions to the next: headings, or paragraphs that ask, and what follows. */
function faqOf(parts: readonly Part[]): AskedQuestion[] {
  return parts.flatMap(({ tag, raw }, start) => {
    if (tag !== 'h2' || !FAQ_HEADING.test(raw)) return [];
    const end = parts.findIndex((part, i) => i > start && part.tag === 'h2');
    return questionsOf(parts.slice(start + 1, end === -1 ? undefined : end));
  });
}

function questionsOf(section: readonly Part[]): AskedQuestion[] {
  const isHeading = ({ tag }: Part) => /^h[3-6]$/u.test(tag);
  const hasHeadings = section.some(isHeading);
  const asked: { question: string; answer: string[] }[] = [];
  for (const part of section) {
    const text = tidy(part.raw);
    const asks = hasHeadings ? isHeading(part) : text.endsWith('?') && text.length <= QUESTION_LENGTH;
    if (asks) asked.push({ question: text, answer: [] });
    else if (text !== '' && part.tag !== 'figcaption') asked.at(-1)?.answer.push(text);
  }
  // «Какие вопросы задать мастеру» may be a section like any other: what does not ask is no question.
  return asked.filter(({ question, answer }) => question.endsWith('?') && answer.length > 0);
}

/** What stands in no block at all, such as a text without markup, is one block per line. */
const linesOf = ({ tag, raw, linked }: Part): Part[] =>
  raw.split('\n').map((line) => ({ tag, raw: line, linked: linked || isAddressed(raw) }));

const toBlock = ({ tag, raw, linked }: Part): Block => ({
  text: tidy(raw),
  heading: /^h\d$/u.test(tag),
  linked: linked || isAddressed(raw),
});

/** An address spelled out is as good as a link. */
const isAddressed = (text: string): boolean => /https?:\/\//u.test(text);

const tidy = (text: string): string =>
  text
    .replace(PICTURE_TOKEN, ' ')
    .replace(/[^\S\u00a0\u202f]+/gu, ' ')
    .trim();

function isJson({ textContent }: DomNode): boolean {
  try {
    return typeof JSON.parse(textContent ?? '') === 'object';
  } catch {
    return false; // a broken script is what this asks about
  }
}
