import type { SaveReviewsInput } from '../../../machines/review-generation.ts';
import type { Operations } from '../../engine/operations.ts';
import { CategoryGone } from '../../errors.ts';
import type { StoredReview } from './stored-review.ts';

/** Plenty to choose from; the oldest samples go first, customers' own reviews stay. */
const MOST_SAMPLES = 30;

type ChangeReviews<Tx> = (
  userId: number,
  categoryId: number,
  edit: (reviews: StoredReview[]) => StoredReview[],
  on: Tx | null,
) => Promise<StoredReview[] | null>;

type Deps<Tx> = { operations: Pick<Operations<Tx>, 'inTransaction'>; changeReviews: ChangeReviews<Tx> };

/** Under a key: samples that the person deletes afterwards do not come back when the flow is taken up again. */
export const makeSaveReviews =
  <Tx>({ operations, changeReviews }: Deps<Tx>) =>
  ({ key, userId, categoryId, reviews }: SaveReviewsInput): Promise<null> =>
    operations.inTransaction({ key, userId, request: { categoryId, reviews } }, async (tx) => {
      const saved = await changeReviews(userId, categoryId, (old) => withSamples(old, reviews), tx);
      if (!saved) throw new CategoryGone(categoryId);
      return null;
    });

export function withSamples(old: readonly StoredReview[], fresh: readonly StoredReview[]): StoredReview[] {
  const texts = new Set(old.map(({ text }) => text));
  const all = [...old, ...fresh.filter(({ text }) => !texts.has(text))];
  const real = all.filter((review) => 'real' in review);
  const samples = all.filter((review) => !('real' in review)).slice(-MOST_SAMPLES);
  return [...real, ...samples];
}
