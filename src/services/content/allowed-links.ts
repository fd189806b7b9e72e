import { type CompanyPlaces, ownLink } from '../posts/company-links.ts';

/** Where links of an article may lead. */
export type LinkRules = CompanyPlaces & {
  /** The company's own, in any spelling. */
  phones?: readonly string[];
  mails?: readonly string[];
  /** Pages of its site that are known to exist. Not given: any address on the site will do. */
  pages?: readonly string[];
  /** Pages that were read for this article. */
  sources?: readonly string[];
};

/** A model invents addresses, and a page that it has read may have asked it to: anything that is not known is no link. */
export function allowedLink(rules: LinkRules): (href: string) => boolean {
  const isOwn = ownLink(rules);
  const phones = new Set((rules.phones ?? []).map(subscriber));
  const mails = new Set((rules.mails ?? []).map((mail) => mail.toLowerCase()));
  const sources = new Set((rules.sources ?? []).map(place));
  const site = rules.websiteUrl === '' ? null : hostOf(rules.websiteUrl);
  const pages = rules.pages && new Set([...rules.pages, rules.websiteUrl].filter(Boolean).map(place));
  return (href) => {
    const [, scheme = '', rest = ''] = /^(tel|mailto):(.*)$/isu.exec(href.trim()) ?? [];
    if (scheme.toLowerCase() === 'tel') return phones.has(subscriber(rest));
    if (scheme.toLowerCase() === 'mailto') return mails.has(decoded(rest.split('?')[0]!).toLowerCase());
    // A connected site may have another address than the one in the company's card.
    if (sources.has(place(href)) || pages?.has(place(href))) return true;
    if (isOwn(href) === null) return false;
    return !pages || hostOf(href) !== site;
  };
}

/** +7 and 8 lead to the same telephone. Empty for a text without digits. */
const subscriber = (phone: string): string => decoded(phone).replace(/\D/gu, '').slice(-10) || 'none';

const hostOf = (address: string): string | null => parsed(address)?.hostname.replace(/^www\./u, '') ?? null;

/** The page itself, whatever stands behind `?` and `#`. */
function place(address: string): string {
  const url = parsed(address);
  if (!url) return address;
  return `${url.hostname.replace(/^www\./u, '')}${decoded(url.pathname).replace(/\/+$/u, '')}`.toLowerCase();
}

function parsed(address: string): URL | null {
  const whole = /^https?:\/\//iu.test(address) ? address : `https://${address}`;
  return URL.canParse(whole) ? new URL(whole) : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone "%" is part of the address
  }
}
