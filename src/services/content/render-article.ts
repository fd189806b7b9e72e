import createMarkdownIt, { type MarkdownIt, type Token } from 'markdown-it';
import { allowedLink, type LinkRules } from './allowed-links.ts';
import { isHexColour, isReadable } from './contrast.ts';
import { figures } from './figures.ts';
import { lineBreaks } from './line-breaks.ts';
import { type OwnLinks, ownLinks } from './own-links.ts';
import { slug } from './slug.ts';

export type ArticleText = {
  title: string;
  markdown: string;
  /** Sizes of the pictures that are known, found by address. */
  images?: { url: string; width?: number; height?: number }[];
  brand?: Brand;
  /** Where links may lead. Given, they lead nowhere else, and no picture comes from elsewhere. */
  places?: LinkRules;
};

type Brand = { text?: string; accent?: string; background?: string };

/** `cause` is there for the log: the reader sees the text either way. */
type RenderedArticle = { html: string; fellBack: false } | { html: string; fellBack: true; cause: unknown };

/** A picture that is still to be drawn needs an address to pass for one; `.invalid` will never be anybody's. */
export const PENDING_PICTURE = 'https://picture.invalid/';

const CONTENTS_FROM_HEADINGS = 3;
const CONTENTS_LABEL = 'Содержание';

/**
 * HTML off: what the model writes as markup is shown as text, never obeyed. Off as well is what models only write by
 * accident: a line under a paragraph would make it a heading, and an indented one code.
 */
const engine = createMarkdownIt({ html: false })
  .disable(['lheading', 'code'])
  .use(lineBreaks)
  .use(ownLinks)
  .use(figures);
const { escapeHtml } = engine.utils;

/*
 * All text is escaped as a browser writes it. The gate reads once more what it has changed, and a reading takes longer
 * than anything else that is done to an article.
 */
const escapeValue = (value: string): string => escapeHtml(value).replaceAll('\u00a0', '&nbsp;');
const escapeText = (text: string): string => escapeValue(text).replaceAll('&quot;', '"');
const { renderer } = engine;
renderer.rules.text = (tokens, i) => escapeText(tokens[i]!.content);
renderer.rules.code_inline = (tokens, i) => `<code>${escapeText(tokens[i]!.content)}</code>`;
renderer.rules.fence = (tokens, i) => `<pre><code>${escapeText(tokens[i]!.content)}</code></pre>\n`;
renderer.renderAttrs = ({ attrs }) =>
  (attrs ?? []).map(([name, value]) => ` ${name}="${escapeValue(String(value))}"`).join('');

/** Title, contents, body. Not yet safe to publish: sanitizeHtml() comes after. */
export function renderArticle(article: ArticleText, markdownIt: MarkdownIt = engine): RenderedArticle {
  const title = `<h1>${escapeText(article.title.trim())}</h1>\n`;
  try {
    return { html: title + renderBody(article, markdownIt), fellBack: false };
  } catch (cause) {
    return { html: title + preformatted(article.markdown), fellBack: true, cause };
  }
}

/** Text as it is, for when its markup cannot be made sense of. */
export const preformatted = (text: string): string => `<pre>${escapeText(text.trim())}</pre>\n`;

function renderBody(
  { title, markdown, images = [], brand = {}, places }: ArticleText,
  markdownIt: MarkdownIt,
): string {
  const environment = places ? { own: ownOf(places, images) } : {};
  const tokens = withoutTitle(markdownIt.parse(markdown, environment), title);

  orderHeadings(tokens);
  const headings = nameHeadings(tokens);
  dropAlignment(tokens);
  protectLinks(tokens);
  dressImages(tokens, new Map(images.map((image) => [markdownIt.normalizeLink(image.url), image])));
  const look = readableOf(brand);
  paint(tokens, look);

  return contentsOf(headings, look) + markdownIt.renderer.render(tokens, markdownIt.options, environment);
}

function ownOf(places: LinkRules, images: { url: string }[]): OwnLinks {
  const pictures = new Set(images.map(({ url }) => engine.normalizeLink(url)));
  return {
    isOwnLink: allowedLink(places),
    isOwnPicture: (src) => pictures.has(src) || src.startsWith(PENDING_PICTURE),
  };
}

/** Models like to repeat the title as the first line; the document has it already. */
function withoutTitle(tokens: Token[], title: string): Token[] {
  const [open, text] = tokens;
  const repeats = open?.type === 'heading_open' && slug(plainText(text!)) === slug(title);
  return repeats ? tokens.slice(3) : tokens;
}

