import MarkdownIt, { type Token } from 'markdown-it';
import type { Mark, Run } from '../../services/posts/styled-text.ts';
import { NotSendable } from './messenger.ts';

/** Markdown of a source as styled text. What no messenger can show is refused, not dropped. */
export function readMarkdown(source: string): Run[] {
  const runs: Run[] = [];
  const open: Mark[] = [];
  const lists: { next: number | null }[] = [];
  for (const token of markdown.parse(source, {})) read(token);
  return runs;

  function read(token: Token): void {
    const tag = tags[token.tag];
    if (token.type === 'inline') for (const child of token.children ?? []) read(child);
    else if (token.type === 'text') say(withoutLooseMarks(token.content));
    else if (token.type === 'softbreak' || token.type === 'hardbreak') say('\n');
    else if (token.type === 'code_inline') say(token.content, { tag: 'code' });
    else if (token.type === 'fence' || token.type === 'code_block') {
      beginBlock(token);
      say(token.content.replace(/\n$/u, ''), { tag: 'pre' });
    } else if (token.type === 'link_open') open.push({ tag: 'a', href: String(token.attrGet('href') ?? '') });
    else if (token.nesting === -1) close(token, tag);
    else if (token.nesting === 1) begin(token, tag);
    else throw badMarkup(`«${unshown[token.type] ?? token.type}» в сообщении показать нельзя`);
  }

  function begin(token: Token, tag: string | undefined): void {
    if (token.type === 'bullet_list_open') lists.push({ next: null });
    if (token.type === 'ordered_list_open') lists.push({ next: Number(token.attrGet('start') ?? 1) });
    if (token.type === 'list_item_open') beginItem();
    else if (token.type === 'paragraph_open' || token.type === 'heading_open') beginBlock(token);
    if (token.type === 'blockquote_open') beginBlock(token);
    if (tag !== undefined) open.push({ tag });
  }

  function close(token: Token, tag: string | undefined): void {
    if (/list_close$/u.test(token.type)) lists.pop();
    if (token.type === 'link_close' || tag !== undefined) open.pop();
  }

  function beginItem(): void {
    const list = lists.at(-1);
    const sign = list?.next == null ? '•' : `${list.next}.`;
    if (list?.next != null) list.next += 1;
    say(`${runs.length === 0 ? '' : '\n'}${sign} `);
  }

  /** Parts stand apart by an empty line; what follows the sign of an item, or opens a quotation, stands at it. */
  function beginBlock({ hidden }: Token): void {
    const before = runs.at(-1)?.text ?? '';
    const isAtSign = lists.length > 0 && /(?:•|\d\.) $/u.test(before);
    if (runs.length > 0 && !hidden && !isAtSign && !/\n\n$/u.test(before)) say('\n\n');
  }

  function say(text: string, mark?: Mark): void {
    if (text !== '') runs.push({ text, marks: mark ? [mark] : [...open] });
  }
}

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable('table');

const tags: Readonly<Record<string, string>> = {
  ...{ strong: 'b', em: 'i', s: 's', blockquote: 'blockquote' },
  ...{ h1: 'b', h2: 'b', h3: 'b', h4: 'b', h5: 'b', h6: 'b' },
};

const unshown: Readonly<Record<string, string>> = { image: 'картинка', hr: 'черта' };

/** To CommonMark a mark without its pair is text. To a reader of the channel it is a mistake. */
function withoutLooseMarks(text: string): string {
  const loose = /\*\*|~~|```/u.exec(text)?.[0];
  if (loose) throw badMarkup(`знак ${loose} без пары`);
  return text;
}

export const badMarkup = (why: string): NotSendable =>
  new NotSendable('bad_markup', `Ошибка в разметке: ${why}.`);
