import type { MessageEntity } from './wire.ts';

export type FormattedText = { text: string; entities: MessageEntity[] };

/** The text is not what Telegram calls HTML. The message is Telegram's own, with offsets in UTF-8 bytes. */
export class UnparsableHtml extends Error {
  override readonly name = 'UnparsableHtml';
}

const TYPE_OF_TAG: Record<string, string> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  code: 'code',
  pre: 'pre',
  a: 'text_link',
  span: 'spoiler',
  'tg-spoiler': 'spoiler',
  'tg-emoji': 'custom_emoji',
  blockquote: 'blockquote',
};

const NAMED_ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };

type OpenTag = { name: string; start: number; attributes: Map<string, string> };

/** Telegram's HTML: a few tags, four named entities, everything else is text. */
export function parseHtml(html: string): FormattedText {
  const open: OpenTag[] = [];
  const entities: MessageEntity[] = [];
  let text = '';
  let at = 0;

  while (at < html.length) {
    const char = html[at];
    if (char === '&') {
      const [decoded, length] = decodeEntity(html, at);
      text += decoded;
      at += length;
    } else if (char !== '<') {
      text += char;
      at += 1;
    } else if (html[at + 1] === '/') {
      at = closeTag(at);
    } else {
      const { tag, next } = readStartTag(html, at);
      open.push({ ...tag, start: text.length });
      at = next;
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) throw new UnparsableHtml(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  return { text, entities: inOrder(entities) };

  function closeTag(from: number): number {
    const tag = open.pop();
    if (!tag) throw new UnparsableHtml(`Unexpected end tag at byte offset ${byteOffset(html, from)}`);
    const end = html.indexOf('>', from);
    if (end === -1) throw new UnparsableHtml(`Unclosed end tag at byte offset ${byteOffset(html, from)}`);
    const name = html
      .slice(from + 2, end)
      .trimEnd()
      .toLowerCase();
    if (name !== '' && name !== tag.name) {
      const where = byteOffset(html, from);
      throw new UnparsableHtml(
        `Unmatched end tag at byte offset ${where}, expected "</${tag.name}>", found "</${name}>"`,
      );
    }
    const entity = toEntity(tag, text, entities);
    if (entity) entities.push(entity);
    return end + 1;
  }
}

function readStartTag(html: string, from: number): { tag: Omit<OpenTag, 'start'>; next: number } {
  const where = byteOffset(html, from);
  let at = from + 1;
  const name = take(/[^\s>]*/y).toLowerCase();
  if (at >= html.length) throw new UnparsableHtml(`Unclosed start tag at byte offset ${where}`);
  if (!(name in TYPE_OF_TAG))
    throw new UnparsableHtml(`Unsupported start tag "${name}" at byte offset ${where}`);

  const attributes = new Map<string, string>();
  for (;;) {
    take(/\s*/y);
    if (at >= html.length) throw new UnparsableHtml(`Unclosed start tag "${name}" at byte offset ${where}`);
    if (html[at] === '>') break;
    readAttribute();
  }
  if (name === 'span' && attributes.get('class') !== 'tg-spoiler') {
    throw new UnparsableHtml(`Tag "span" must have class "tg-spoiler" at byte offset ${where}`);
  }
  return { tag: { name, attributes }, next: at + 1 };

  function readAttribute(): void {
    const attribute = take(/[^\s=>"']*/y).toLowerCase();
    if (attribute === '') {
      throw new UnparsableHtml(`Empty attribute name in the tag "${name}" at byte offset ${where}`);
    }
    take(/\s*/y);
    if (html[at] !== '=') {
      attributes.set(attribute, ''); // <blockquote expandable>
      return;
    }
    at += 1;
    take(/\s*/y);
    const quote = html[at];
    if (quote !== '"' && quote !== "'") {
      attributes.set(attribute, take(/[a-zA-Z0-9.-]*/y));
      return;
    }
    const end = html.indexOf(quote, at + 1);
    if (end === -1) throw new UnparsableHtml(`Unclosed start tag at byte offset ${where}`);
    attributes.set(attribute, decodeAll(html.slice(at + 1, end)));
    at = end + 1;
  }

  function take(pattern: RegExp): string {
    pattern.lastIndex = at;
    const found = pattern.exec(html)?.[0] ?? '';
    at += found.length;
    return found;
  }
}

function toEntity(tag: OpenTag, text: string, inner: MessageEntity[]): MessageEntity | null {
  const length = text.length - tag.start;
  if (length === 0) return null;
  const entity = { type: TYPE_OF_TAG[tag.name]!, offset: tag.start, length };
  switch (tag.name) {
    case 'a':
      return toLink(entity, tag.attributes.get('href') ?? text.slice(tag.start));
    case 'code': {
      const language = tag.attributes.get('class')?.replace(/^language-/, '');
      return language ? { ...entity, language } : entity;
    }
    case 'pre': {
      // <pre><code class="language-x"> is one block of code, not a block around an inline one.
      const code = inner.findIndex((e) => e.type === 'code' && e.offset === tag.start && e.length === length);
      const language = code === -1 ? undefined : inner.splice(code, 1)[0]?.language;
      return language ? { ...entity, language } : entity;
    }
    case 'blockquote':
      return tag.attributes.has('expandable') ? { ...entity, type: 'expandable_blockquote' } : entity;
    case 'tg-emoji': {
      const custom_emoji_id = tag.attributes.get('emoji-id') ?? '';
      if (!/^\d+$/.test(custom_emoji_id))
        throw new UnparsableHtml('Invalid custom emoji identifier specified');
      return { ...entity, custom_emoji_id };
    }
    default:
      return entity;
  }
}

/** A link that leads nowhere is silently plain text, as in Telegram. */
function toLink(entity: MessageEntity, href: string): MessageEntity | null {
  const person = /^tg:\/\/user\?id=(\d+)$/.exec(href);
  if (person) {
    const user = { id: Number(person[1]), is_bot: false, first_name: '' };
    return { ...entity, type: 'text_mention', user };
  }
  const url = /^[a-z][a-z0-9+.-]*:/i.test(href) ? href : `http://${href}`;
  if (!URL.canParse(url) || !/^(https?|tg|ton|mailto|tel):/i.test(url)) return null;
  const bare = new URL(url);
  return {
    ...entity,
    url: bare.pathname === '/' && !url.endsWith('/') && !bare.search && !bare.hash ? `${url}/` : url,
  };
}

function decodeEntity(html: string, at: number): [decoded: string, length: number] {
  const found = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(lt|gt|amp|quot));?/y;
  found.lastIndex = at;
  const match = found.exec(html);
  if (!match) return ['&', 1];
  const [whole, decimal, hexadecimal, named] = match;
  if (named) return [NAMED_ENTITIES[named]!, whole.length];
  const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hexadecimal!, 16);
  const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return valid ? [String.fromCodePoint(code), whole.length] : ['&', 1];
}

function decodeAll(html: string): string {
  let decoded = '';
  for (let at = 0; at < html.length; ) {
    const [piece, length] = html[at] === '&' ? decodeEntity(html, at) : [html[at]!, 1];
    decoded += piece;
    at += length;
  }
  return decoded;
}

/** Outer before inner, as Telegram returns them. */
function inOrder(entities: MessageEntity[]): MessageEntity[] {
  return entities.toReversed().toSorted((a, b) => a.offset - b.offset || b.length - a.length);
}

const byteOffset = (html: string, index: number) => Buffer.byteLength(html.slice(0, index));
