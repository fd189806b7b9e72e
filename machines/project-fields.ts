import { lengthMisfit, type Misfit } from './misfit.ts';

/** The fifteen facts about a business, in the order in which they are shown. */
export const projectFields = [
  'name',
  'company_name',
  'specialization',
  'website_url',
  'company_city',
  'company_address',
  'company_phone',
  'company_email',
  'company_instagram',
  'company_vk',
  'company_pinterest',
  'company_telegram',
  'experience',
  'advantages',
  'description',
] as const;

export type ProjectField = (typeof projectFields)[number];

type Rule = { format: Format; min: number; max: number; optional: boolean };
type Format = 'title' | 'text' | 'url' | 'email' | 'phone';

const optionalText = (max: number): Rule => ({ format: 'text', min: 2, max, optional: true });

/** Upper bounds follow the columns of `schema.sql`: a value that passes here fits there. */
export const projectFieldRules: Record<ProjectField, Rule> = {
  name: { format: 'title', min: 2, max: 100, optional: false },
  company_name: { format: 'text', min: 2, max: 200, optional: false },
  specialization: { format: 'text', min: 5, max: 500, optional: false },
  website_url: { format: 'url', min: 2, max: 500, optional: true },
  company_city: optionalText(255),
  company_address: optionalText(500),
  company_phone: { format: 'phone', min: 5, max: 50, optional: true },
  company_email: { format: 'email', min: 5, max: 255, optional: true },
  company_instagram: optionalText(255),
  company_vk: optionalText(255),
  company_pinterest: optionalText(255),
  company_telegram: optionalText(255),
  experience: optionalText(500),
  advantages: optionalText(500),
  description: optionalText(500),
};

export const fitsProjectField = (field: ProjectField, text: string): boolean =>
  misfitOf(field, text) === null;

/** What is stored of an answer that fits: tidied, and a site with its scheme and without what was copied along. */
export const projectFieldValue = (field: ProjectField, text: string): string =>
  projectFieldRules[field].format === 'url' ? withScheme(withoutMarks(tidy(text))) : tidy(text);

/** Null where the answer fits. */
export function misfitOf(field: ProjectField, text: string): Misfit | null {
  const { format, min, max } = projectFieldRules[field];
  const value = projectFieldValue(field, text);
  return lengthMisfit(value, min, max) ?? (formats[format](value) ? null : 'wrong-format');
}

export const isCategoryName = (text: string): boolean => fitsProjectField('name', text);

/** What is stored: no stray blanks at the ends, none doubled inside, and nothing that cannot be seen. */
export const tidy = (text: string): string => text.replace(unseen, '').replace(/\s+/gu, ' ').trim();

/**
 * Control characters, halves of a pair, invisible spaces, and marks that turn the direction of the text around:
 * a copied address carries them along. PostgreSQL refuses the zero byte, and the person could not have found
 * it. Joiners stay: emoji and some scripts are written with them.
 */
const unseen = /(?!\s)[\p{Cc}\p{Cs}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069]/gu;

const formats: Record<Format, (value: string) => boolean> = {
  // "Without special characters": words, digits and the punctuation of ordinary names («Ромашка & Ко», №1), also
  // as a phone's keyboard embellishes it: “curly” quotes, … and dashes of any length.
  title: (value) => /^[\p{L}\p{N}\p{M}\p{Pd} .,:;!?…()«»"'“”„‘’№&+/]*$/u.test(value) && hasWord(value),
  text: hasWord,
  url: isWebAddress,
  email: (value) =>
    /^[^\s@<>"(),:;[\]\\]+@[\p{L}\p{N}][\p{L}\p{N}-]*(\.[\p{L}\p{N}-]+)*\.\p{L}[\p{L}\p{N}-]+$/u.test(value),
  phone: (value) => /^\+?[\d\p{Pd} ().]+$/u.test(value) && digitsIn(value) >= 5 && digitsIn(value) <= 15,
};

function hasWord(value: string): boolean {
  return /[\p{L}\p{N}]/u.test(value);
}

function digitsIn(value: string): number {
  return value.replace(/\D/gu, '').length;
}

/** People type `romashka.ru` and mean the site behind it. */
function withScheme(value: string): string {
  // `shop.example:8080` has a port, not a scheme.
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/iu.test(value);
  return value === '' || hasScheme ? value : `https://${value}`;
}

/** How a search engine or an advertisement marks the visits that it sends. */
const visitMark = /^(?:utm_\w+|ysclid|yclid|etext|gclid|fbclid|_openstat)$/iu;

/** An address copied out of search results carries such marks along; a place within the page is none of the site's. */
function withoutMarks(value: string): string {
  const [page = '', query = ''] = value.replace(/#.*$/u, '').split(/\?(.*)/u);
  const kept = query.split('&').filter((part) => part !== '' && !visitMark.test(part.split('=')[0]!));
  return kept.length > 0 ? `${page}?${kept.join('&')}` : page;
}

/** An address where a name was asked for as well: one word, with a scheme, or with an ending that domains have. */
export function looksLikeSite(text: string): boolean {
  const value = tidy(text);
  if (/\s/u.test(value) || !fitsProjectField('website_url', value)) return false;
  if (/^(https?:\/\/|www\.)/iu.test(value)) return true;
  const ending = new URL(withScheme(value)).hostname.replace(/^.*\./u, '');
  return /^[a-z]{2,24}$/u.test(ending) || cyrillicEndings.includes(ending);
}

/** A dot between two Russian words is a domain only before one of these; as URL spells them. */
const cyrillicEndings = [
  ...['xn--p1ai', 'xn--p1acf', 'xn--90ais', 'xn--j1amh', 'xn--80adxhks', 'xn--d1acj3b'],
  ...['xn--80asehdb', 'xn--80aswg', 'xn--c1avg', 'xn--j1aef'],
];

function isWebAddress(value: string): boolean {
  // URL forgives what a person did not mean: a third slash, a backslash, blanks. What is stored was typed so.
  if (!/^https?:\/\/[\p{L}\p{N}][^\s\\<>"]*$/iu.test(value) || !URL.canParse(value)) return false;
  const { hostname, username, password } = new URL(value);
  return username === '' && password === '' && /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/u.test(hostname);
}
