import { number } from '../../russian.ts';

/** At most twelve digits: more of them are an article number. A zero in front is one, too. */
const BARE = /^(0|[1-9]\d{0,11}|[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f]\d{3}){1,3})(?:[.,](\d{1,2}))?$/u;

/**
 * A line "goods — price [— note]" of a price list, as people and models read it. Excel keeps a price as a bare number,
 * and so does the stored list, so that it can go back to Excel: «Шкаф — 45900» is told as «Шкаф — 45 900 ₽».
 */
export function toldGoods(line: string): string {
  const [name = '', price, ...note] = line.split(' — ');
  if (price === undefined) return line;
  return [name, toldPrice(price), ...note].join(' — ');
}

function toldPrice(price: string): string {
  const [, whole, part] = BARE.exec(price) ?? [];
  if (whole === undefined) return price;
  // A no-break space: the sums of a text are read with it, and not with the thin one of screens.
  const grouped = number(Number(whole.replace(/\D/gu, ''))).replaceAll('\u2009', '\u00a0');
  return `${grouped}${part === undefined ? '' : `,${part.padEnd(2, '0')}`} ₽`;
}
