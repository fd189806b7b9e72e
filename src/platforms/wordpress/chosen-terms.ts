import { z } from 'zod';
import type { ConnectionMetadata } from '../../store/connections.ts';
import type { Taxonomy } from './client.ts';

export type ChosenTerm = z.infer<typeof chosenTerm>;

const chosenTerm = z.object({ id: z.number(), name: z.string() });
const stored = z.array(chosenTerm).catch([]);
const places = { categories: 'wpCategories', tags: 'wpTags' } as const satisfies Record<Taxonomy, string>;

/** Rubrics or tags that a person has chosen for everything published over a connection. */
export const chosenTerms = (metadata: ConnectionMetadata, taxonomy: Taxonomy): ChosenTerm[] =>
  stored.parse(metadata[places[taxonomy]]);

export const withChosenTerms = (taxonomy: Taxonomy, terms: readonly ChosenTerm[]): ConnectionMetadata => ({
  [places[taxonomy]]: terms,
});
