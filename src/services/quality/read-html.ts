import { createRequire } from 'node:module';

/** As much of a DOM as is read here. jsdom's own types would declare a browser's globals for the whole product. */
type Node = {
  textContent: string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
};
type Element = Node & { tagName: string; getAttribute(name: string): string | null; remove(): void };

const { JSDOM } = createRequire(import.meta.url)('jsdom') as { JSDOM: { fragment(html: string): Node } };

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
};
export type Block = { text: string; heading: boolean; linked: boolean };

const BLOCKS = 'h1, h2, h3, h4, h5, h6, p, li, td, th, figcaption, pre';
/** A picture that is still to be drawn: `{{IMAGE_2}}`. */
const PICTURE_TOKEN = /\{\{\s*IMAGE_\d+\s*\}\}/gu;

export function readHtml(html: string): ReadHtml {
  const page = JSDOM.fragment(html.replace(/<br\s*\/?>/giu, '\n'));
  const hasJsonLd = [...page.querySelectorAll('script[type="application/ld+json"]')].some(isJson);
  const hasContents = page.querySelector('nav.toc') !== null;
  for (const unread of page.querySelectorAll('nav.toc, script, style')) unread.remove();

  const count = (selector: string) => [...page.querySelectorAll(selector)].length;
  const tokens = page.textContent?.match(PICTURE_TOKEN)?.length ?? 0;
  const texts = (selector: string) => [...page.querySelectorAll(selector)].map(textOf).filter(Boolean);

  const seen = {
    h1: [...page.querySelectorAll('h1')].map(textOf),
    h2: texts('h2'),
    headings: texts('h2, h3, h4'),
    paragraphs: texts('p'),
    links: [...page.querySelectorAll('a[href]')].filter((link) => !link.getAttribute('href')!.startsWith('#'))
      .length,
    lists: count('ul, ol'),
    images: count('img') + tokens,
    hasContents,
    hasJsonLd,
  };
  return { ...seen, blocks: blocksOf(page) };
}

/**
 * Takes the page apart from its end: an inner block leaves before the outer one is read, so nothing is read twice.
 * What stands in no block at all, such as a text without markup, is one block per line.
 */
function blocksOf(page: Node): Block[] {
  const blocks = [...page.querySelectorAll(BLOCKS)].reverse().map((element) => {
    const block = {
      text: textOf(element),
      heading: /^H\d$/u.test(element.tagName),
      linked: isLinked(element),
    };
    element.remove();
    return block;
  });
  const linked = isLinked(page);
  const loose = (page.textContent ?? '')
    .split('\n')
    .map((line) => ({ text: tidy(line), heading: false, linked }));
  return [...blocks.reverse(), ...loose].filter(({ text }) => text !== '');
}

/** A link away, or an address spelled out. */
const isLinked = (node: Node): boolean =>
  node.querySelector('a[href^="http"]') !== null || /https?:\/\//u.test(node.textContent ?? '');

const textOf = (node: Element): string => tidy(node.textContent ?? '');
const tidy = (text: string): string =>
  text
    .replace(PICTURE_TOKEN, ' ')
    .replace(/[^\S\u00a0\u202f]+/gu, ' ')
    .trim();

function isJson({ textContent }: Element): boolean {
  try {
    return typeof JSON.parse(textContent ?? '') === 'object';
  } catch {
    return false; // a broken script is what this asks about
  }
}
