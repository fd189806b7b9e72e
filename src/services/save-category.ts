import type { SaveCategoryInput } from '../../machines/category-create.ts';
import type { Operations } from '../engine/operations.ts';
import { NotFound } from '../errors.ts';

type Deps<Tx> = {
  operations: Operations<Tx>;
  /** Null when the project is not there. */
  insertCategory(tx: Tx, userId: number, projectId: number, name: string): Promise<number | null>;
};

/** Creates the category once per key, however often it is asked for. */
export const makeSaveCategory =
  <Tx>({ operations, insertCategory }: Deps<Tx>) =>
  ({ key, userId, projectId, name }: SaveCategoryInput): Promise<{ categoryId: number }> =>
    operations.inTransaction({ key, userId, request: { projectId, name } }, async (tx) => {
      const categoryId = await insertCategory(tx, userId, projectId, name);
      if (categoryId === null) throw new NotFound(`project ${projectId}`, 'Проект удалён.');
      return { categoryId };
    });
