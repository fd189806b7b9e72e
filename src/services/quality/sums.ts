/** A sum of money as it is written; null rubles: in another currency. */
type Sum = { value: string; rubles: number | null };

export const NUMBER = String.raw`\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+`;
/** «р» only as the abbreviation: not the beginning of a word. */
const RUBLES = String.raw`(?:₽|руб|р(?!\p{L}))`;
const FOREIGN = String.raw`(?:\$|€|долл|евро(?!\p{L})|у\.\s?е\.|usd|eur)`;
/** The sum, the lower end of a range before it («3 000–5 000 ₽»), and a multiplier («5 тыс. руб.»). */
const WITH_DIGITS = new RegExp(
  String.raw`(?<![\d.,])(?:(?<from>${NUMBER})\s*[–—-]\s*)?(?<to>${NUMBER})(?:[.,](?<cents>\d+))?\s*(?<times>тыс|млн|к(?=\s?${RUBLES}))?(?:(?<=тыс|млн)\p{L}*\.?)?\s*(?:(?<rubles>${RUBLES})|(?<foreign>${FOREIGN}))`,
  'giu',
);
const SIGN_FIRST = new RegExp(String.raw`[$€]\s?(?:${NUMBER})`, 'gu');

const numerals: Readonly<Record<string, number>> = {
  ...{ один: 1, одна: 1, одну: 1, одной: 1, два: 2, две: 2, двух: 2, три: 3, трёх: 3, трех: 3, четыре: 4 },
  ...{ четырёх: 4, четырех: 4, пять: 5, пяти: 5, шесть: 6, шести: 6, семь: 7, семи: 7, восемь: 8, восьми: 8 },
  ...{ девять: 9, девяти: 9, десять: 10, десяти: 10, одиннадцать: 11, двенадцать: 12, тринадцать: 13 },
  ...{ четырнадцать: 14, пятнадцать: 15, пятнадцати: 15, шестнадцать: 16, семнадцать: 17, восемнадцать: 18 },
  ...{ девятнадцать: 19, двадцать: 20, двадцати: 20, тридцать: 30, тридцати: 30, сорок: 40, сорока: 40 },
  ...{ пятьдесят: 50, пятидесяти: 50, шестьдесят: 60, семьдесят: 70, восемьдесят: 80, девяносто: 90 },
  ...{ сто: 100, ста: 100, двести: 200, триста: 300, четыреста: 400, пятьсот: 500, шестьсот: 600 },
  ...{ семьсот: 700, восемьсот: 800, девятьсот: 900, полторы: 1.5, полтора: 1.5, полутора: 1.5 },
};
const words = Object.keys(numerals).join('|');
const IN_WORDS = new RegExp(
  String.raw`(?<!\p{L})(?:(?:${words}|тысяч\p{L}*|миллион\p{L}*)\s+)+(?=руб)`,
  'giu',
);

/** «Несколько тысяч рублей» names no price. */
const VAGUE = /^(?:тысяч|тысячи|тысячами|миллионы|миллионов)$/iu;

export function sumsIn(text: string): Sum[] {
  return [...inDigits(text), ...inWords(text)];
}

function inDigits(text: string): Sum[] {
  const written = [...text.matchAll(WITH_DIGITS)].flatMap(({ 0: value, groups = {} }): Sum[] => {
    if (groups.foreign) return [{ value, rubles: null }];
    const times = { тыс: 1_000, к: 1_000, млн: 1_000_000 }[groups.times?.toLowerCase() ?? ''] ?? 1;
    const upper = (toNumber(groups.to!) + Number(`0.${groups.cents ?? 0}`)) * times;
    const sums = groups.from === undefined ? [upper] : [toNumber(groups.from) * times, upper];
    return sums.map((rubles) => ({ value, rubles }));
  });
  return [...written, ...(text.match(SIGN_FIRST) ?? []).map((value) => ({ value, rubles: null }))];
}

function inWords(text: string): Sum[] {
  return [...text.matchAll(IN_WORDS)]
    .filter(([value]) => !VAGUE.test(value.trim()))
    .map(([value]) => ({ value: `${value.trim()} рублей`, rubles: read(value) }));
}

function read(value: string): number {
  let whole = 0;
  let part = 0;
  for (const word of value.trim().toLowerCase().split(/\s+/u)) {
    const scale = word.startsWith('тысяч') ? 1_000 : word.startsWith('миллион') ? 1_000_000 : null;
    if (scale === null) part += numerals[word] ?? 0;
    else {
      whole += (part || 1) * scale;
      part = 0;
    }
  }
  return whole + part;
}

export const toNumber = (digits: string): number => Number(digits.replace(/\D/gu, ''));
