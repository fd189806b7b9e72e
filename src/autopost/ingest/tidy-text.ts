import type { ParseMode } from '../../platforms/messenger/messenger.ts';

/** One blank between words, one empty line between paragraphs, none at the ends. Code keeps its blanks. */
export function tidyText(source: string, parseMode: ParseMode): string {
  const text = source.replace(/\r\n?/gu, '\n').toWellFormed().normalize('NFC').replace(UNSEEN, '');
  return tidy[parseMode](text).trim();
}

const tidy: Readonly<Record<ParseMode, (text: string) => string>> = {
  None: (text) => tidied(text),
  HTML: tidyHtml,
  Markdown: (text) =>
    text
      .split(/(```[\s\S]*?```|`[^`\n]+`)/u)
      .map((piece, at) => (at % 2 === 0 ? tidiedLines(piece) : piece))
      .join(''),
};

/** Piece by piece: one expression for tag, code and end would look for every missing end up to the end of the text. */
function tidyHtml(text: string): string {
  let code: string | null = null;
  return text
    .split(/(<\/?(?:pre|code)\b[^<>]{0,200}>)/iu)
    .map((piece, at) => {
      if (at % 2 === 0) return code === null ? tidied(piece) : piece;
      const tag = /\w+/u.exec(piece)?.[0].toLowerCase() ?? '';
      const isEnd = piece.startsWith('</');
      if (code === null && !isEnd) code = tag;
      else if (code === tag && isEnd) code = null;
      return piece;
    })
    .join('');
}

/** PostgreSQL cannot keep the first of them, and no reader sees any. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff]/gu;
const BLANKS = /[ \t\u00a0]+/gu;

const tidied = (text: string): string =>
  text
    .replace(BLANKS, ' ')
    .replace(/ ?\n ?/gu, '\n')
    .replace(/\n{3,}/gu, '\n\n');

/** In Markdown the blanks at the beginning of a line say to which list it belongs. */
const tidiedLines = (text: string): string =>
  text
    .replace(/(?<=\S)[ \t\u00a0]+/gu, ' ')
    .replace(/(?<! ) +(?=\n)/gu, '')
    .replace(/\n{3,}/gu, '\n\n');
