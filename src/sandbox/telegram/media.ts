import { basename } from 'node:path';
import type { CallParams, SentFile } from './call-params.ts';
import { chatToWrite } from './chats.ts';
import { type FileKind, fileRef, type StoredFile } from './files.ts';
import { imageSize } from './image-size.ts';
import { captionOf, edit, messageToEdit, post } from './messages.ts';
import { readMarkup } from './reply-markup.ts';
import { badRequest, type Document, type Message, type PhotoSize } from './wire.ts';
import type { World } from './world.ts';

const MB = 1024 * 1024;
const MAX_DOWNLOAD = 20 * MB;
const FETCH_TIMEOUT_MS = 10_000;

type Kind = 'photo' | 'video' | 'audio' | 'document';

const rules: Readonly<Record<Kind, { folder: FileKind; most: { upload: number; url: number } }>> = {
  photo: { folder: 'photos', most: { upload: 10 * MB, url: 5 * MB } },
  video: { folder: 'videos', most: { upload: 50 * MB, url: 20 * MB } },
  audio: { folder: 'audio', most: { upload: 50 * MB, url: 20 * MB } },
  document: { folder: 'documents', most: { upload: 50 * MB, url: 20 * MB } },
};

export async function sendMedia(world: World, params: CallParams, kind: Kind): Promise<Message> {
  const check = checked(world, params);
  const file = await take(world, params, params.fields[kind], kind);
  return post(world, params.fields, { ...shown(world, kind, file), ...check });
}

/** Everything that can be refused, before a file is fetched or kept. */
function checked(world: World, { fields }: CallParams): Pick<Message, 'caption' | 'caption_entities'> {
  chatToWrite(world, fields.chat_id);
  readMarkup(fields.reply_markup);
  return captionOf(fields);
}

export async function sendMediaGroup(world: World, params: CallParams): Promise<Message[]> {
  chatToWrite(world, params.fields.chat_id);
  const media = params.fields.media as Record<string, unknown>[];
  if (!Array.isArray(media) || media.length < 2) throw badRequest('expected 2 to 10 media in an album');
  if (media.length > 10) throw badRequest('too many messages to send as an album');
  const items: Partial<Message>[] = [];
  for (const item of media) {
    const caption = captionOf(item);
    if (!Object.hasOwn(rules, String(item.type)))
      throw badRequest(`can't parse InputMedia: type "${item.type}" is not known to the stand-in`);
    const kind = item.type as Kind;
    items.push({ ...shown(world, kind, await take(world, params, item.media, kind)), ...caption });
  }
  // Photos and videos mix; documents and audio keep to themselves.
  const families = new Set(media.map(({ type }) => (type === 'video' ? 'photo' : type)));
  if (families.size > 1) throw badRequest("document can't be mixed with other media types");
  const media_group_id = String(1e16 + Math.floor(Math.random() * 1e15));
  const { reply_markup: _, ...fields } = params.fields;
  return items.map((item) => post(world, fields, { ...item, media_group_id }));
}

/** Another picture or file in place of the one that is there, or above what was only text. */
export async function editMedia(world: World, params: CallParams): Promise<Message> {
  const message = messageToEdit(world, params.fields);
  const item = params.fields.media as Record<string, unknown> | undefined;
  if (!item || !Object.hasOwn(rules, String(item.type))) throw badRequest("can't parse InputMedia");
  const kind = item.type as Kind;
  const caption = captionOf(item);
  const file = await take(world, params, item.media, kind);
  const nothing = { text: undefined, entities: undefined, photo: undefined, document: undefined };
  const none = { caption: undefined, caption_entities: undefined };
  return edit(
    world,
    message,
    { ...nothing, ...none, ...shown(world, kind, file), ...caption },
    params.fields,
  );
}

/** A photo that is part of a rich message. */
export async function takePhoto(world: World, params: CallParams, given: unknown): Promise<PhotoSize> {
  return toPhotoSize(world, await take(world, params, given, 'photo'));
}

export function getFile(world: World, fields: CallParams['fields']): Record<string, unknown> {
  const file = world.files.find(String(fields.file_id));
  if (!file) throw badRequest('wrong file_id or the file is temporarily unavailable');
  if (file.file_size > MAX_DOWNLOAD) throw badRequest('file is too big');
  return { ...fileRef(file), file_path: file.file_path };
}

/** A file in one of the ways a bot can name it: a part of this request, one kept before, or an address. */
async function take(world: World, params: CallParams, given: unknown, kind: Kind): Promise<StoredFile> {
  const part = typeof given === 'string' && given.startsWith('attach://') ? given.slice(9) : kind;
  const sent = params.files.get(part);
  if (sent) return keep(world, kind, sent, rules[kind].most.upload);
  if (typeof given !== 'string' || given === '') throw badRequest(`there is no ${kind} in the request`);
  if (/^https?:\/\//.test(given)) return keep(world, kind, await download(given), rules[kind].most.url);
  const known = world.files.find(given);
  if (!known) throw badRequest('wrong file identifier/HTTP URL specified');
  return known;
}

function keep(world: World, kind: Kind, file: SentFile, max: number): StoredFile {
  const size = file.bytes.length;
  if (size === 0) throw badRequest('file must be non-empty');
  if (size > max)
    throw badRequest(`file of size ${size} bytes is too big for a ${kind}; the maximum size is ${max} bytes`);
  if (kind === 'photo') checkPhoto(file.bytes);
  return world.files.keep(rules[kind].folder, file);
}

function shown(world: World, kind: Kind, file: StoredFile): Partial<Message> {
  const played = { ...fileRef(file), duration: 1, mime_type: file.mime };
  switch (kind) {
    case 'photo':
      return { photo: [toPhotoSize(world, file)] };
    case 'video':
      return { video: { ...played, width: 640, height: 360 } };
    case 'audio':
      return { audio: { ...played, file_name: file.name } };
    case 'document':
      return { document: toDocument(file) };
  }
}

function checkPhoto(bytes: Buffer): void {
  const size = imageSize(bytes);
  if (!size) throw badRequest('IMAGE_PROCESS_FAILED');
  const { width, height } = size;
  if (width + height > 10_000 || Math.max(width, height) / Math.min(width, height) > 20) {
    throw badRequest('PHOTO_INVALID_DIMENSIONS');
  }
}

async function download(url: string): Promise<SentFile> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) throw badRequest('failed to get HTTP URL content');
    const mime = response.headers.get('content-type')?.split(';')[0] ?? 'application/octet-stream';
    return {
      name: basename(new URL(url).pathname) || 'file',
      mime,
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  } catch (error) {
    throw badRequest('failed to get HTTP URL content', { cause: error });
  }
}

export function toPhotoSize(world: World, file: StoredFile): PhotoSize {
  const size = imageSize(world.files.read(file));
  return { ...fileRef(file), width: size?.width ?? 0, height: size?.height ?? 0 };
}

export function toDocument(file: StoredFile): Document {
  return { ...fileRef(file), file_name: file.name, mime_type: file.mime };
}
