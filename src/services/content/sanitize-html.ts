import { createRequire } from 'node:module';
import createDOMPurify, { type Config } from 'dompurify';
import type { DomNode } from '../quality/read-html.ts';
import { rewrittenJsonLd } from './json-ld.ts';
import { preformatted } from './render-article.ts';

/*
 * The last gate before anything generated is published. DOMPurify decides what is an element at all; the table
 * below decides which of those an article may hold, and with which values. What the table does not name is gone:
 * an unknown element leaves its text, an unknown attribute leaves nothing.
 */

type Rule = (value: string) => string | null;

/** Past this the markup changes with every reading, which honest markup never does. */
const READINGS = 6;

/** Elements left unclosed count as well, so it is far above what an article nests. */
const DEPTH_LIMIT = 400;
const voidElements = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr', 'col']);

const matching =
  (pattern: RegExp): Rule =>
  (value) =>
    pattern.test(value) ? value : null;
const any: Rule = (value) => value;

const webUrl = url(/^https?:\/\//iu);
const linkUrl = url(/^(?:https?:\/\/|mailto:|tel:|#)/iu);
const brandColour = { style: declarations({ color: /^#[0-9a-f]{3,8}$/iu }) };
const cells = { colspan: matching(/^\d{1,3}$/u), rowspan: matching(/^\d{1,3}$/u), ...brandColour };
const anchor = { id: matching(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u) };
const contents = { class: matching(/^toc(?:-[a-z0-9]+)*$/u) };

const colour = /^(?:#[0-9a-f]{3,8}|[a-z]{3,20}|rgba?\([\d\s.,%/]{1,40}\))$/iu;
const emphasis = declarations({
  color: colour,
  'background-color': colour,
  'font-weight': /^(?:normal|bold|[1-9]00)$/u,
  'font-style': /^(?:normal|italic)$/u,
  'text-decoration': /^(?:none|underline|line-through)$/u,
});

const plain = {};
const allowed: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  ...{ h1: plain, h2: { ...anchor, ...brandColour }, h3: { ...anchor, ...brandColour } },
  ...{ h4: { ...anchor, ...brandColour }, h5: anchor, h6: anchor },
  ...{ p: brandColour, br: plain, hr: plain, blockquote: plain },
  a: {
    href: linkUrl,
    title: any,
    target: matching(/^_blank$/u),
    rel: relations,
    ...brandColour,
  },
  img: {
    src: webUrl,
    alt: any,
    width: matching(/^\d{1,5}$/u),
    height: matching(/^\d{1,5}$/u),
    loading: matching(/^(?:lazy|eager)$/u),
  },
  ...{ figure: plain, figcaption: plain, nav: contents },
  ...{ ul: plain, ol: { start: matching(/^\d{1,5}$/u) }, li: { ...contents, ...brandColour } },
  ...{ strong: plain, em: plain, b: plain, i: plain, s: plain, span: { style: emphasis } },
  // Not in the first list, but code is written so, and so is an article whose Markdown could not be read.
  ...{ pre: plain, code: plain },
  ...{ table: plain, thead: plain, tbody: plain, tr: plain, th: cells, td: cells },
};

const config: Config = {
  // The page's own body is not written out, but without it here DOMPurify copies everything inside before it drops it.
  ALLOWED_TAGS: [...Object.keys(allowed), 'body'],
  ALLOWED_ATTR: [...new Set(Object.values(allowed).flatMap((rules) => Object.keys(rules)))],
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  // It would take the anchor from a heading called "Title" or "Links". Names are not let through at all, ids on
  // headings only, and a heading's id shadows nothing of a document or a form.
  SANITIZE_DOM: false,
  RETURN_DOM: true,
};

/** Article HTML with nothing in it but what an article needs; data for search engines goes to the end. */
export const sanitizeHtml = (html: string): string => sanitizeAndRead(html, () => null).html;

/** The same, with a look at the page while it is still open: building it again would take as long as cleaning it. */
export function sanitizeAndRead<Seen>(
  html: string,
  read: (page: DomNode) => Seen,
): { html: string; seen: Seen } {
  browser ??= openBrowser();
  try {
    if (isTooDeep(html)) return looked(browser.clean(preformatted(html)), '');
    const scripts = /<script/iu.test(html) ? browser.jsonLdTexts(html).map(rewrittenJsonLd).join('') : '';
    return looked(settled(html, browser.clean), scripts);
  } finally {
    browser.leave();
  }

  function looked({ html: cleaned, body }: CleanPage, scripts: string) {
    return { html: cleaned + scripts, seen: read(body) };
  }
}

/** Parsing takes the square of the depth: twenty thousand tags in each other would hold the bot for a minute. */
function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, slash, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/giu)) {
    if (voidElements.has(name!.toLowerCase())) continue;
    depth = slash ? Math.max(0, depth - 1) : depth + 1;
    if (depth > DEPTH_LIMIT) return true;
  }
  return false;
}

/**
 * Cleaned until a reading changes nothing: removing an element can leave text where HTML allows none (straight in
 * a table, say), and then a browser would build another tree than the one that was checked.
 */
function settled(html: string, clean: Browser['clean']): CleanPage {
  let before = html;
  for (let reading = 0; reading < READINGS; reading++) {
    const page = clean(before);
    if (page.html === before) return page;
    before = page.html;
  }
  return clean(preformatted(html));
}

type CleanPage = { html: string; body: DomNode };
type Browser = {
  clean(html: string): CleanPage;
  jsonLdTexts(html: string): string[];
  /** Lets go of every page that was opened: until then they stay readable. */
  leave(): void;
};

/**
 * One window for all articles: opening one takes as long as cleaning a short text. Two habits of jsdom would make it
 * hold every page for ever, some 4 MB each. A window remembers each element with an id until it is taken out of its
 * page, so pages are emptied after use; and a selector query keeps its page alive, so none is made.
 */
let browser: Browser | undefined;

function openBrowser(): Browser {
  const window = openWindow();
  const purify = createDOMPurify(window as unknown as Parameters<typeof createDOMPurify>[0]);
  const open: DomDocument[] = [];

  purify.addHook('uponSanitizeElement', (node) => {
    const element = node as unknown as DomElement;
    // A customised element keeps its `is` when written out, even if the attribute was removed.
    if (element.nodeType === 1 && element.hasAttribute('is')) element.remove();
    if (element.localName === 'img' && !hasSource(element)) element.remove();
    // A caption with no picture above it tells the reader that one is missing.
    if (element.localName === 'figure' && isOnlyCaption(element)) element.remove();
  });

  purify.addHook('uponSanitizeAttribute', (node, attribute) => {
    const kept = allowed[node.localName]?.[attribute.attrName]?.(attribute.attrValue) ?? null;
    attribute.keepAttr = kept !== null;
    if (kept !== null) attribute.attrValue = kept;
  });

  purify.addHook('afterSanitizeAttributes', (node) => {
    const element = node as unknown as DomElement;
    if (element.localName !== 'a') return;
    if (!webUrl(element.getAttribute('href') ?? '')) element.removeAttribute('rel');
    else element.setAttribute('rel', relations(element.getAttribute('rel') ?? ''));
  });

  return {
    clean(html) {
      // Null for a page of frames, which has no body.
      const page = purify.sanitize(html, config) ?? purify.sanitize('', config);
      const body = page as unknown as DomNode & { innerHTML: string; ownerDocument: DomDocument };
      open.push(body.ownerDocument);
      return { html: body.innerHTML, body };
    },
    jsonLdTexts(html) {
      const page = new window.DOMParser().parseFromString(html, 'text/html');
      open.push(page);
      return [...page.getElementsByTagName('script')]
        .filter((script) => script.getAttribute('type')?.trim().toLowerCase() === 'application/ld+json')
        .map((script) => script.textContent ?? '');
    },
    leave() {
      for (const page of open.splice(0)) page.documentElement?.remove();
    },
  };
}

function hasSource(image: DomElement): boolean {
  return webUrl(image.getAttribute('src') ?? '') !== null;
}

function isOnlyCaption(figure: DomElement): boolean {
  const images = [...figure.getElementsByTagName('img')];
  const rest = [...figure.children].filter(
    ({ localName }) => !['img', 'a', 'figcaption'].includes(localName),
  );
  return rest.length === 0 && !images.some(hasSource);
}

/** Of the relations only those about rank and trust stay; the two that protect the reader are always there. */
function relations(value: string): string {
  const trust = ['nofollow', 'sponsored', 'ugc'].filter((name) =>
    value.toLowerCase().split(/\s+/u).includes(name),
  );
  return [...trust, 'noopener', 'noreferrer'].join(' ');
}

/** Browsers skip control characters and blanks in a scheme, so a URL holding any is no URL to publish. */
function url(form: RegExp): Rule {
  return (value) => {
    const address = value.trim();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    return form.test(address) && !/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/u.test(address)
      ? address
      : null;
  };
}

function declarations(properties: Readonly<Record<string, RegExp>>): Rule {
  return (style) => {
    const kept = style.split(';').flatMap((declaration) => {
      const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*(.*?)\s*$/iu.exec(declaration) ?? [];
      const form = Object.hasOwn(properties, name.toLowerCase()) && properties[name.toLowerCase()];
      return form !== false && form?.test(value) ? [`${name.toLowerCase()}:${value}`] : [];
    });
    return kept.length > 0 ? kept.join(';') : null;
  };
}

/** As much of a DOM as is used here. jsdom's own types would declare a browser's globals for the whole product. */
type DomElement = {
  readonly nodeType: number;
  readonly localName: string;
  readonly textContent: string | null;
  readonly children: Iterable<DomElement>;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  getElementsByTagName(name: string): Iterable<DomElement>;
  remove(): void;
};

type DomDocument = Pick<DomElement, 'getElementsByTagName'> & { readonly documentElement: DomElement | null };

type DomWindow = {
  readonly DOMParser: new () => { parseFromString(html: string, type: 'text/html'): DomDocument };
};

function openWindow(): DomWindow {
  const { JSDOM } = createRequire(import.meta.url)('jsdom') as { JSDOM: new () => { window: DomWindow } };
  return new JSDOM().window;
}
