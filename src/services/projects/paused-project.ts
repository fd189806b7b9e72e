import { z } from 'zod';
import type { ProjectAnswers } from '../../../machines/fragments/project-questions.ts';
import type { KeepProjectAnswersInput } from '../../../machines/project-create.ts';
import type { KeyValueStore } from '../../engine/key-value-store.ts';

// Long enough to come back after a holiday.
const KEPT_SECONDS = 30 * 24 * 60 * 60;

const keyOf = (userId: number): string => `paused-project:${userId}`;

const answersSchema = z.object({
  name: z.string().nullable(),
  companyName: z.string().nullable(),
  specialization: z.string().nullable(),
  websiteUrl: z.string().nullable(),
});

/** The answers of a project wizard that was put aside: kept, read, forgotten. */
export function makePausedProject(store: KeyValueStore) {
  return {
    async keep({ userId, answers }: KeepProjectAnswersInput): Promise<null> {
      // Nothing was answered: what was put aside before is worth more.
      if (answers.name === null) return null;
      await store.set(keyOf(userId), JSON.stringify(answers), KEPT_SECONDS);
      return null;
    },
    async read(userId: number): Promise<ProjectAnswers | null> {
      const kept = await store.get(keyOf(userId));
      return kept === null ? null : answersSchema.parse(JSON.parse(kept));
    },
    forget: (userId: number): Promise<void> => store.delete(keyOf(userId)),
  };
}
