import type { SaveCategoryInput } from '../../../machines/fragments/category-question.ts';
import type { Operations } from '../../engine/operations.ts';
import { NotFound } from '../../errors.ts';

type Deps<Statement> = {
  operations: Pick<Operations<never, Statement>, 'inStatement'>;
  insertCategory(userId: number, projectId: number, name: string): Statement;
};

/** Creates the category once per key, however often it is asked for. */
export const makeSaveCategory =
  <Statement>({ operations, insertCategory }: Deps<Statement>) =>
  async ({ key, userId, projectId, name }: SaveCategoryInput): Promise<{ categoryId: number }> => {
    const call = { key, userId, request: { projectId, name } };
    const insert = insertCategory(userId, projectId, name);
    const saved = await operations.inStatement<{ categoryId: number }>(call, insert);
    if (!saved) throw new NotFound(`project ${projectId}`, 'Проект удалён.');
    return saved;
  };
