import { to } from '../screens/kit/link.ts';
import { nothingToWriteScreen } from '../screens/pages/publishing.ts';
import { ranksScreen, type ShownRank } from '../screens/pages/ranks.ts';
import type { Offer } from '../services/article/offer-article.ts';
import { missing, type Route, route } from './create-menu.ts';

export type RanksData = {
  /** Null: no such project. */
  ofProject(userId: number, projectId: number): Promise<{ projectName: string; ranks: ShownRank[] } | null>;
  draw(
    projectName: string,
    userId: number,
    projectId: number,
  ): Promise<{ bytes: Uint8Array; name: string } | null>;
  /** A new article about the phrase of an earlier one; null: its category or site is gone. */
  offerRewrite(
    userId: number,
    publicationId: number,
    isAdmin: boolean,
  ): Promise<{ cid: number; offer: Offer } | null>;
};

const projectList = to('nav:projects');

/** Where articles stand in search, and what can be done about those that fall. */
export function rankRoutes(data: RanksData): Route[] {
  return [
    route('project:{pid}:ranks', async ({ pid }, { userId }) => {
      const project = await data.ofProject(userId, pid);
      if (!project) return missing(projectList);
      const plot = await data.draw(project.projectName, userId, pid);
      return { show: ranksScreen({ pid, projectName: project.projectName }, project.ranks, plot) };
    }),
    route('publication:{n}:rewrite', async ({ n }, { userId, isAdmin }) => {
      const found = await data.offerRewrite(userId, n, isAdmin);
      if (!found || 'missing' in found.offer) return missing(projectList);
      if ('blocked' in found.offer) return { show: nothingToWriteScreen(found.cid, found.offer.blocked) };
      return {
        start: { flow: 'ArticlePublish', input: { offer: found.offer.offer, preview: null } },
        origin: to('category:{cid}:card', { cid: found.cid }),
      };
    }),
  ];
}
