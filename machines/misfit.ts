import type { Migration } from './flow-entry.ts';

/** Why an answer was not taken, for the screen to say. */
export type Misfit = 'too-short' | 'too-long' | 'wrong-format';

/** Null where the length is right. Counted as people count: an emoji is one. */
export function lengthMisfit(text: string, min: number, max: number): Misfit | null {
  const length = [...text].length;
  if (length < min) return 'too-short';
  return length > max ? 'too-long' : null;
}

/** Earlier versions kept only that an answer was not taken, not why. */
export const invalidBecameMisfit: Migration = ({ state, context: { invalid, ...context } }) => ({
  state,
  context: { ...context, misfit: invalid ? 'wrong-format' : null },
});
