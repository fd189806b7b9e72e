import { domainToUnicode } from 'node:url';

/** How people call a site, and what makes it one: `романтика.рф`, `shop.example/blog`. Without scheme and `www`. */
export function siteIdentifier(url: string): string {
  const { port, pathname } = new URL(url);
  return `${siteHost(url)}${port && `:${port}`}${pathname.replace(/\/+$/u, '')}`;
}

export const siteHost = (url: string): string =>
  domainToUnicode(new URL(url).hostname).replace(/^www\.(?=.+\.)/u, '');

// What a site calls itself becomes a line on a screen; some put a whole slogan there.
const MOST_TITLE = 100;

export const siteTitle = (name: string): string =>
  [...name.replace(/\s+/gu, ' ').trim()].slice(0, MOST_TITLE).join('');
