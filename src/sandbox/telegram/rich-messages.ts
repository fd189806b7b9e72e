import type { CallParams } from './call-params.ts';
import { chatToWrite } from './chats.ts';
import { takePhoto } from './media.ts';
import { post } from './messages.ts';
import { badRequest, type Message, type RichBlock } from './wire.ts';
import type { World } from './world.ts';

const MOST_TEXT = 32_768;
const MOST_BLOCKS = 500;
const MOST_MEDIA = 50;
const TAG = /<\/?([a-z][a-z0-9-]*)\b((?:"[^"]*"|[^">])*)>/giu;
const BLOCK = /<(h[1-6]|p|pre|blockquote|ul|ol|table|figure)\b[^>]*>([\s\S]*?)<\/\1>/giu;
const tags = new Set(
  (
    'a b strong i em u ins s strike del code mark sub sup tg-spoiler tg-reference tg-emoji img tg-time tg-math h1 h2 h3 ' +
    'h4 h5 h6 p pre footer hr ul ol li input blockquote br cite aside video audio tg-document figure figcaption tg-map ' +
    'tg-collage tg-slideshow table caption tr th td details summary tg-math-block tg-button tg-button-row'
  ).split(' '),
);

type Media = { id: string; media: { type: string; media: unknown } };
type Given = { html?: unknown; markdown?: unknown; blocks?: unknown; media?: Media[] };

/** As far as an article needs it: HTML, with photos that are sent along. */
export async function sendRichMessage(world: World, params: CallParams): Promise<Message> {
  const { fields } = params;
  chatToWrite(world, fields.chat_id);
  const { html, markdown, blocks, media = [] } = (fields.rich_message ?? {}) as Given;
  if ([html, markdown, blocks].filter((one) => one !== undefined).length !== 1)
    throw badRequest('exactly one of the fields html, markdown, or blocks must be used');
  if (typeof html !== 'string') throw badRequest('the stand-in reads rich messages in HTML only');
  const stranger = [...html.matchAll(TAG)].find(([, name]) => !tags.has(name!.toLowerCase()));
  if (stranger) throw badRequest(`can't parse rich message: unsupported tag "${stranger[1]}"`);
  const text = read(html);
  if (text === '') throw badRequest('rich message is empty');
  if (text.length > MOST_TEXT || media.length > MOST_MEDIA) throw badRequest('rich message is too long');
  const shown = [...html.matchAll(BLOCK)];
  if (shown.length > MOST_BLOCKS) throw badRequest('rich message has too many blocks');
  const photos = new Map<string, Awaited<ReturnType<typeof takePhoto>>>();
  for (const { id, media: item } of media) photos.set(id, await takePhoto(world, params, item.media));
  return post(world, fields, {
    rich_message: { blocks: shown.map(([, name, inside]) => toBlock(name!, inside!)) },
  });

  function toBlock(name: string, inside: string): RichBlock {
    if (/^h\d$/u.test(name)) return { type: 'heading', size: Number(name[1]), text: read(inside) };
    if (name !== 'figure') return { type: 'paragraph', text: read(inside) };
    const id = /tg:\/\/photo\?id=([\w-]+)/u.exec(inside)?.[1] ?? '';
    const photo = photos.get(id);
    if (!photo) throw badRequest(`media "${id}" is not in the request`);
    return { type: 'photo', photo: [photo], caption: { text: read(inside) } };
  }
}

const read = (html: string): string =>
  html
    .replace(/<\/(?:li|tr|p|h\d)>|<br\s*\/?>/giu, '\n')
    .replace(TAG, '')
    .replace(/&(amp|lt|gt|quot|nbsp|#39|apos);/gu, (_, name: string) => entities[name] ?? '')
    .trim();

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
  apos: "'",
};
