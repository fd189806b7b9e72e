import type { ReviewOffer } from '../../machines/review-generation.ts';
import { stillAsks } from '../screens/kit/deletion.ts';
import { type Link, to } from '../screens/kit/link.ts';
import type { Screen } from '../screens/kit/screen.ts';
import { cancelButton } from '../screens/kit/system.ts';
import {
  addReviewsScreen,
  type CategoryReviews,
  deleteReviewsScreen,
  reviewsAddedNotice,
  reviewsDeletedNotice,
  reviewsSavedNotice,
  reviewsScreen,
} from '../screens/pages/reviews.ts';
import { action, askedAgain, asking, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

/** Null everywhere: there is no such category. */
export type ReviewsData = {
  /** Samples can be ordered. */
  generates: boolean;
  read(userId: number, categoryId: number): Promise<CategoryReviews | null>;
  offer(userId: number, categoryId: number): Promise<Omit<ReviewOffer, 'isAdmin'> | null>;
  /** Reads what a person pasted and keeps what is new; fails with the reason for a text that cannot be used. */
  addReal(userId: number, categoryId: number, text: string): Promise<number | null>;
  /** Samples that were written and paid for while the person was elsewhere; 0 when they are not on record any more. */
  keepWritten(userId: number, categoryId: number, run: string, attempt: number): Promise<number>;
  removeAll(userId: number, categoryId: number): Promise<boolean>;
};

const projectList = to('nav:projects');
const pageOf = (cid: number): Link => to('category:{cid}:reviews', { cid });

export function reviewRoutes(data: ReviewsData): Route[] {
  return [
    route('category:{cid}:reviews', ({ cid }, { userId }) =>
      shown(userId, cid, (category) => reviewsScreen(category, data.generates)),
    ),
    route('review:{cid}:new', async ({ cid }, { userId, isAdmin }) => {
      const offer = data.generates ? await data.offer(userId, cid) : null;
      if (!offer) return missing(projectList);
      return { start: { flow: 'ReviewGeneration', input: { ...offer, isAdmin } }, origin: pageOf(cid) };
    }),

    asking('review:{cid}:add', {
      page: ({ cid }, { userId }) => shown(userId, cid, addReviewsScreen),
      wants: ['text'],
      back: ({ cid }) => cancelButton(pageOf(cid)),
      async take({ cid }, { text }, { userId }) {
        const added = await data.addReal(userId, cid, text);
        if (added === null) return missing(projectList);
        return { open: pageOf(cid), notice: reviewsAddedNotice(added) };
      },
    }),

    action('review:{cid}:keep:{run}:{k}', async ({ cid, run, k }, { userId }) => {
      if (!(await data.read(userId, cid))) return missing(projectList);
      const kept = await data.keepWritten(userId, cid, run, k);
      return { open: pageOf(cid), ...(kept > 0 && { notice: reviewsSavedNotice(kept) }) };
    }),

    route('review:{cid}:delete', ({ cid }, { userId }) => shown(userId, cid, deleteReviewsScreen)),
    action('review:{cid}:delete:yes:{h}', async ({ cid, h }, { userId }) => {
      const category = await data.read(userId, cid);
      if (!category) return missing(projectList);
      if (!stillAsks(deleteReviewsScreen(category), h)) return askedAgain(to('review:{cid}:delete', { cid }));
      await data.removeAll(userId, cid);
      return { open: pageOf(cid), notice: reviewsDeletedNotice };
    }),
  ];

  async function shown(
    userId: number,
    cid: number,
    show: (category: CategoryReviews) => Screen,
  ): Promise<RouteAnswer> {
    const category = await data.read(userId, cid);
    return category ? { show: show(category) } : missing(projectList);
  }
}
