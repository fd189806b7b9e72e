import type { ParseMode } from '../../platforms/messenger/messenger.ts';

/** The links of a post behind its text, where a reader looks for them. */
export const withLinks = (text: string, links: readonly string[], parseMode: ParseMode): string =>
  [text, links.map(written[parseMode]).join('\n')].filter((part) => part !== '').join('\n\n');

const written: Readonly<Record<ParseMode, (link: string) => string>> = {
  None: (link) => link,
  HTML: (link) => `<a href="${escaped(link)}">${escaped(link)}</a>`,
  // Bare, the underscores of an address would become italics; the name of the site has none.
  Markdown: (link) => `[${new URL(link).hostname}](${link.replace(/[()\\]/gu, percentEncoded)})`,
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const percentEncoded = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
