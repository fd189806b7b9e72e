import type { Log } from '../log.ts';
import type { RanksData } from '../menu/ranks.ts';
import { fallingScreen } from '../screens/pages/ranks.ts';
import type { Offer } from '../services/article/offer-article.ts';
import type { TellPerson } from '../services/notify/tell-person.ts';
import { makeCheckRanks } from '../services/ranks/check-ranks.ts';
import { drawRankPlot, MOST_LINES } from '../services/ranks/rank-plot.ts';
import type { Categories } from '../store/categories.ts';
import type { Sql } from '../store/database.ts';
import { makeRanks } from '../store/ranks.ts';

type Ground = {
  sql: Sql;
  categories: Pick<Categories, 'list'>;
  addressesFor(query: string): Promise<string[] | null>;
  offerArticle(
    userId: number,
    categoryId: number,
    connectionId: number,
    isAdmin: boolean,
    wanted: string | null,
  ): Promise<Offer>;
  tell: TellPerson;
  log: Log;
  now?: () => Date;
};

/** Positions in search: the weekly look, the page, and the way to a new version. */
export function composeRanks({
  sql,
  categories,
  addressesFor,
  offerArticle,
  tell,
  log,
  now = () => new Date(),
}: Ground) {
  const ranks = makeRanks(sql);
  const pages: RanksData = {
    async ofProject(userId, projectId) {
      const project = await categories.list(userId, projectId);
      if (!project) return null;
      const found = await ranks.history(userId, projectId);
      return {
        projectName: project.projectName,
        ranks: found.map(({ id, keyword, weeks }) => ({
          ...{ id, keyword },
          positions: weeks.map(({ position }) => position),
        })),
      };
    },
    async draw(projectName, userId, projectId) {
      const found = await ranks.history(userId, projectId);
      const weeks = [...new Set(found.flatMap((each) => each.weeks.map(({ week }) => week)))].sort();
      const lines = found
        .filter((each) => each.weeks.some(({ position }) => position !== null))
        .slice(0, MOST_LINES)
        .map(({ keyword, weeks: its }) => ({
          name: keyword,
          positions: weeks.map((week) => its.find((each) => each.week === week)?.position ?? null),
        }));
      if (lines.length === 0) return null;
      const labels = weeks.map((week) => `${week.slice(8, 10)}.${week.slice(5, 7)}`);
      const title = `Места в поиске · ${projectName}`;
      return { bytes: await drawRankPlot({ title, weeks: labels, lines }), name: 'positions.png' };
    },
    async offerRewrite(userId, publicationId, isAdmin) {
      const of = await ranks.ofPublication(userId, publicationId);
      if (!of || of.categoryId === null || of.connectionId === null) return null;
      const { categoryId: cid, connectionId, keyword } = of;
      return { cid, offer: await offerArticle(userId, cid, connectionId, isAdmin, keyword) };
    },
  };
  return {
    pages,
    check: makeCheckRanks({
      ...{ ranks, addressesFor, log, now },
      tell: (article) => tell({ userId: article.userId, about: 'news', screen: fallingScreen(article) }),
    }),
  };
}