/**
 * Sections begin at H2, a stray H1 among them, and no level is left out on the way down: screen readers
 * navigate by headings.
 */
function orderHeadings(tokens: Token[]): void {
  const above: number[] = [];
  tokens.forEach((token, i) => {
    if (token.type !== 'heading_open') return;
    const level = Math.max(2, Number(token.tag.slice(1)));
    while ((above.at(-1) ?? 0) >= level) above.pop();
    above.push(level);
    token.tag = `h${above.length + 1}`;
    tokens[i + 2]!.tag = token.tag;
  });
}

type Heading = { tag: string; id: string; text: string };

function nameHeadings(tokens: Token[]): Heading[] {
  const taken = new Set<string>();
  return tokens.flatMap((token, i) => {
    if (token.type !== 'heading_open') return [];
    const text = plainText(tokens[i + 1]!);
    const id = unused(slug(text) || 'heading', taken);
    token.attrSet('id', id);
    return [{ tag: token.tag, id, text }];
  });
}

function unused(name: string, taken: Set<string>): string {
  let id = name;
  for (let copy = 2; taken.has(id); copy++) id = `${name}-${copy}`;
  taken.add(id);
  return id;
}

/** The label is no heading: it would count among the article's own. */
function contentsOf(headings: Heading[], { text, accent }: Brand): string {
  const listed = headings.filter(({ tag, text: title }) => ['h2', 'h3'].includes(tag) && title !== '');
  if (listed.length < CONTENTS_FROM_HEADINGS) return '';
  const items = listed.map(({ tag, id, text: title }) => {
    const open = tag === 'h3' ? `<li class="toc-h3"${styleOf(text)}>` : `<li${styleOf(text)}>`;
    return `${open}<a href="#${id}"${styleOf(accent)}>${escapeText(title)}</a></li>\n`;
  });
  return `<nav class="toc">\n<p${styleOf(text)}><strong>${CONTENTS_LABEL}</strong></p>\n<ul>\n${items.join('')}</ul>\n</nav>\n`;
}

/** Alignment is the theme's business, as the language of code is; the allow-list has no place for either. */
function dropAlignment(tokens: Token[]): void {
  for (const token of tokens) {
    if (token.type === 'th_open' || token.type === 'td_open') token.attrs = null;
  }
}

function protectLinks(tokens: Token[]): void {
  for (const link of inlineTokens(tokens, 'link_open')) {
    if (/^https?:/iu.test(String(link.attrGet('href')))) link.attrSet('rel', 'noopener noreferrer');
  }
}

type Size = { width?: number; height?: number };

/** The first picture is what the reader waits for; the rest may come when scrolled to. */
function dressImages(tokens: Token[], sizes: Map<string, Size>): void {
  inlineTokens(tokens, 'image').forEach((image, i) => {
    const { width, height } = sizes.get(String(image.attrGet('src'))) ?? {};
    image.attrs = image.attrs?.filter(([name]) => name !== 'title') ?? null; // the caption tells it
    if (width && height) {
      image.attrSet('width', String(width)); // one without the other would distort the picture
      image.attrSet('height', String(height));
    }
    if (i > 0) image.attrSet('loading', 'lazy');
  });
}

/** A colour that is hard to read on the site's background is not used at all: the theme has a better one. */
function readableOf({ text, accent, background }: Brand): Brand {
  const readable = (colour: string | undefined) => isHexColour(colour) && isReadable(colour, background);
  return { ...(readable(text) && { text }), ...(readable(accent) && { accent }) };
}

/** All that is read, so that a list does not look different from the paragraph above it. */
const painted = /^(?:paragraph_open p|heading_open h[234]|list_item_open li|t[dh]_open t[dh])$/u;

function paint(tokens: Token[], { text, accent }: Brand): void {
  if (text)
    for (const token of tokens)
      if (painted.test(`${token.type} ${token.tag}`)) token.attrSet('style', `color:${text}`);
  if (accent) for (const link of inlineTokens(tokens, 'link_open')) link.attrSet('style', `color:${accent}`);
}

const styleOf = (colour: string | undefined): string => (colour ? ` style="color:${colour}"` : '');

const inlineTokens = (tokens: Token[], type: string): Token[] =>
  tokens.flatMap(({ children }) => (children ?? []).filter((child) => child.type === type));

function plainText(inline: Token): string {
  return engine.renderer
    .renderInlineAsText(inline.children ?? [], engine.options, {})
    .replace(/\s+/gu, ' ')
    .trim();
}
