import type { SectionKind } from '../material/section-kinds.ts';
import type { Phrase } from '../phrase.ts';
import { type Block, type Draft, fixed, paragraph } from './draft.ts';
import { kindOf } from './plan-sections.ts';
import { isConclusionHeading, isFaqHeading } from './read-outline.ts';

/** Takes Markdown apart again. Questions and conclusion belong to the closing, wherever they stand. */
export function readDraft(markdown: string, phrase: Phrase): Draft {
  const draft: Draft = { title: '', opening: [], sections: [], closing: [] };
  const taken = new Set<SectionKind>();
  let target: Block[] = draft.opening;
  let kind: SectionKind = 'choose';
  for (const text of markdown
    .split(/\n\s*\n/u)
    .map((part) => part.trim())
    .filter(Boolean)) {
    const [, title] = /^#\s+(.+)$/u.exec(text) ?? [];
    const [, heading] = /^##\s+(.+)$/u.exec(text) ?? [];
    if (title !== undefined && draft.title === '') {
      draft.title = title;
    } else if (heading === undefined) {
      target.push(isProse(text) ? paragraph(text, kind) : fixed(text, kind));
    } else if (isFaqHeading(heading) || isConclusionHeading(heading)) {
      target = draft.closing;
      target.push(fixed(text, kind));
    } else {
      kind = kindOf(heading, phrase, taken);
      taken.add(kind);
      const section = { heading, kind, blocks: [] };
      draft.sections.push(section);
      target = section.blocks;
    }
  }
  return draft;
}

const isProse = (text: string): boolean => !/^(?:#|\||!\[|[-*>]\s|\d+\.\s|```)/u.test(text);
