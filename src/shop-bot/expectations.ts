import type { Rule } from './rule.ts';

type Expectation = NonNullable<Rule['expects']>;

/** What a rule may demand of the customer's words before it takes them. A photo is judged by what came, not by words. */
const words: Readonly<Record<Exclude<Expectation, 'photo'>, RegExp>> = {
  // Also as «Заказ № ТС-10452». With a digit in it: otherwise «доставка», asked in the middle of a return, would be
  // taken for a number.
  order_number: /^(?:(?:мой|номер|заказа?)(?=[\s:№#])|[\s:№#])*((?=\S*\d)[\p{L}\d-]{3,20})\.?$/iu,
};

/** The part of the words that the rule takes; null: they are not what it expects. */
export function fitting(expects: Rule['expects'], text: string): string | null {
  const said = text.trim();
  if (expects === null) return said;
  return expects === 'photo' ? null : (words[expects].exec(said)?.[1] ?? null);
}
