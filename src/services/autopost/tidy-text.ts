import type { ParseMode } from '../publishing/messenger.ts';

/** Code keeps its blanks. */
const verbatim: Readonly<Record<ParseMode, RegExp | null>> = {
  HTML: /(?<kept><(?<tag>pre|code)\b[^>]*>[\s\S]*?<\/\k<tag>\s*>)/giu,
  Markdown: /(?<kept>```[\s\S]*?```|`[^`\n]+`)/gu,
  None: null,
};

/** One blank between words, one empty line between paragraphs, none at the ends. */
export function tidyText(source: string, parseMode: ParseMode): string {
  const text = source.replace(/\r\n?/gu, '\n').toWellFormed().normalize('NFC').replace(UNSEEN, '');
  const kept = verbatim[parseMode];
  if (kept === null) return tidied(text).trim();
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(kept)) {
    parts.push(tidyPart(text.slice(end, match.index)), match[0]);
    end = match.index + match[0].length;
  }
  return [...parts, tidyPart(text.slice(end))].join('').trim();

  function tidyPart(part: string): string {
    return parseMode === 'Markdown' ? tidiedLines(part) : tidied(part);
  }
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
    .replace(/(?<=[^\s])[ \t\u00a0]+/gu, ' ')
    .replace(/ +(?=\n)/gu, '')
    .replace(/\n{3,}/gu, '\n\n');
