import type { SectionKind } from '../material/section-kinds.ts';

/** What a writer who knows the trade would say. Names and norms are public; sums never appear. */
export type NicheMaterial = {
  /** The second paragraph: shows at once that the writer has seen the trade. */
  hook: string;
  paragraphs: Readonly<Partial<Record<SectionKind, readonly string[]>>>;
  table: { head: readonly string[]; rows: readonly (readonly string[])[] };
  checklist: readonly string[];
  faq: readonly { question: string; answer: string }[];
  hashtags: readonly string[];
  /** What people add to a phrase when they search in this trade. */
  searches: readonly string[];
  /** Whom a visitor meets, as a plural: «мастера». */
  staff: string;
};
