import type { Chance } from '../chance.ts';
import {
  paragraphsAbout,
  type RecordedArticle,
  recordOf,
  type SectionKind,
  sectionKinds,
  stories,
} from '../recorded-articles.ts';
import { type Section, wordCount } from './draft.ts';

type Filling = {
  record: RecordedArticle;
  subject: string;
  chance: Chance;
  /** How many words to add. */
  aim: number;
};

/**
 * What is recorded about each section's matter, then other matters under subheadings, then common sense, until the
 * length is reached or everything is said: nothing is said twice for the sake of length.
 */
export function fillSections(sections: Section[], { record, subject, chance, aim }: Filling): void {
  if (sections.length === 0) return;
  const written = new Set(sections.flatMap(({ blocks }) => blocks));
  const general = recordOf('general');
  const used = new Set(sections.map(({ heading }) => withoutPhrase(heading)));
  let words = 0;

  const own = sections.map(({ kind, blocks }) => ({ blocks, texts: chosen(kind) }));
  const longest = Math.max(...own.map(({ texts }) => texts.length));
  // In rounds: a short article says something in each section, not everything in the first.
  for (let round = 0; round < longest; round += 1) {
    for (const { blocks, texts } of own) add(blocks, texts.slice(round, round + 1));
  }
  const kinds = new Set(sections.map(({ kind }) => kind));
  const guests = chance.shuffled(sectionKinds.filter((kind) => !kinds.has(kind)));
  guests.forEach((kind, i) => {
    const home = sections[i % sections.length]!;
    addRun(home, unusedHeading(record, kind), chosen(kind));
  });
  for (const kind of chance.shuffled(sectionKinds)) {
    // A second «первая ошибка» in one section would be one too many.
    if (stories.includes(kind) && record.sections[kind]) continue;
    const texts = paragraphsAbout(general, kind, subject, record);
    const home = sections.find((section) => section.kind === kind);
    if (home) addToMatter(home, texts);
    else addRun(sections.at(-1)!, unusedHeading(general, kind), texts);
  }

  /** Among the section's own paragraphs, above the subheadings of its guests: it needs no heading of its own there. */
  function addToMatter({ blocks }: Section, texts: readonly string[]): void {
    const run: string[] = [];
    add(run, texts);
    const guests = blocks.findIndex((block) => block.startsWith('### '));
    blocks.splice(guests < 0 ? blocks.length : guests, 0, ...run);
  }

  function add(blocks: string[], texts: readonly string[]): void {
    for (const text of texts) {
      if (words >= aim) return;
      if (written.has(text)) continue;
      written.add(text);
      blocks.push(text);
      words += wordCount(text);
    }
  }

  /** The same heading twice would make two anchors of one name, and a list of contents that repeats itself. */
  function unusedHeading(source: RecordedArticle, kind: SectionKind): string {
    const all = [source, general].flatMap((each) => each.sections[kind]?.headings ?? []);
    return chance.shuffled(all).find((heading) => !used.has(withoutPhrase(heading))) ?? all[0]!;
  }

  function addRun({ blocks }: Section, heading: string, texts: readonly string[]): void {
    const run: string[] = [];
    add(run, texts);
    if (run.length === 0) return;
    used.add(withoutPhrase(heading));
    blocks.push(`### ${heading}`, ...run);
  }

  /** Another version of the article leaves another paragraph out. */
  function chosen(kind: SectionKind): string[] {
    const recorded = paragraphsAbout(record, kind, subject);
    const texts = recorded.length > 0 ? recorded : paragraphsAbout(general, kind, subject, record);
    if (stories.includes(kind) || texts.length <= 2) return texts;
    const left = chance.pick([...texts, null]);
    return texts.filter((text) => text !== left);
  }
}

/** «Развод через суд: какие есть варианты» says the same as «Какие есть варианты». */
const withoutPhrase = (heading: string): string => heading.replace(/^[^:]*: /u, '').toLowerCase();
