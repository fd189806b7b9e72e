import { lengthMisfit, type Misfit } from './misfit.ts';
import { tidy } from './project-fields.ts';

/** What a person writes about a category themselves. */
export const descriptionLength = { min: 10, max: 2_000 } as const;

/** Paragraphs stay paragraphs, one empty line apart. */
export const descriptionValue = (text: string): string =>
  text
    .split('\n')
    .map(tidy)
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();

export function descriptionMisfit(text: string): Misfit | null {
  const value = descriptionValue(text);
  return (
    lengthMisfit(value, descriptionLength.min, descriptionLength.max) ??
    (/\p{L}/u.test(value) ? null : 'wrong-format')
  );
}
