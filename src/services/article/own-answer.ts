import type { SavedOwnAnswer, SaveOwnAnswerInput } from '../../../machines/fragments/own-knowledge.ts';
import { CategoryGone } from '../../errors.ts';
import { atWord } from './clean-answer.ts';

const SHOWN = 80;

/** Enough to recognise one's own words on the screen with the price. */
export function shownOf(text: string): string {
  const shown = atWord(text, SHOWN);
  return shown.length < text.trim().length ? `${shown}…` : shown;
}

type Save = (
  userId: number,
  categoryId: number,
  field: 'own_knowledge' | 'avoid',
  text: string,
) => Promise<boolean>;

/** Kept with the category, for this article and all that follow. An empty answer removes what was kept. */
export const makeSaveOwnAnswer =
  ({ save }: { save: Save }) =>
  async ({ userId, categoryId, field, text }: SaveOwnAnswerInput): Promise<SavedOwnAnswer> => {
    const column = field === 'knows' ? 'own_knowledge' : 'avoid';
    if (!(await save(userId, categoryId, column, text))) throw new CategoryGone(categoryId);
    return { field, shown: shownOf(text) };
  };
