import type { TrainerData } from '../../src/menu/trainer.ts';
import { loadCases } from '../../src/services/trainer/case-file.ts';
import { makeCases } from '../../src/services/trainer/cases.ts';

const cases = makeCases(await loadCases());

const left = {
  caseId: 'career',
  session: 'run-0:1',
  turn_count: 2,
  dialogue_entries: [],
  total_provd_achieved: ['plan'],
};
const past = { at: '2026-11-17 21:30:00.5+00', turns: 3, reached: 4, isReviewed: true };

/** The pages of the trainer over its real cases and the dialogues of one person. */
export const playedTrainer = (owner: number): TrainerData => ({
  cases: cases.all.map((played) => ({ ...played, terms: cases.terms(played) })),
  open: async (userId) => (userId === owner ? [left, { ...left, caseId: 'gone' }] : []),
  past: async (userId) =>
    userId === owner
      ? [
          { ...past, caseId: 'career' },
          { ...past, caseId: 'gone', isReviewed: false },
        ]
      : [],
  clearCase: async () => 0,
});
