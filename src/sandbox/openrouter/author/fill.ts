import type { Chance } from './chance.ts';
import type { Phrase } from './phrase.ts';

export type Slots = { phrase: Phrase; chance: Chance; values?: Readonly<Record<string, string>> };

/** Whether the grammar of the phrase is known well enough for this sentence. */
export const suits = (template: string, { accusative, plural }: Phrase): boolean =>
  !(template.includes('{acc}') && accusative === null) && !(template.includes('[') && plural === null);

/** Slots first, then `[one|many]` by the number of the phrase and `{this|that}` by chance. */
export function fill(template: string, { phrase, chance, values = {} }: Slots): string {
  const slots: Record<string, string> = {
    phrase: phrase.text,
    Phrase: phrase.capital,
    acc: phrase.accusative ?? phrase.text,
    ...values,
  };
  return template
    .replace(/\{([a-zA-Z]+)\}/gu, (whole, name: string) => slots[name] ?? whole)
    .replace(/\[([^|\]]+)\|([^|\]]+)\]/gu, (_, one: string, many: string) => (phrase.plural ? many : one))
    .replace(/\{([^{}|]+(?:\|[^{}|]+)+)\}/gu, (_, options: string) => chance.pick(options.split('|')));
}
