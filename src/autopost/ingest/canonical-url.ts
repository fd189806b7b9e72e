/** Parameters that say who sent the reader, not what they are sent to. Any `utm_` is one of them. */
const tracking = new Set(
  `fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid ysclid _openstat twclid ttclid igshid igsh mc_cid mc_eid
   mkt_tok _hsenc _hsmi vero_id rb_clickid`.split(/\s+/u),
);

/**
 * One spelling for all addresses of a page, to tell whether two posts lead to the same place. Not for showing: a
 * sender's marks are theirs to count by, and a server may care for a slash. Null: not an address of the web.
 */
export function canonicalUrl(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address); // makes the host small and punycode, and drops the usual port
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/u, '');
  url.pathname = url.pathname.replace(/(?<=[^/])\/+$/u, '');
  for (const name of [...url.searchParams.keys()]) if (isTracking(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  return url.search === '' ? url.href.replace(/\?$/u, '') : url.href;
}

function isTracking(name: string): boolean {
  const known = name.toLowerCase();
  return known.startsWith('utm_') || tracking.has(known);
}

/** With all addresses in their one spelling, wherever they stand: in a tag, in brackets, or on their own. */
export const withCanonicalUrls = (text: string): string =>
  text.replace(ADDRESS, (found) => {
    const isEscaped = found.includes('&amp;');
    const canonical = canonicalUrl(found.replaceAll('&amp;', '&')) ?? found;
    return isEscaped ? canonical.replaceAll('&', '&amp;') : canonical;
  });

/** The addresses of a text in their one spelling. */
export const addressesIn = (text: string): string[] =>
  (text.match(ADDRESS) ?? []).map((found) => canonicalUrl(found.replaceAll('&amp;', '&')) ?? found);

/** Without the signs with which a sentence goes on, or a mark closes, behind it. */
const ADDRESS = /https?:\/\/[^\s<>"'`()[\]{}|\\^«»]+(?<![.,;:!?…*_~])/giu;
