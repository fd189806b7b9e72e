import type { Rule } from './rule.ts';

type Expectation = NonNullable<Rule['expects']>;

/** What a rule may demand of the customer's words before it takes them. A photo is judged by what came, not by words. */
const words: Readonly<Record<Exclude<Expectation, 'photo'>, RegExp>> = {
  // With a digit in it: otherwise «доставка», asked in the middle of a return, would be taken for a number.
  order_number: /^(?=.*\d)[\p{L}\d-]{3,20}$/u,
};

export const fitsExpectation = (expects: Rule['expects'], text: string): boolean =>
  expects === null || (expects !== 'photo' && words[expects].test(text.trim()));
