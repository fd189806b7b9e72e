import type { Chance } from '../chance.ts';
import { fill } from '../fill.ts';
import {
  kindMarks,
  type SectionKind,
  sectionKinds,
  sectionTitles,
  sectionTitlesWithPhrase,
} from '../material/section-kinds.ts';
import type { Phrase } from '../phrase.ts';
import { isConclusionHeading, isFaqHeading, type Outline } from './read-outline.ts';

export type PlannedSection = { kind: SectionKind; heading: string; subheadings: readonly string[] };

/** With the questions and the conclusion it makes six headings, the most a reader should be given. */
const MOST_SECTIONS = 4;
const LONG_PHRASE = 5;

/** How an article may go; every story begins with the choice and speaks of money before it ends. */
const stories: readonly (readonly SectionKind[])[] = [
  ['choose', 'compare', 'price', 'mistakes'],
  ['choose', 'price', 'order', 'care'],
  ['compare', 'choose', 'price', 'order'],
  ['choose', 'order', 'price', 'mistakes'],
  ['choose', 'price', 'timing', 'mistakes'],
  ['compare', 'price', 'order', 'care'],
  ['choose', 'compare', 'order', 'price'],
];

export function planSections(phrase: Phrase, outline: Outline | null, chance: Chance): PlannedSection[] {
  return outline === null ? ownPlan(phrase, chance) : givenPlan(outline, phrase);
}

/** The phrase stands in two headings, a long one in one; the rest say what they are about. */
function ownPlan(phrase: Phrase, chance: Chance): PlannedSection[] {
  const kinds = chance.pick(stories);
  const second = chance.between(1, kinds.length - 1);
  const withPhrase = new Set(phrase.text.split(' ').length < LONG_PHRASE ? [0, second] : [0]);
  return kinds.map((kind, i) => {
    const titles = withPhrase.has(i) ? sectionTitlesWithPhrase[kind] : sectionTitles[kind];
    return { kind, heading: fill(chance.pick(titles), { phrase, chance }), subheadings: [] };
  });
}

function givenPlan({ sections }: Outline, phrase: Phrase): PlannedSection[] {
  const taken = new Set<SectionKind>();
  return sections
    .filter(({ h2 }) => !isFaqHeading(h2) && !isConclusionHeading(h2))
    .slice(0, MOST_SECTIONS)
    .map(({ h2, h3 }) => {
      const kind = kindOf(h2, phrase, taken);
      taken.add(kind);
      return { kind, heading: h2, subheadings: h3 };
    });
}

/** The words of the phrase say nothing about the section: «кухни на заказ» is no order of work. */
export function kindOf(heading: string, phrase: Phrase, taken: ReadonlySet<SectionKind>): SectionKind {
  const said = heading.toLowerCase().replace(phrase.text, '');
  const free = sectionKinds.filter((kind) => !taken.has(kind));
  const marked = (Object.keys(kindMarks) as SectionKind[]).find(
    (kind) => free.includes(kind) && kindMarks[kind].test(said),
  );
  return marked ?? free[0] ?? 'choose';
}
