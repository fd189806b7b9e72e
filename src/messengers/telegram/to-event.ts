import type { CallbackQuery, Message, PhotoSize } from 'grammy/types';
import type { Action, AlbumPart, IncomingPhoto } from '../../engine/incoming.ts';
import type { Link } from '../../screens/kit/link.ts';
import { marksOf } from './marks.ts';

/** What people send instead of text. Service messages, such as a pinned one, are not actions of a person. */
const media = [
  'sticker',
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
  if (message.text !== undefined) return textToAction(clean(message.text), message.entities);
  const caption = clean(message.caption ?? '');
  if (message.photo?.length)
    return {
      ...{ kind: 'photo', photo: largest(message.photo), caption, album: albumOf(message) },
      ...marksOf(message.caption_entities),
    };
  // An animation comes with a document beside it, for clients that know no animations.
  if (message.document && !message.animation) {
    const { file_id, file_name = '', mime_type = '', file_size = 0 } = message.document;
    const file = { fileId: file_id, name: clean(file_name), mimeType: mime_type, size: file_size };
    return { kind: 'file', file, caption, album: albumOf(message) };
  }
  if (message.voice) {
    const { file_id, mime_type = '', file_size = 0, duration } = message.voice;
    const voice = { fileId: file_id, name: '', mimeType: mime_type, size: file_size, seconds: duration };
    return { kind: 'voice', voice };
  }
  if (message.chat_shared) {
    const { request_id, chat_id, title, username } = message.chat_shared;
    const named = { title: title ? clean(title) : null, username: username ?? null };
    return { kind: 'chat', chat: { requestId: request_id, chatId: String(chat_id), ...named } };
  }
  return media.some((kind) => kind in message) ? { kind: 'other' } : null;
}

export function pressToAction(query: CallbackQuery, decode: (data: string) => Link | null): Action {
  return {
    kind: 'press',
    link: query.data === undefined ? null : decode(query.data),
    messageId: query.message ? String(query.message.message_id) : null,
  };
}

function textToAction(text: string, entities: Message['entities']): Action {
  const command = /^\/([a-z0-9_]{1,32})(?:@\w+)?(?:\s+([\s\S]*))?$/iu.exec(text);
  if (!command) return { kind: 'text', text, ...marksOf(entities) };
  return { kind: 'command', name: command[1]!.toLowerCase(), payload: command[2]?.trim() ?? '' };
}

/** Telegram offers one photo in several sizes, usually the largest last, and promises no order. */
function largest(sizes: readonly PhotoSize[]): IncomingPhoto {
  const {
    file_id,
    file_size = 0,
    width,
    height,
  } = sizes.reduce((best, size) => (size.width * size.height > best.width * best.height ? size : best));
  return { fileId: file_id, name: '', mimeType: 'image/jpeg', size: file_size, width, height };
}

const albumOf = ({ media_group_id, message_id }: Message): AlbumPart | null =>
  media_group_id === undefined ? null : { id: media_group_id, place: message_id };

/** Neither PostgreSQL nor JSON takes a zero character or half an emoji. */
export const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();
