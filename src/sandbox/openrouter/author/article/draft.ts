import { countPhrase, stems, words } from '../../../../services/quality/russian-text.ts';
import type { SectionKind } from '../recorded-articles.ts';
import { kindOf } from './plan-sections.ts';
import { isConclusionHeading, isFaqHeading } from './read-outline.ts';

/** An article in pieces of Markdown. Questions and conclusion are the closing, wherever they stood. */
export type Draft = { title: string; opening: string[]; sections: Section[]; closing: string[] };
export type Section = { heading: string; kind: SectionKind; blocks: string[] };

export function toMarkdown({ opening, sections, closing }: Draft): string {
  const body = sections.flatMap(({ heading, blocks }) => [`## ${heading}`, ...blocks]);
  return [...opening, ...body, ...closing].join('\n\n');
}

export function readDraft(markdown: string, phrase: string): Draft {
  const draft: Draft = { title: '', opening: [], sections: [], closing: [] };
  const taken = new Set<SectionKind>();
  let target = draft.opening;
  for (const block of blocksOf(markdown)) {
    const [, title] = /^#\s+(.+)$/u.exec(block) ?? [];
    const [, heading] = /^##\s+(.+)$/u.exec(block) ?? [];
    if (title !== undefined && draft.title === '') {
      draft.title = title;
    } else if (heading === undefined) {
      target.push(block);
    } else if (isFaqHeading(heading) || isConclusionHeading(heading)) {
      target = draft.closing;
      target.push(block);
    } else {
      const section: Section = { heading, kind: kindOf(heading, phrase, taken), blocks: [] };
      taken.add(section.kind);
      draft.sections.push(section);
      target = section.blocks;
    }
  }
  return draft;
}

const blocksOf = (markdown: string): string[] =>
  markdown
    .split(/\n\s*\n/u)
    .map((block) => block.trim())
    .filter(Boolean);

/** Not a heading, table, picture or list. */
export const isProse = (block: string): boolean => !/^(?:#|\||!\[|[-*>]\s|\d+\.\s|```)/u.test(block);

/** What a reader sees of Markdown: captions and anchor texts, no addresses. */
const readableText = (markdown: string): string =>
  markdown
    .replace(/!\[[^\]]*\]\([^)"]*(?:"([^"]*)")?\)/gu, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replace(/^#+\s*/gmu, '')
    .replace(/[*_|]/gu, ' ');

export const wordCount = (text: string): number => words(readableText(text)).length;

export const mentions = (text: string, phrase: string): boolean =>
  countPhrase(stems(readableText(text)), stems(phrase)) > 0;
