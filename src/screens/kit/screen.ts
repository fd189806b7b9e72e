import type { Link } from './link.ts';

/** What a person looks at: pure data. Only `telegram/` knows how it becomes a message. */
export type Screen = {
  text: RichText;
  keyboard: Keyboard;
  /** Sent ahead of the screen, and only where the screen is sent anew. */
  greeting?: { text: RichText; replyKeyboard: readonly (readonly string[])[] };
  /** Sent along as a file, when the text would not hold it. */
  file?: { name: string; content: string };
};

export type Keyboard = readonly (readonly Button[])[];

/** `success` spends, publishes, creates or saves; `danger` loses something; navigation has no style. */
export type ButtonStyle = 'primary' | 'success' | 'danger';
export type Button = { label: string; style?: ButtonStyle } & ({ link: Link } | { url: string });

/** Instead of a screen of its own, a finished flow opens a page of the menu; with `screen`, it need not be read first. */
export type Redirect = { open: Link; notice?: RichText; screen?: Screen };

export const isRedirect = (answer: Screen | Redirect): answer is Redirect => 'open' in answer;

/**
 * Text with markup. `markup` parts are ours; `value` parts came from a person, a model or a database and are
 * escaped where the text meets Telegram, once.
 */
export type RichText = readonly RichPart[];
export type RichPart = { markup: string } | { value: string };

type RichValue = string | number | RichText | readonly RichText[] | null | false;

/** Tagged template: the literal is markup, what is interpolated is text unless it is rich itself. */
export function rich(literals: TemplateStringsArray, ...values: RichValue[]): RichText {
  const parts: RichPart[] = [];
  literals.forEach((markup, index) => {
    if (markup) parts.push({ markup });
    const value = values[index];
    if (value === undefined || value === null || value === false) return;
    if (typeof value === 'object') parts.push(...(value.flat() as RichPart[]));
    else parts.push({ value: String(value) });
  });
  return parts;
}

/** Paragraphs joined by a blank line; the empty ones are left out. */
export function paragraphs(...blocks: (RichText | null | false)[]): RichText {
  return joined(blocks, '\n\n');
}

export function lines(...rows: (RichText | null | false)[]): RichText {
  return joined(rows, '\n');
}

function joined(blocks: (RichText | null | false)[], separator: string): RichText {
  const parts: RichPart[] = [];
  for (const block of blocks) {
    if (!block || block.length === 0) continue;
    if (parts.length > 0) parts.push({ markup: separator });
    parts.push(...block);
  }
  return parts;
}

export const button = (label: string, link: Link, style?: ButtonStyle): Button =>
  style ? { label, link, style } : { label, link };

export const urlButton = (label: string, url: string): Button => ({ label, url });
