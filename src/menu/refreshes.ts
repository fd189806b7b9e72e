import type { RefreshOffer, RefreshProposal } from '../../machines/article-refresh.ts';
import { to } from '../screens/kit/link.ts';
import {
  type RefreshCandidate,
  refreshListScreen,
  restingNotice,
  undoing,
  undoneNotice,
} from '../screens/pages/refreshes.ts';
import { missing, type Route, route, slowAction } from './create-menu.ts';

export type RefreshData = {
  /** Null: there is no such article, or its site or category is gone. */
  offer(
    userId: number,
    publicationId: number,
  ): Promise<{
    offer: Omit<RefreshOffer, 'isAdmin'>;
    restsUntil: Date | null;
    timezone: string;
    waiting: { proposal: RefreshProposal } | null;
  } | null>;
  /** Null: no such project. */
  candidates(userId: number, projectId: number): Promise<RefreshCandidate[] | null>;
  /** Null: nothing to take back. */
  undo(userId: number, publicationId: number): Promise<{ failure: string | null } | null>;
  inForce(userId: number, publicationId: number): Promise<boolean>;
};

/** The way to a new version of a published article, and back. */
export function refreshRoutes(data: RefreshData): Route[] {
  return [
    route('project:{pid}:refresh', async ({ pid }, { userId }) => {
      const articles = await data.candidates(userId, pid);
      return articles ? { show: refreshListScreen(pid, articles) } : missing(to('nav:projects'));
    }),
    route('publication:{n}:refresh', async ({ n }, { userId, isAdmin }) => {
      const found = await data.offer(userId, n);
      if (!found) return missing(to('nav:projects'));
      const result = to('publication:{n}:result', { n });
      if (found.restsUntil) return { open: result, notice: restingNotice(found.restsUntil, found.timezone) };
      const proposal = found.waiting?.proposal ?? null;
      return {
        start: { flow: 'ArticleRefresh', input: { ...found.offer, isAdmin, proposal } },
        origin: result,
      };
    }),
    slowAction('publication:{n}:undo', undoing, async ({ n }, { userId }) => {
      const undone = await data.undo(userId, n);
      if (!undone) return missing(to('nav:projects'));
      return { open: to('publication:{n}:result', { n }), notice: undoneNotice(undone.failure) };
    }),
  ];
}
