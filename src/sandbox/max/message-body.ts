import { type Attachment, badPayload, type Chat } from './wire.ts';
import type { TextFormat } from './world.ts';

type NewMessageBody = {
  text: string | null;
  /** Null: not said, which keeps them in an edit. */
  attachments: Attachment[] | null;
  format: TextFormat | null;
};

const MAX_TEXT = 4000;
const MAX_ATTACHMENTS = 12;
const KEYBOARD = { all: 210, rows: 30, inRow: 7, inWideRow: 3, text: 128, payload: 1024, url: 2048 };
const WIDE = new Set(['link', 'open_app', 'request_geo_location', 'request_contact']);
const BUTTONS = new Set([...WIDE, 'callback', 'message', 'clipboard']);
const ALONE = new Set(['audio', 'file', 'sticker', 'contact']);
const KNOWN = new Set([...ALONE, 'image', 'video', 'inline_keyboard', 'share', 'location']);

/** Reads a NewMessageBody as MAX does, or refuses it. Tokens are checked by the caller. */
export function readMessageBody(raw: unknown, to: Chat): NewMessageBody {
  if (!isObject(raw)) throw badPayload('Request body is not a JSON object');
  const { text = null, attachments = null, format = null, notify } = raw;
  if (text !== null && typeof text !== 'string') throw badPayload('text: expected a string');
  if (text !== null && text.length > MAX_TEXT)
    throw badPayload(`text: size must be between 0 and ${MAX_TEXT}`);
  if (format !== null && format !== 'markdown' && format !== 'html')
    throw badPayload(`format: unknown value ${JSON.stringify(format)}`);
  if (notify === false && to.type === 'channel') throw badPayload('notify: must be true in a channel');
  if (attachments !== null && !Array.isArray(attachments)) throw badPayload('attachments: expected an array');
  const read = attachments as Attachment[] | null;
  if (read) checkAttachments(read);
  return { text, attachments: read, format };
}

export function refuseEmpty({ text, attachments }: NewMessageBody): void {
  if (!text && !attachments?.length) throw badPayload('Message is empty: neither text nor attachments');
}

function checkAttachments(attachments: readonly Attachment[]): void {
  if (attachments.length > MAX_ATTACHMENTS) throw badPayload(`attachments: at most ${MAX_ATTACHMENTS}`);
  for (const { type, payload } of attachments) {
    if (!KNOWN.has(type)) throw badPayload(`attachments: unknown type ${JSON.stringify(type)}`);
    if (type === 'inline_keyboard') checkKeyboard(payload?.buttons);
  }
  const shown = attachments.filter(({ type }) => type !== 'inline_keyboard');
  if (shown.length > 1 && shown.some(({ type }) => ALONE.has(type)))
    throw badPayload('attachments: this attachment must be the only one in the message');
}

function checkKeyboard(rows: unknown): void {
  if (!Array.isArray(rows) || !rows.every(Array.isArray)) throw badPayload('buttons: expected rows');
  if (rows.length > KEYBOARD.rows) throw badPayload('Key: errors.maxRows');
  const buttons = (rows as Record<string, unknown>[][]).flat();
  if (buttons.length > KEYBOARD.all) throw badPayload('Key: errors.maxButtons');
  for (const row of rows as Record<string, unknown>[][]) {
    const most = row.some(({ type }) => WIDE.has(String(type))) ? KEYBOARD.inWideRow : KEYBOARD.inRow;
    if (row.length > most) throw badPayload('Key: errors.maxButtonsInRow');
  }
  for (const button of buttons) checkButton(button);
}

function checkButton({ type, text, payload, url }: Record<string, unknown>): void {
  if (!BUTTONS.has(String(type))) throw badPayload(`buttons: unknown type ${JSON.stringify(type)}`);
  if (typeof text !== 'string' || text === '' || text.length > KEYBOARD.text)
    throw badPayload(`buttons: text must have 1 to ${KEYBOARD.text} characters`);
  if (type === 'callback' && (typeof payload !== 'string' || payload.length > KEYBOARD.payload))
    throw badPayload(`buttons: payload must have at most ${KEYBOARD.payload} characters`);
  if (type === 'link' && (typeof url !== 'string' || !URL.canParse(url) || url.length > KEYBOARD.url))
    throw badPayload('buttons: url is invalid');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
