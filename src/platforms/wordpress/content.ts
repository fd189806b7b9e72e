import {
  jsonLdScript,
  relinkedJsonLd,
  JSON_LD_SCRIPT as SCRIPT,
  withPageAddress,
} from '../../services/content/json-ld.ts';

/** A picture as the text has it, and where it is now; null when it could not be taken along. */
export type Moved = { from: string; to: { id: number; url: string } | null };

export type PostContent = { body: string; jsonLd: string };

const FIGURE = /<figure\b[^>]*>[\s\S]*?<\/figure>\s*/gu;
const IMAGE = /<img\b[^>]*>/gu;
const TITLE = /<h1\b[^>]*>[\s\S]*?<\/h1>\s*/u;

/**
 * Our own, cleaned HTML as WordPress wants it: its theme prints the title and the featured picture, and its own library
 * serves the others.
 */
export function toPostContent(
  html: string,
  moved: readonly Moved[],
  featured: Moved | null = null,
): PostContent {
  const scripts = [...html.matchAll(SCRIPT)].map(([, text]) => text!);
  const places = new Map(moved.map(({ from, to }) => [from, to?.url ?? null]));
  const body = html.replace(SCRIPT, '').replace(TITLE, '').trim();
  return {
    body: inert(withRoomyTables(withMovedPictures(featured ? withoutPicture(body, featured) : body, moved))),
    jsonLd: scripts.map((text) => relinkedJsonLd(text, places)).join(''),
  };
}

/** Words where WordPress takes HTML: a title, an excerpt, a caption. */
export const asHtml = (words: string): string => words.replaceAll('<', '&lt;');

/** What is read in a post, letter by letter: without pictures and their captions, which may have been left out. */
export const lettersOf = (content: string): string =>
  withoutJsonLd(content)
    .replace(FIGURE, '')
    .replace(/<!--[\s\S]*?-->|<(?:"[^"]*"|[^">])*>|&#?\w+;/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * The mark stands inside a paragraph, where WordPress leaves comments alone. The data for search engines is a block
 * of its own: with a block in it, WordPress does not break the text into paragraphs a second time.
 */
export function withMark({ body, jsonLd }: PostContent, mark: string): string {
  const at = body.indexOf('</p>');
  const end = at === -1 ? body.length : at;
  const marked = `${body.slice(0, end)}${markComment(mark)}${body.slice(end)}`;
  return jsonLd === '' ? marked : `${marked}\n\n<!-- wp:html -->\n${jsonLd}\n<!-- /wp:html -->`;
}

/** The data for search engines names the page it stands on; text that is no JSON stays as it is. */
export const withAddress = (content: string, address: string): string =>
  content.replace(SCRIPT, (script, text: string) => {
    try {
      return script.replace(/^<script[\s\S]*<\/script>/u, () =>
        jsonLdScript(withPageAddress(JSON.parse(text), address) as object),
      );
    } catch {
      return script; // a plugin of the site has rewritten it
    }
  });

/** Without the block above, whatever is left of it. */
export const withoutJsonLd = (content: string): string =>
  content.replace(/\s*<!-- wp:html -->[\s\S]*<!-- \/wp:html -->\s*$/u, '');

export const holdsMark = (content: string, mark: string): boolean => content.includes(markComment(mark));

export const holdsAnyMark = (content: string): boolean => /<!-- publication [0-9a-z]+ -->/u.test(content);

export const holdsJsonLd = (content: string): boolean =>
  content.includes('<script type="application/ld+json"');

const markComment = (mark: string): string => `<!-- publication ${mark} -->`;

/** WordPress runs what stands in square brackets, and puts a player in place of an address alone on its line. */
const inert = (body: string): string =>
  body
    .replaceAll('[', '&#91;')
    .replace(/(?<=^|>)(\s*https?:)\/\/(?=[^\s<>"]+\s*(?:<|$))/gimu, '$1&#47;&#47;');

/** Themes leave a wide table sticking out of a phone's screen: it scrolls by itself instead, also by the keyboard. */
const withRoomyTables = (body: string): string =>
  body.replace(
    /<table>[\s\S]*?<\/table>/gu,
    (table) =>
      `<div class="wp-block-table" style="overflow:auto" role="region" aria-label="Таблица" tabindex="0">${table}</div>`,
  );

function withoutPicture(body: string, { from }: Moved): string {
  const isIt = (markup: string) => forms(from).some((form) => markup.includes(`"${form}"`));
  return body.replace(FIGURE, (figure) => (isIt(figure) ? '' : figure));
}

function withMovedPictures(body: string, moved: readonly Moved[]): string {
  const isLost = (markup: string) =>
    moved.some(({ from, to }) => to === null && forms(from).some((form) => markup.includes(`"${form}"`)));
  let text = body.replace(FIGURE, (figure) => (isLost(figure) ? '' : figure));
  text = text.replace(IMAGE, (image) => (isLost(image) ? '' : image));
  for (const { from, to } of moved) {
    if (to === null) continue;
    for (const form of forms(from)) {
      // By this class WordPress knows the picture, and offers smaller copies of it to smaller screens.
      text = text.replaceAll(
        `<img src="${form}"`,
        () => `<img class="wp-image-${to.id}" src="${inAttribute(to.url)}"`,
      );
      text = text.replaceAll(`"${form}"`, () => `"${inAttribute(to.url)}"`);
    }
  }
  return text;
}

/** An address as it is, and as it is written in an attribute. */
const forms = (url: string): string[] => [...new Set([inAttribute(url), url])];

const inAttribute = (url: string): string => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
