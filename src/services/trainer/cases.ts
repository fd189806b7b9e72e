import type { CaseTerms } from '../../../machines/ai-chat.ts';
import type { TrainerCase } from './case-file.ts';

export type Cases = ReturnType<typeof makeCases>;

/** The cases of this release, by their ids. */
export function makeCases(all: readonly TrainerCase[]) {
  const byId = new Map(all.map((each) => [each.id, each]));
  return {
    all,
    get: (id: string): TrainerCase | null => byId.get(id) ?? null,
    terms: ({ id, components, turns }: TrainerCase): CaseTerms => ({
      case_id: id,
      components: components.map((component) => component.id),
      turns,
    }),
  };
}
