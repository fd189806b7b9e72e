import { NotSendable } from '../platforms/messenger/messenger.ts';
import { readMarkdown } from '../platforms/messenger/read-markdown.ts';
import { writeHtml } from '../services/posts/styled-text.ts';
import { tokenOf } from './max/uploads.ts';
import type { Attachment, Message as MaxMessage } from './max/wire.ts';
import type { TextFormat } from './max/world.ts';
import { formatText } from './telegram/formatted-text.ts';
import { ApiError, type Message, type MessageEntity } from './telegram/wire.ts';

/** A post as a reader of the channel sees it; an album is one. */
export type ShownPost = {
  id: string;
  at: number;
  text: string;
  entities: readonly MessageEntity[];
  pictures: readonly string[];
  files: readonly { name: string; url: string }[];
  buttons: readonly (readonly { text: string; url: string | null }[])[];
};

/** In the order of the channel. */
export function telegramPosts(messages: readonly Message[], fileUrl: (id: string) => string): ShownPost[] {
  const posts: ShownPost[] = [];
  let album: string | undefined;
  for (const message of messages) {
    const post = telegramPost(message, fileUrl);
    const before = posts.at(-1);
    const continues = message.media_group_id !== undefined && message.media_group_id === album;
    if (before && continues) posts[posts.length - 1] = joined(before, post);
    else posts.push(post);
    album = message.media_group_id;
  }
  return posts;
}

function telegramPost(message: Message, fileUrl: (id: string) => string): ShownPost {
  const { photo, document, video, audio, reply_markup } = message;
  const file = document ?? video ?? audio;
  const name = document?.file_name ?? audio?.file_name ?? (video ? 'Видео' : 'Аудио');
  return {
    id: String(message.message_id),
    at: message.date * 1000,
    text: message.text ?? message.caption ?? '',
    entities: message.entities ?? message.caption_entities ?? [],
    pictures: photo ? [fileUrl(photo.at(-1)!.file_id)] : [],
    files: file ? [{ name, url: fileUrl(file.file_id) }] : [],
    buttons: (reply_markup?.inline_keyboard ?? []).map((row) =>
      row.map(({ text, url }) => ({ text, url: url ?? null })),
    ),
  };
}

const joined = (album: ShownPost, next: ShownPost): ShownPost => ({
  ...album,
  ...(album.text === '' && { text: next.text, entities: next.entities }),
  pictures: [...album.pictures, ...next.pictures],
  files: [...album.files, ...next.files],
});

export function maxPost(
  { body, timestamp }: MaxMessage,
  format: TextFormat | null,
  fileUrl: (token: string) => string,
): ShownPost {
  const shown = body.attachments.filter(({ type }) => type !== 'inline_keyboard');
  const isPicture = ({ type }: Attachment) => type === 'image';
  const urlOf = ({ payload }: Attachment) => {
    const token = tokenOf(payload);
    return token === null ? String(payload?.url ?? '') : fileUrl(token);
  };
  return {
    id: body.mid,
    at: timestamp,
    ...readText(body.text ?? '', format),
    pictures: shown.filter(isPicture).map(urlOf),
    files: shown.filter((one) => !isPicture(one)).map((one) => ({ name: one.type, url: urlOf(one) })),
    buttons: body.attachments.filter(({ type }) => type === 'inline_keyboard').flatMap(keyboard),
  };
}

/** What MAX reads as markup is close enough to what Telegram reads; anything else is shown as it was written. */
function readText(text: string, format: TextFormat | null): Pick<ShownPost, 'text' | 'entities'> {
  if (format === null) return formatText(text, undefined, undefined);
  try {
    return formatText(format === 'html' ? text : writeHtml(readMarkdown(text)), 'HTML', undefined);
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof NotSendable)) throw error;
    return formatText(text, undefined, undefined);
  }
}

function keyboard({ payload }: Attachment): { text: string; url: string | null }[][] {
  const rows = (payload?.buttons ?? []) as { text: string; url?: string }[][];
  return rows.map((row) => row.map(({ text, url }) => ({ text, url: url ?? null })));
}
