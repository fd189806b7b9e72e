import { outsideText } from '../ai/outside-text.ts';
import { slug } from '../content/slug.ts';

/** A page of the company's own site; `hint` is its title, or what its address tells about it. */
export type InternalLink = { url: string; hint: string };
/** As the site itself names it. */
export type TitledPage = { url: string; title: string };

const MOST_LINKS = 20;
const HINT_LENGTH = 80;
const LINK_LENGTH = 500;
const HOME = 'главная страница';
/** Endings change with the case, beginnings do not. */
const STEM_LENGTH = 5;

const noPage =
  /\.(?:xml|pdf|jpe?g|png|webp|gif|svg|css|js|zip|docx?|xlsx?)$|\/(?:wp-(?:admin|json|content|login)|feed|tag|author|page\/\d+|cart|checkout)(?:\/|\.|$)/iu;

/** Of the site's own pages those that an article may link to, the nearest to its topic first. */
export function internalLinks(pages: readonly (string | TitledPage)[], mainPhrase: string): InternalLink[] {
  const topic = slug(mainPhrase)
    .split('-')
    .filter((word) => word.length >= STEM_LENGTH - 1)
    .map((word) => word.slice(0, STEM_LENGTH));
  return pages
    .map((page) => {
      const { url, title } = typeof page === 'string' ? { url: page, title: '' } : page;
      const hint = outsideText(title, HINT_LENGTH) || hintOf(url);
      const written = slug(hint);
      // Told once for each: a site has thousands of pages, and sorting compares each of them many times.
      return { url, hint, shared: topic.filter((word) => written.includes(word)).length };
    })
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MOST_LINKS)
    .map(({ url, hint }) => ({ url, hint }));
}

/** A few at a time: the site is somebody's small server. */
export async function thoseThere<Page extends { url: string }>(
  pages: readonly Page[],
  isThere: (url: string) => Promise<boolean>,
): Promise<Page[]> {
  const found = new Set<Page>();
  const waiting = [...pages];
  const look = async () => {
    for (let page = waiting.shift(); page; page = waiting.shift())
      if (await isThere(page.url)) found.add(page);
  };
  await Promise.all(Array.from({ length: 4 }, look));
  return pages.filter((page) => found.has(page));
}

/** On the site itself or under it: `blog.shop.ru` belongs to `www.shop.ru`. */
export function isOnSite(address: string, site: string): boolean {
  const own = hostOf(site);
  const host = hostOf(address);
  return own !== null && host !== null && (host === own || host.endsWith(`.${own}`));
}

/** Those of the addresses that are pages of the site, each once. */
export function ownPages(addresses: readonly string[], site: string): string[] {
  const pages = addresses
    .filter(
      (address) => /^https?:\/\//iu.test(address) && address.length <= LINK_LENGTH && isOnSite(address, site),
    )
    .map((address) => new URL(address))
    .filter((url) => !noPage.test(url.pathname))
    .map((url) => `${url.origin}${url.pathname}`);
  return [...new Set(pages)];
}

function hintOf(address: string): string {
  const last = new URL(address).pathname.split('/').filter(Boolean).at(-1) ?? '';
  const name = readable(last)
    .replace(/\.\w{2,5}$/u, '')
    .replace(/[-_+]+/gu, ' ');
  return outsideText(name, HINT_LENGTH) || HOME;
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a lone "%" is part of the address
  }
}

function hostOf(address: string): string | null {
  const whole = /^https?:\/\//iu.test(address) ? address : `https://${address}`;
  return URL.canParse(whole) ? new URL(whole).hostname.replace(/^www\./u, '') : null;
}
