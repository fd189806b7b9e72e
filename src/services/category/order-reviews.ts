import type { ReviewSet, WriteReviewsInput } from '../../../machines/review-generation.ts';
import { CategoryGone } from '../../errors.ts';
import type { Payment } from '../../store/purse.ts';
import { factNotes } from '../article/article-notes.ts';
import type { LimitedWork } from '../money/limited-work.ts';
import type { Purse } from '../money/paid-work.ts';
import type { Brief } from '../projects/brief.ts';
import type { WriteReviews } from './write-reviews.ts';

type Deps = {
  briefOf(userId: number, categoryId: number): Promise<Brief | null>;
  balanceOf(userId: number): Promise<number | null>;
  purse(payment: Payment): Purse;
  limitedWork: LimitedWork;
  writeReviews: WriteReviews;
};

/** From the accepted price to samples that wait for a decision; those that did not come are not paid for. */
export const makeOrderReviews =
  ({ briefOf, balanceOf, purse, limitedWork, writeReviews }: Deps) =>
  ({ key, userId, ...order }: WriteReviewsInput, signal: AbortSignal): Promise<ReviewSet> => {
    const { categoryId, quantity, price, previous } = order;
    const call = { key, userId, request: order, signal };
    const ownPurse = purse({ key, userId, parts: { review: price }, description: `отзывы: ${quantity}` });
    return limitedWork(call, { slots: { text_generation: 1 } }, ownPurse, async (stage, lease) => {
      const brief = await stage('brief', async () => {
        const known = await briefOf(userId, categoryId);
        if (!known) throw new CategoryGone(categoryId);
        return { company: known.company, topic: known.topic };
      });
      const set = await writeReviews({ brief, quantity, previous, userId, stage, signal: lease });
      const { reviews, missing } = set;
      const returned = (price / quantity) * missing;
      const balance = ((await balanceOf(userId)) ?? 0) + returned;
      const warnings = factNotes(set.warnings).map(({ text }) => text);
      return {
        result: { reviews, missing, warnings, spent: price - returned, balance },
        spent: price - returned,
      };
    });
  };
