import type { TrainerCase } from './case-file.ts';

/**
 * What the counterpart may know by now. The rest is not in the request at all: a model cannot give away what it was
 * never told, whatever a person talks it into.
 */
export const dueFacts = ({ hidden_facts }: TrainerCase, reached: readonly string[]): string[] =>
  hidden_facts.filter(({ after }) => reached.includes(after)).map(({ fact }) => fact);
