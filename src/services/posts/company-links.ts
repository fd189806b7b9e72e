import type { PostPlatform } from '../../platforms/platforms.ts';
import type { Company } from '../projects/brief.ts';

export type CompanyPlaces = Pick<Company, 'websiteUrl' | 'telegram' | 'vk' | 'pinterest'>;

/** Where a person finds the company on this platform; where it has no place there, its nearest one. */
export function socialLink(platform: PostPlatform, company: Company): string {
  const hasOwnPage = (name: PostPlatform): name is keyof typeof hosts => Object.hasOwn(hosts, name);
  if (hasOwnPage(platform)) return addressAt(platform, company[platform]);
  return addressAt('telegram', company.telegram) || fullAddress(company.websiteUrl);
}

/**
 * The full address if it leads to the company itself, otherwise null: a model's own links are not published. In the
 * letters in which it was written: people do not recognise «флора.рф» by its punycode.
 */
export function ownLink(company: CompanyPlaces): (href: string) => string | null {
  const places = [
    company.websiteUrl,
    addressAt('telegram', company.telegram),
    addressAt('vk', company.vk),
    addressAt('pinterest', company.pinterest),
  ].flatMap((address) => parsed(address) ?? []);
  return (href) => {
    const link = parsed(href);
    return link !== null && places.some((place) => leadsTo(place, link)) ? fullAddress(href) : null;
  };
}

/** Addresses spelled out in the text that are not the company's. Messengers make links of them by themselves. */
export function foreignAddresses(text: string, company: Company): string[] {
  const own = ownLink(company);
  const found = text.match(/https?:\/\/[^\s<>"»)\]]+[^\s<>"»)\].,;:!?…]/giu) ?? [];
  return found.filter((address) => own(address) === null);
}

const hosts = { telegram: 't.me', vk: 'vk.com', pinterest: 'pinterest.com' } as const;

/** Where everybody has a page: the host alone says nothing of whose it is. */
const sharedHosts =
  /(?:^|\.)(?:t\.me|telegram\.me|vk\.com|vk\.ru|ok\.ru|max\.ru|pinterest\.[a-z.]+|instagram\.com|youtube\.com|rutube\.ru|dzen\.ru|taplink\.(?:cc|ws)|wa\.me|avito\.ru|2gis\.ru|yandex\.ru|google\.com|facebook\.com)$/iu;

/** People write `@name`, `name` or an address. */
function addressAt(network: keyof typeof hosts, given: string): string {
  const name = /^@?([\w.-]+)$/u.exec(given.trim())?.[1];
  const isName = name !== undefined && (given.trim().startsWith('@') || !name.includes('.'));
  return isName ? `https://${hosts[network]}/${name}` : fullAddress(given);
}

const fullAddress = (address: string): string => {
  const given = address.trim();
  return given === '' || /^https?:\/\//iu.test(given) ? given : `https://${given}`;
};

function parsed(address: string): URL | null {
  const full = fullAddress(address);
  const isWeb = /^https?:\/\/[^\s\\]+$/iu.test(full) && URL.canParse(full);
  const url = isWeb ? new URL(full) : null;
  return url?.hostname.includes('.') && url.username === '' ? url : null;
}

function leadsTo(place: URL, link: URL): boolean {
  const isSameHost = host(link) === host(place);
  if (sharedHosts.test(host(place))) return isSameHost && `${path(link)}/`.startsWith(`${path(place)}/`);
  return isSameHost || host(link).endsWith(`.${host(place)}`);
}

const host = ({ hostname }: URL): string => hostname.replace(/^www\./u, '');
const path = ({ pathname }: URL): string => pathname.replace(/\/+$/u, '').toLowerCase();
