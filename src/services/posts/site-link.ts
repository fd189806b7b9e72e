import { type PostPlatform, postRulesOf } from '../../platforms/platforms.ts';
import { slug } from '../content/slug.ts';

const MOST_CAMPAIGN = 60;

type SiteLink = {
  /** Under which people know the site. */
  label: string;
  /** With the marks by which its owner sees where visitors came from. */
  href: string;
};

/** The company's site as a post on this platform names it. Null: it has none that could be opened. */
export function siteLink(platform: PostPlatform, websiteUrl: string, about: string): SiteLink | null {
  const given = websiteUrl.trim();
  const full = /^https?:\/\//iu.test(given) ? given : `https://${given}`;
  if (given === '' || !URL.canParse(full)) return null;
  const { hostname } = new URL(full);
  if (!hostname.includes('.')) return null;
  return { label: labelOf(full), href: withMarks(full, platform, about) };
}

/** Marks set before stay as they are: the owner may count by their own. */
export function withMarks(href: string, platform: PostPlatform, about: string): string {
  const url = new URL(href);
  const marks = {
    utm_source: platform,
    utm_medium: 'social',
    utm_campaign: slug(about).slice(0, MOST_CAMPAIGN).replace(/-+$/u, '') || 'post',
  };
  const missing = Object.entries(marks).filter(([name]) => !url.searchParams.has(name));
  if (missing.length === 0) return href;
  const query = new URLSearchParams(missing).toString();
  // By hand, not by URL: that would turn «флора.рф» into its punycode.
  const [address = '', fragment] = href.split('#', 2);
  const rooted = url.pathname === '/' && url.search === '' ? `${address.replace(/\/$/u, '')}/` : address;
  const joined = `${rooted}${url.search === '' ? '?' : '&'}${query}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

/** Whether it leads to the site itself, and not to the company's page elsewhere. */
export function leadsToSite(href: string, websiteUrl: string): boolean {
  const hostOf = (address: string) =>
    URL.canParse(address) ? new URL(address).hostname.replace(/^www\./u, '') : null;
  const site = hostOf(/^https?:/iu.test(websiteUrl) ? websiteUrl : `https://${websiteUrl}`);
  return site !== null && hostOf(href) === site;
}

export const hasLinkBeside = (platform: PostPlatform): boolean => postRulesOf(platform).link === 'beside';

const labelOf = (address: string): string =>
  address
    .replace(/^https?:\/\/(?:www\.)?/iu, '')
    .replace(/[/?#].*$/u, '')
    .toLowerCase();
