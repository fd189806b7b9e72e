import type { Chance } from '../chance.ts';
import { type SectionKind, sectionKinds, sectionTitles } from '../material/section-kinds.ts';
import { type Block, type Draft, fixed, paragraph, toMarkdown, wordCount } from './draft.ts';
import type { PlannedSection } from './plan-sections.ts';
import type { Stock } from './stock.ts';

/** A run of paragraphs about one thing. A section has its own and, under a subheading, one or two guests. */
type Run = { kind: SectionKind; texts: string[] };

/** How many paragraphs a run takes before the next one gets its turn; whatever is left over comes last. */
const OWN_SHARE = 4;
const GUEST_SHARE = 3;

/** Paragraph by paragraph, section after section, until the length is reached or everything is said. */
export function writeSections(
  draft: Draft,
  planned: readonly PlannedSection[],
  options: { stock: Stock; aim: number; chance: Chance },
): void {
  const { stock, aim, chance } = options;
  const sections = runsOf(planned, chance);
  let words = wordCount(toMarkdown(draft));
  let open = [...sections];
  while (words < aim && open.length > 0) {
    open = open.filter((runs) => {
      if (words >= aim) return true;
      const text = nextParagraph(runs, stock);
      words += wordCount(text ?? '');
      return text !== null;
    });
  }
  draft.sections.forEach(({ blocks }, i) => {
    blocks.push(...sections[i]!.flatMap(toBlocks));
    spreadSubheadings(blocks, planned[i]!);
  });
}

/** Subjects without a section of their own are guests in those of the others. */
function runsOf(planned: readonly PlannedSection[], chance: Chance): Run[][] {
  const own = planned.map(({ kind }) => kind);
  const guests = chance.shuffled(sectionKinds.filter((kind) => !own.includes(kind)));
  return own.map((kind, i) =>
    [kind, ...guests.filter((_, n) => n % own.length === i)].map((topic) => ({ kind: topic, texts: [] })),
  );
}

/** Null when the section has nothing left to say. */
function nextParagraph(runs: readonly Run[], stock: Stock): string | null {
  const [own, ...guests] = runs;
  const inTurn = [
    ...(own && own.texts.length < OWN_SHARE ? [own] : []),
    ...guests.filter(({ texts }) => texts.length < GUEST_SHARE),
    ...runs,
  ];
  for (const run of inTurn) {
    const text = stock(run.kind);
    if (text === null) continue;
    run.texts.push(text);
    return text;
  }
  return null;
}

function toBlocks({ kind, texts }: Run, at: number): Block[] {
  const paragraphs = texts.map((text) => paragraph(text, kind));
  const isGuest = at > 0 && texts.length > 0;
  return isGuest ? [fixed(`### ${sectionTitles[kind][0]}`, kind), ...paragraphs] : paragraphs;
}

/** Subheadings of a given plan stand at even distances, never at the very end. */
function spreadSubheadings(blocks: Block[], { kind, subheadings }: PlannedSection): void {
  const own = blocks.filter((block) => block.kind === kind).length;
  const step = Math.floor(own / (subheadings.length + 1));
  if (step === 0) return;
  subheadings.toReversed().forEach((text, i) => {
    blocks.splice(step * (subheadings.length - i), 0, fixed(`### ${text}`, kind));
  });
}
