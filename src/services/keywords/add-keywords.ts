import type { Json } from '../../engine/json.ts';
import type { Operations } from '../../engine/operations.ts';
import { CategoryGone } from '../../errors.ts';
import type { Keywords } from '../quality/choose-cluster.ts';
import { countKeywords, mergeKeywords } from './edit-keywords.ts';

type Deps<Tx> = {
  operations: Pick<Operations<Tx>, 'inTransaction'>;
  store: {
    /** Null when the category is gone. */
    change(
      userId: number,
      categoryId: number,
      edit: (keywords: Keywords) => Keywords,
      within: Tx,
    ): Promise<Keywords | null>;
    fillCity(tx: Tx, userId: number, categoryId: number, city: string): Promise<void>;
  };
};

/** `city`: the company's, when it has said none yet; null leaves it alone. */
type Addition = { key: string; userId: number; categoryId: number; request: Json; city: string | null };

export type AddKeywords = (addition: Addition, fresh: Keywords) => Promise<number>;

/**
 * Adds phrases to a category and tells how many are new. In a transaction under a key of its own: a phrase that the
 * person deletes afterwards does not come back.
 */
export const makeAddKeywords =
  <Tx>({ operations, store }: Deps<Tx>): AddKeywords =>
  ({ key, userId, categoryId, request, city }, fresh) =>
    operations.inTransaction({ key: `${key}:save`, userId, request }, async (tx) => {
      // The project before its category: the order in which a deletion locks them.
      if (city !== null) await store.fillCity(tx, userId, categoryId, city);
      let before = 0;
      const merged = await store.change(
        userId,
        categoryId,
        (old) => {
          before = countKeywords(old).phrases;
          return mergeKeywords(old, fresh);
        },
        tx,
      );
      if (!merged) throw new CategoryGone(categoryId);
      return countKeywords(merged).phrases - before;
    });
