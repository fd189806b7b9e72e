import { stems } from '../../../../services/quality/russian-text.ts';
import { fill, type Slots } from '../fill.ts';
import { generalParagraphs } from '../material/general.ts';
import { deeperParagraphs } from '../material/general-deeper.ts';
import { type SectionKind, sectionKinds } from '../material/section-kinds.ts';
import { general as generalTrade } from '../niches/general.ts';
import type { NicheMaterial } from '../niches/niche-material.ts';

/** Takes the next unused paragraph of a kind: what the trade knows comes first, common sense follows. */
export type Stock = (kind: SectionKind) => string | null;

export function makeStock(niche: NicheMaterial, slots: Slots): Stock {
  const { chance, phrase } = slots;
  const queues = new Map(
    sectionKinds.map((kind) => {
      const general = generalParagraphs[kind];
      const own = niche.paragraphs[kind] ?? [];
      const paragraphs = [
        ...(isStory(kind) ? own : nearestFirst(chance.shuffled(own), phrase.text, (text) => text)),
        ...(kind === 'order' ? general : chance.shuffled(general)),
        ...chance.shuffled(deeperParagraphs[kind]),
        ...(niche === generalTrade ? [] : (generalTrade.paragraphs[kind] ?? [])),
      ];
      return [kind, paragraphs.map((text) => fill(text, slots))];
    }),
  );
  return (kind) => queues.get(kind)?.shift() ?? null;
}

/** What shares a word with the phrase goes before what merely belongs to the same trade. */
export function nearestFirst<Item>(
  items: readonly Item[],
  phrase: string,
  text: (item: Item) => string,
): Item[] {
  const wanted = new Set(stems(phrase).filter(({ length }) => length > 2));
  const isNear = (item: Item) => stems(text(item)).some((part) => wanted.has(part));
  return [...items.filter(isNear), ...items.filter((item) => !isNear(item))];
}

/** Told one after another, with «второй» after «первый»; elsewhere another order makes another text. */
const isStory = (kind: SectionKind): boolean => kind === 'order' || kind === 'mistakes';
