import { type ReadHtml, readHtml } from './read-html.ts';
import { type Language, russian } from './russian-text.ts';

/** Warnings only (E48): a person may know a price that the list does not. */
export type FactWarning =
  | { readonly code: 'price-not-listed'; readonly value: string; readonly rubles: number }
  | { readonly code: 'phone-not-of-company'; readonly value: string }
  | { readonly code: 'statistics-without-source'; readonly value: string };

/** What the company says of itself. */
export type CompanyFacts = { prices: readonly number[]; phones: readonly string[] };

const PRICE_TOLERANCE = 0.2;

const NUMBER = String.raw`\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+`;
/** The sum, the lower end of a range before it («3 000–5 000 ₽»), and a multiplier («5 тыс. руб.»). */
const SUM = new RegExp(
  String.raw`(?<![\d.,])(?:(?<from>${NUMBER})\s*[–—-]\s*)?(?<to>${NUMBER})(?:[.,](?<cents>\d+))?\s*(?<times>тыс|млн)?\p{L}*\.?\s*(?:₽|руб)`,
  'giu',
);
const PHONE = /(?<![\d+])(?:\+?7|8)(?:[\s\u00a0().–-]*\d){10}(?!\d)/gu;
const STATISTICS = /(?<!\p{L})(?:по данным|согласно|исследован|опрос|статистик)/iu;

/** `page` is what is read in the HTML, for a caller who has read it already. */
export function checkFacts(
  html: string,
  company: CompanyFacts,
  { sentences }: Pick<Language, 'sentences'> = russian,
  { blocks }: Pick<ReadHtml, 'blocks'> = readHtml(html),
): FactWarning[] {
  const own = new Set(company.phones.map(subscriberNumber));
  return blocks.flatMap(({ text, linked }) => [
    ...sumsIn(text)
      .filter(({ rubles }) => !isListed(rubles, company.prices))
      .map(({ value, rubles }) => ({ code: 'price-not-listed', value, rubles }) as const),
    ...(text.match(PHONE) ?? [])
      .filter((phone) => !own.has(subscriberNumber(phone)))
      .map((value) => ({ code: 'phone-not-of-company', value }) as const),
    // A link in the same paragraph is the source.
    ...(linked ? [] : sentences(text))
      .filter((sentence) => STATISTICS.test(sentence))
      .map((value) => ({ code: 'statistics-without-source', value }) as const),
  ]);
}

/** The prices of a list kept as «name — price [— note]», one per line. */
export function readPrices(list: string): number[] {
  return list.split('\n').flatMap((line) => {
    const price = line.match(new RegExp(String.raw`\s[—–-]\s*(?:от\s+)?(${NUMBER})`, 'u'))?.[1];
    return price === undefined ? sumsIn(line).map(({ rubles }) => rubles) : [toNumber(price)];
  });
}

const isListed = (rubles: number, prices: readonly number[]): boolean =>
  prices.some((price) => Math.abs(rubles - price) <= price * PRICE_TOLERANCE);

function sumsIn(text: string): { value: string; rubles: number }[] {
  return [...text.matchAll(SUM)].flatMap(({ 0: value, groups = {} }) => {
    const times = { тыс: 1_000, млн: 1_000_000 }[groups.times?.toLowerCase() ?? ''] ?? 1;
    const upper = (toNumber(groups.to!) + Number(`0.${groups.cents ?? 0}`)) * times;
    const sums = groups.from === undefined ? [upper] : [toNumber(groups.from) * times, upper];
    return sums.map((rubles) => ({ value, rubles }));
  });
}

const toNumber = (digits: string): number => Number(digits.replace(/\D/gu, ''));
/** +7 and 8 lead to the same telephone. */
const subscriberNumber = (phone: string): string => phone.replace(/\D/gu, '').slice(-10);
