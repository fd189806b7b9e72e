import { type ReadHtml, readHtml } from './read-html.ts';
import { type Language, russian } from './russian-text.ts';
import { NUMBER, sumsIn, toNumber } from './sums.ts';

/** Warnings only (E48): a person may know a price that the list does not. */
export type FactWarning =
  | { readonly code: 'phone-not-of-company'; readonly value: string }
  | { readonly code: 'contact-not-of-company'; readonly value: string }
  | { readonly code: 'price-not-listed'; readonly value: string; readonly rubles: number | null }
  | { readonly code: 'age-not-known'; readonly value: string }
  | { readonly code: 'share-not-known'; readonly value: string }
  | { readonly code: 'statistics-without-source'; readonly value: string };

/** What the company says of itself; `known` is all that the article could have learned from. */
export type CompanyFacts = { prices: readonly number[]; phones: readonly string[]; known?: string };

/** A stranger's contact takes the customer away, a price binds the company; the rest is embarrassing. */
const weights: Readonly<Record<FactWarning['code'], number>> = {
  'phone-not-of-company': 6,
  'contact-not-of-company': 5,
  'price-not-listed': 4,
  'age-not-known': 3,
  'share-not-known': 2,
  'statistics-without-source': 1,
};

const PRICE_TOLERANCE = 0.2;

const PHONE = /(?<![\d+])(?:\+?7|8)(?:[\s\u00a0().–-]*\d){10}(?!\d)/gu;
const MAIL = /[a-z0-9][\w.+-]*@(?:[a-zа-яё0-9-]+\.)+[a-zа-яё]{2,}/giu;
const NAME = /(?<![\w.@а-яё])@[a-z]\w{3,31}(?![\w@])/giu;
const SHARE = /(?<![\d.,])\d+(?:[.,]\d+)?(?:\s*[–—-]\s*\d+(?:[.,]\d+)?)?\s*(?:%|процент\p{L}*)/giu;
/** «с 1987 года», «основана в 2004», «более 15 лет опыта», «20 лет на рынке». */
const AGE =
  /(?<!\p{L})(?:(?:с|основан\p{L}*\s+в)\s+(?:19|20)\d\d(?:\s*г\p{L}*)?|(?<!\d)\d{1,3}\s*(?:лет|года?)\s+(?:опыта|на рынке|практики|работы)|опыт\p{L}*(?:\s+работы)?\s+(?:более\s+|свыше\s+)?\d{1,3}\s*(?:лет|года?))/giu;
/** A study that is cited, not an examination that a doctor orders: «не повторять исследование у другого врача». */
const STATISTICS =
  /(?<!\p{L})(?:по данным|согласно|опрос|статистик|исследовани\p{L}*\s+(?:\p{L}+\s+)?(?:показ|подтвер|доказ|говор|выяв|установ|обнаруж)|(?:результат|данны|вывод)\p{L}*\s+(?:\p{L}+\s+)?исследован)/iu;
/** «100 % хлопок» is a manner of speaking. */
const WHOLE = /^100\s*(?:%|процент)/u;

/** The most serious first. `page` is what is read in the HTML, for a caller who has read it already. */
export function checkFacts(
  html: string,
  company: CompanyFacts,
  { sentences }: Pick<Language, 'sentences'> = russian,
  { blocks }: Pick<ReadHtml, 'blocks'> = readHtml(html),
): FactWarning[] {
  const own = new Set(company.phones.map(subscriberNumber));
  const known = (company.known ?? '').toLowerCase();
  const numbers = new Set(known.match(/\d+(?:[.,]\d+)?/gu) ?? []);
  const isKnownNumber = (value: string) =>
    (value.match(/\d+(?:[.,]\d+)?/gu) ?? []).every((number) => numbers.has(number));
  const isKnownContact = (value: string) =>
    known.includes(value.toLowerCase()) || known.includes(value.split('@')[1]!.toLowerCase());
  return blocks
    .flatMap(({ text, linked }): FactWarning[] => [
      ...sumsIn(text)
        .filter(({ rubles }) => rubles === null || !isListed(rubles, company.prices))
        .map(({ value, rubles }) => ({ code: 'price-not-listed', value: value.trim(), rubles }) as const),
      ...found(text, PHONE)
        .filter((phone) => !own.has(subscriberNumber(phone)))
        .map((value) => ({ code: 'phone-not-of-company', value }) as const),
      ...[...found(text, MAIL), ...found(text, NAME)]
        .filter((contact) => !isKnownContact(contact))
        .map((value) => ({ code: 'contact-not-of-company', value }) as const),
      ...found(text, AGE)
        .filter((age) => !isKnownNumber(age))
        .map((value) => ({ code: 'age-not-known', value }) as const),
      // A link in the same paragraph is the source.
      ...(linked ? [] : found(text, SHARE))
        .filter((share) => !WHOLE.test(share) && !isKnownNumber(share))
        .map((value) => ({ code: 'share-not-known', value }) as const),
      ...(linked ? [] : sentences(text))
        .filter((sentence) => STATISTICS.test(sentence))
        .map((value) => ({ code: 'statistics-without-source', value }) as const),
    ])
    .sort((one, other) => weights[other.code] - weights[one.code]);
}

/** How much is wrong with a text, to compare two. */
export const weightOf = (warnings: readonly FactWarning[]): number =>
  warnings.reduce((sum, { code }) => sum + weights[code], 0);

/** The prices of a list kept as «name — price [— note]», one per line. */
export function readPrices(list: string): number[] {
  return list.split('\n').flatMap((line) => {
    const price = line.match(new RegExp(String.raw`\s[—–-]\s*(?:от\s+)?(${NUMBER})`, 'u'))?.[1];
    return price === undefined ? sumsIn(line).flatMap(({ rubles }) => rubles ?? []) : [toNumber(price)];
  });
}

const isListed = (rubles: number, prices: readonly number[]): boolean =>
  prices.some((price) => Math.abs(rubles - price) <= price * PRICE_TOLERANCE);

const found = (text: string, pattern: RegExp): string[] =>
  (text.match(pattern) ?? []).map((value) => value.trim());

/** +7 and 8 lead to the same telephone. */
const subscriberNumber = (phone: string): string => phone.replace(/\D/gu, '').slice(-10);
