import type { ReviewSet } from '../../machines/review-generation.ts';
import type { ReviewsData } from '../menu/reviews.ts';
import { prices } from '../prices.ts';
import { readReviews } from '../services/category/read-reviews.ts';
import { withSamples } from '../services/category/save-reviews.ts';
import { isReal } from '../services/category/stored-review.ts';
import type { CategoryMaterials } from '../store/category-material.ts';
import type { makeFinishedWork } from '../store/finished-work.ts';

type Ground = {
  materials: CategoryMaterials;
  finishedWork: ReturnType<typeof makeFinishedWork>;
  /** Samples can be ordered. */
  generates: boolean;
};

/** The page of a category's reviews: what customers have said, and samples. */
export function composeReviewPages({ materials, finishedWork, generates }: Ground): ReviewsData {
  return {
    generates,
    async read(userId, categoryId) {
      const known = await materials.read(userId, categoryId);
      if (!known) return null;
      const { categoryName, reviews } = known;
      const real = reviews.filter(isReal);
      const samples = reviews.filter((review) => !isReal(review));
      return { categoryId, categoryName, real, samples };
    },
    async offer(userId, categoryId) {
      const known = await materials.read(userId, categoryId);
      if (!known) return null;
      const { categoryName, balance } = known;
      return { categoryId, categoryName, balance, pricePerReview: prices.review };
    },
    async addReal(userId, categoryId, text) {
      const fresh = readReviews(text);
      let before = 0;
      const all = await materials.changeReviews(userId, categoryId, (old) => {
        before = old.length;
        const texts = new Set(old.filter(isReal).map((review) => review.text));
        return [...fresh.filter((review) => !texts.has(review.text)), ...old];
      });
      return all && all.length - before;
    },
    async keepWritten(userId, categoryId, run, attempt) {
      const set = await finishedWork<ReviewSet>(userId, `${run}:writeReviews:${attempt}`);
      if (!set) return 0;
      await materials.changeReviews(userId, categoryId, (old) => withSamples(old, set.reviews));
      return set.reviews.length;
    },
    removeAll: async (userId, categoryId) =>
      (await materials.changeReviews(userId, categoryId, () => [])) !== null,
  };
}
