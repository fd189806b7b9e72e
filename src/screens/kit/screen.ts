import type { Link } from './link.ts';

/** What a person looks at: pure data. Only `telegram/` knows how it becomes a message. */
export type Screen = {
  /** Why the latest answer was not taken. A notice stands in its place: two complaints at once confuse. */
  complaint?: RichText;
  text: RichText;
  keyboard: Keyboard;
  /** Sent ahead of the screen, and only where the screen is sent anew. */
  greeting?: Keys;
  /** Above the text, which becomes its caption where it fits. */
  photo?: Picture;
  /** Sent ahead of the screen, which carries the buttons: an album has none. */
  album?: readonly Picture[];
  /** A message of its own, sent ahead of the screen: to be seen exactly as others will see it. */
  ahead?: Pick<Screen, 'text' | 'photo'>;
  /** A message of its own above the screen: a whole text with headings and tables, as rich as its messenger can show. */
  article?: Article;
  /** Sent along as a file, when the text would not hold it. */
  file?: { name: string; content: string | Uint8Array };
  /** Sent below the screen, with a button of the messenger's own to pay it. */
  invoice?: Invoice;
  /** Replaces the keys below the input line, also where the screen is edited: to ask for a chat, and to put the usual keys back. */
  keys?: Keys;
};

/** By an address that the messenger fetches, by a file it knows, or the bytes themselves. */
export type Picture = ({ url: string } | { fileId: string } | { bytes: Uint8Array; name: string }) & {
  caption?: RichText;
};

/** `instead`: told where the messenger cannot show it. */
export type Article = {
  html: string;
  pictures: readonly { url: string; bytes: Uint8Array }[];
  instead: RichText;
};

/** `payload` comes back with the payment; the person does not see it. */
export type Invoice = { title: string; description: string; payload: string; stars: number };

export type Keys = { text: RichText; replyKeyboard: readonly (readonly ReplyKey[])[] };
/** A label that is sent as text, or a key that lets the person pick one of their chats. */
export type ReplyKey = string | { label: string; wants: ChatWanted };
export type ChatWanted = { requestId: number; kind: 'channel' | 'group' };

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
    else parts.push({ value: markup.endsWith('«') ? innerQuotes(String(value)) : String(value) });
  });
  return parts;
}

/** «Кофейня „Зерно“»: a name in quotes that has quotes of its own takes the other pair. */
const innerQuotes = (name: string): string => name.replaceAll('«', '„').replaceAll('»', '“');

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

/** Links stay of use when the screen is past. */
export const urlsIn = (keyboard: Keyboard): Keyboard =>
  keyboard.map((row) => row.filter((each) => 'url' in each)).filter((row) => row.length > 0);

export const button = (label: string, link: Link, style?: ButtonStyle): Button =>
  style ? { label, link, style } : { label, link };

export const urlButton = (label: string, url: string): Button => ({ label, url });
