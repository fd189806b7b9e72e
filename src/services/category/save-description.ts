import type { SaveDescriptionInput } from '../../../machines/fragments/description-work.ts';
import type { Operations } from '../../engine/operations.ts';
import { CategoryGone } from '../../errors.ts';

type Deps<Tx> = {
  operations: Pick<Operations<Tx>, 'inTransaction'>;
  put(userId: number, categoryId: number, field: 'description', text: string, on: Tx): Promise<boolean>;
};

/** Under a key: a text that the person changes afterwards does not come back when the flow is taken up again. */
export const makeSaveDescription =
  <Tx>({ operations, put }: Deps<Tx>) =>
  ({ key, userId, categoryId, text }: SaveDescriptionInput): Promise<null> =>
    operations.inTransaction({ key, userId, request: { categoryId, text } }, async (tx) => {
      if (!(await put(userId, categoryId, 'description', text, tx))) throw new CategoryGone(categoryId);
      return null;
    });
