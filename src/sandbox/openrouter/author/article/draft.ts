import { countPhrase, stems, words } from '../../../../services/quality/russian-text.ts';
import type { SectionKind } from '../material/section-kinds.ts';

/** An article while it is being written. Blocks are Markdown; only paragraphs take further sentences. */
export type Block = { type: 'paragraph' | 'fixed'; text: string; kind: SectionKind };
export type Section = { heading: string; kind: SectionKind; blocks: Block[] };
export type Draft = { title: string; opening: Block[]; sections: Section[]; closing: Block[] };

export const paragraph = (text: string, kind: SectionKind): Block => ({ type: 'paragraph', text, kind });
export const fixed = (text: string, kind: SectionKind): Block => ({ type: 'fixed', text, kind });

export function toMarkdown({ opening, sections, closing }: Draft): string {
  const body = sections.flatMap(({ heading, blocks }) => [
    `## ${heading}`,
    ...blocks.map(({ text }) => text),
  ]);
  return [...opening.map(({ text }) => text), ...body, ...closing.map(({ text }) => text)].join('\n\n');
}

/** What a reader sees of Markdown: captions and anchor texts, no addresses. */
export const readableText = (markdown: string): string =>
  markdown
    .replace(/!\[[^\]]*\]\([^)"]*(?:"([^"]*)")?\)/gu, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replace(/^#+\s*/gmu, '')
    .replace(/[*_|]/gu, ' ');

export const wordCount = (text: string): number => words(readableText(text)).length;

export const mentions = (text: string, phrase: string): boolean =>
  countPhrase(stems(readableText(text)), stems(phrase)) > 0;
