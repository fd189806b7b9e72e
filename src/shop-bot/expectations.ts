import type { Rule } from './rule.ts';

type Expectation = NonNullable<Rule['expects']>;

/** What a rule may demand of the customer's words before it takes them. A photo is judged by what came, not by words. */
const words: Readonly<Record<Exclude<Expectation, 'photo'>, RegExp>> = {
  order_number: /^[\p{L}\d-]{3,20}$/u,
};

export const fitsExpectation = (expects: Rule['expects'], text: string): boolean =>
  expects === null || (expects !== 'photo' && words[expects].test(text.trim()));
