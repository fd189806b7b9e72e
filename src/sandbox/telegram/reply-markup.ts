import { badRequest, type InlineButton, type InlineKeyboard, type ReplyKeyboard } from './wire.ts';

const MAX_DATA_BYTES = 64;
const MAX_BUTTONS = 100;
const MAX_IN_ROW = 8;
const STYLES = ['primary', 'success', 'danger'];

export type Markup =
  | { kind: 'none' }
  | { kind: 'inline'; inline: InlineKeyboard }
  | { kind: 'reply'; reply: ReplyKeyboard }
  | { kind: 'remove' };

export function readMarkup(raw: unknown): Markup {
  if (raw === undefined || raw === null || raw === '') return { kind: 'none' };
  if (!isObject(raw)) throw badRequest("can't parse reply keyboard markup JSON object");
  if ('inline_keyboard' in raw) {
    const rows = rowsOf(raw.inline_keyboard).map((row) => row.map(checkInlineButton));
    return { kind: 'inline', inline: { inline_keyboard: rows.filter((row) => row.length > 0) } };
  }
  if ('keyboard' in raw) {
    const keyboard = rowsOf(raw.keyboard).map((row) => row.map(toReplyButton));
    return { kind: 'reply', reply: { ...(raw as ReplyKeyboard), keyboard } };
  }
  return raw.remove_keyboard === true ? { kind: 'remove' } : { kind: 'none' };
}

function rowsOf(raw: unknown): unknown[][] {
  if (!Array.isArray(raw) || !raw.every(Array.isArray)) {
    throw badRequest("can't parse inline keyboard: expected an Array of Array of buttons");
  }
  const rows = raw as unknown[][];
  if (rows.reduce((sum, row) => sum + row.length, 0) > MAX_BUTTONS) throw badRequest('REPLY_MARKUP_TOO_LONG');
  // Telegram's own word for this one is not known to us; that it is refused is what matters.
  if (rows.some((row) => row.length > MAX_IN_ROW)) throw badRequest('REPLY_MARKUP_INVALID');
  return rows;
}

function checkInlineButton(raw: unknown): InlineButton {
  const wrong = (what: string) => badRequest(`can't parse inline keyboard button: ${what}`);
  if (!isObject(raw)) throw wrong('InlineKeyboardButton must be an Object');
  if (typeof raw.text !== 'string') throw wrong('Can\'t find field "text"');
  if (raw.text.trim() === '') throw badRequest('BUTTON_TEXT_INVALID');
  checkStyle(raw);
  const button = raw as InlineButton;
  if (button.callback_data !== undefined) {
    const bytes = Buffer.byteLength(String(button.callback_data));
    if (bytes < 1 || bytes > MAX_DATA_BYTES) throw badRequest('BUTTON_DATA_INVALID');
  } else if (button.url !== undefined) {
    if (!isButtonUrl(button.url)) {
      throw badRequest(`inline keyboard button URL '${button.url}' is invalid: Wrong HTTP URL`);
    }
  } else if (!Object.keys(button).some((key) => !['text', 'style', 'icon_custom_emoji_id'].includes(key))) {
    throw wrong('Text buttons are unallowed in the inline keyboard');
  }
  return button;
}

/** Telegram wants a dot in the name of a host: `http://localhost` is refused. */
function isButtonUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return /^(?:tg|ton):$/u.test(protocol) || (/^https?:$/u.test(protocol) && /[.:]/u.test(hostname));
}

function toReplyButton(raw: unknown): { text: string } {
  const button = typeof raw === 'string' ? { text: raw } : raw;
  if (!isObject(button) || typeof button.text !== 'string' || button.text === '') {
    throw badRequest('can\'t parse keyboard button: Can\'t find field "text"');
  }
  checkStyle(button);
  return button as { text: string };
}

function checkStyle({ style }: Record<string, unknown>): void {
  if (style === undefined || STYLES.includes(style as string)) return;
  throw badRequest(
    `can't parse inline keyboard button: invalid button style ${JSON.stringify(style)} specified`,
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
