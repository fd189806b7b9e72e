import { type Api, InputFile } from 'grammy';
import type { Article } from '../../screens/kit/screen.ts';
import { visibleLength } from './to-html.ts';

type InputRichMessage = Parameters<Api['sendRichMessage']>[1];

/** Bot API 10.1. */
const MOST_RICH_TEXT = 32_768;
const MOST_BLOCKS = 500;

const unread = /<(script|style|nav)\b[\s\S]*?<\/\1>\s*/giu;
const figure = /<figure\b[^>]*>([\s\S]*?)<\/figure>\s*/giu;
const block = /<(?:h[1-6]|p|pre|hr|ul|ol|li|blockquote|figure|table|tr)\b/giu;
const tag = /<(\/?)([a-z][a-z0-9]*)\b((?:"[^"]*"|[^">])*)>/giu;
/** Of the tags that Telegram knows, those an article has. What stands between others stays, without them. */
const known = new Set(
  'a b strong i em u s code sub sup h1 h2 h3 h4 h5 h6 p pre hr ul ol li blockquote br figure img figcaption table tr th td'.split(
    ' ',
  ),
);

/** A whole article as one message, its pictures sent along. Null: Telegram would not take it. */
export function toRichMessage({ html, pictures }: Article): InputRichMessage | null {
  const used: (typeof pictures)[number][] = [];
  const body = html
    .replace(unread, '')
    .replace(figure, (_, inside: string) => pictureBlock(inside))
    .replace(tag, (_, close: string, name: string, attributes: string) =>
      known.has(name.toLowerCase()) ? `<${close}${name}${close ? '' : kept(name, attributes)}>` : '',
    )
    .trim();
  const blocks = body.match(block)?.length ?? 0;
  if (body === '' || blocks > MOST_BLOCKS || visibleLength(body) > MOST_RICH_TEXT) return null;
  return {
    html: body,
    skip_entity_detection: true,
    ...(used.length > 0 && {
      media: used.map(({ bytes }, index) => ({
        id: `p${index}`,
        media: { type: 'photo', media: new InputFile(bytes, `${index}.webp`) } as const,
      })),
    }),
  };

  /** Without its picture, which is gone, a caption means nothing. */
  function pictureBlock(inside: string): string {
    const src = /<img\b[^>]*\bsrc="([^"]*)"/iu.exec(inside)?.[1]?.replaceAll('&amp;', '&');
    const picture = pictures.find(({ url }) => url === src);
    if (!picture) return '';
    const caption = /<figcaption\b[^>]*>[\s\S]*?<\/figcaption>/iu.exec(inside)?.[0] ?? '';
    return `<figure><img src="tg://photo?id=p${used.push(picture) - 1}"/>${caption}</figure>`;
  }
}

function kept(name: string, attributes: string): string {
  if (name === 'img') return attributes;
  const href = name === 'a' ? /\bhref="((?:https?|mailto|tel):[^"]*)"/iu.exec(attributes)?.[1] : undefined;
  const spans = /^t[hd]$/u.test(name) ? (attributes.match(/\b(?:col|row)span="\d+"/giu) ?? []) : [];
  return [...(href ? [`href="${href}"`] : []), ...spans].map((one) => ` ${one}`).join('');
}
