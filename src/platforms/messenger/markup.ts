import {
  type Mark,
  type Run,
  type StyledText,
  visibleText,
  writeHtml,
} from '../../services/posts/styled-text.ts';
import { canBeSeen } from '../can-be-seen.ts';
import type { ParseMode } from './messenger.ts';
import { badMarkup, readMarkdown } from './read-markdown.ts';

/** What a platform reads. Anything else is refused before it is sent: a platform refuses it too, or drops it silently. */
export type MarkupRules = {
  tags: readonly string[];
  schemes: readonly string[];
  /** Otherwise it gets HTML. */
  readsMarkdown: boolean;
};

export type ReadText = {
  /** As a reader sees it. */
  visible: string;
  /** As the platform is given it. Both are empty when there is nothing to see. */
  sent: string;
};

const nothing: ReadText = { visible: '', sent: '' };

/** Strict, unlike the reading of what a model wrote: an author's mistake is shown to the author. */
export function readText(source: string, parseMode: ParseMode, rules: MarkupRules): ReadText {
  const text = source.toWellFormed().replace(/\r\n?/gu, '\n').trim();
  switch (parseMode) {
    case 'None':
      return canBeSeen(text) ? { visible: text, sent: text } : nothing;
    case 'Markdown':
      return checked(readMarkdown(text), rules, rules.readsMarkdown ? text : null);
    case 'HTML':
      return checked(readHtml(text), rules, null);
    default: {
      const never: never = parseMode;
      throw badMarkup(`неизвестный её вид «${String(never)}»`);
    }
  }
}

function checked(runs: StyledText, { tags, schemes }: MarkupRules, asWritten: string | null): ReadText {
  for (const { tag, href } of runs.flatMap(({ marks }) => marks)) {
    if (!tags.includes(tag)) throw badMarkup(`тег <${tag}> здесь не поддерживается`);
    if (tag === 'a' && !(URL.canParse(href ?? '') && schemes.includes(new URL(href ?? '').protocol)))
      throw badMarkup(`ссылка «${href}» никуда не ведёт`);
  }
  const visible = visibleText(runs).trim();
  return canBeSeen(visible) ? { visible, sent: asWritten ?? writeHtml(runs) } : nothing;
}

const TAG = /<(?<slash>\/?)(?<name>[a-z][a-z0-9-]*)(?<attributes>(?:\s+[^\s<>="']+\s*=\s*"[^"<>]*")*)\s*>/iuy;
const ATTRIBUTE = /(?<name>[^\s<>="']+)\s*=\s*"(?<value>[^"<>]*)"/giu;

function readHtml(html: string): Run[] {
  const runs: Run[] = [];
  const open: Mark[] = [];
  let at = 0;
  while (at < html.length) {
    const next = html.indexOf('<', at);
    const text = html.slice(at, next === -1 ? undefined : next);
    if (text !== '') runs.push({ text: decoded(text), marks: [...open] });
    if (next === -1) break;
    at = readTag(next);
  }
  const unclosed = open.at(-1);
  if (unclosed) throw badMarkup(`тег <${unclosed.tag}> не закрыт`);
  return runs;

  function readTag(from: number): number {
    TAG.lastIndex = from;
    const { slash, name = '', attributes = '' } = TAG.exec(html)?.groups ?? {};
    const end = TAG.lastIndex;
    if (end === 0) throw badMarkup(`«${html.slice(from, from + 20)}» — не тег; сам знак < пишется как &lt;`);
    const tag = name.toLowerCase();
    if (slash === '') open.push(openTag(tag, attributes));
    else if (open.pop()?.tag !== tag || attributes !== '')
      throw badMarkup(`тег </${tag}> закрывает не то, что открыто`);
    return end;
  }
}

function openTag(tag: string, attributes: string): Mark {
  const given = [...attributes.matchAll(ATTRIBUTE)].map(({ groups }) => ({
    name: groups?.name?.toLowerCase() ?? '',
    value: decoded(groups?.value ?? ''),
  }));
  const [first, ...others] = given;
  if (tag !== 'a' && first) throw badMarkup(`атрибут ${first.name} у тега <${tag}> не поддерживается`);
  if (tag !== 'a') return { tag };
  if (first?.name !== 'href' || others.length > 0) throw badMarkup('у ссылки должен быть только адрес href');
  return { tag, href: first.value };
}

const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' },
  ...{ laquo: '«', raquo: '»', mdash: '—', ndash: '–', hellip: '…', copy: '©' },
};

/** Once, whatever comes out of it: `&amp;lt;` is a way to show `&lt;`. */
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/giu, (entity, decimal, hex, name) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : entity;
  });
