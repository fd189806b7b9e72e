import type { CallbackQuery, Message } from 'grammy/types';
import type { Action } from '../../engine/incoming.ts';
import type { Link } from '../../screens/kit/link.ts';

/** What people send instead of text. Whatever else a message may be, a pinned one for instance, nobody did. */
const media = [
  'photo',
  'sticker',
  'voice',
  'video',
  'video_note',
  'animation',
  'audio',
  'location',
  'venue',
  'contact',
  'poll',
  'dice',
  'story',
] as const;

/** What a person did, from what Telegram tells of it; `null` when they did nothing. */
export function messageToAction(message: Message): Action | null {
  if (message.text !== undefined) return textToAction(clean(message.text));
  if (message.document) {
    const { file_id, file_name = '', mime_type = '', file_size = 0 } = message.document;
    return {
      kind: 'file',
      file: { fileId: file_id, name: clean(file_name), mimeType: mime_type, size: file_size },
    };
  }
  return media.some((kind) => kind in message) ? { kind: 'other' } : null;
}

export function pressToAction(query: CallbackQuery, decode: (data: string) => Link | null): Action {
  return {
    kind: 'press',
    link: query.data === undefined ? null : decode(query.data),
    messageId: query.message?.message_id ?? null,
  };
}

function textToAction(text: string): Action {
  const command = /^\/([a-z0-9_]{1,32})(?:@\w+)?(?:\s+([\s\S]*))?$/iu.exec(text);
  if (!command) return { kind: 'text', text };
  return { kind: 'command', name: command[1]!.toLowerCase(), payload: command[2]?.trim() ?? '' };
}

/** Neither PostgreSQL nor JSON takes a zero character or half an emoji. */
export const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();
