import type { Operations } from '../engine/operations.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { RefreshData } from '../menu/refreshes.ts';
import { takesArticles } from '../platforms/platforms.ts';
import { wordPressAccess } from '../platforms/wordpress/access.ts';
import type { WordPress } from '../platforms/wordpress/client.ts';
import { makeRenewPost, renewed } from '../platforms/wordpress/renew.ts';
import { textPrice } from '../prices.ts';
import { makeLimitedWork } from '../services/money/limited-work.ts';
import { makePaidWork } from '../services/money/paid-work.ts';
import type { RateLimits } from '../services/money/rate-limits.ts';
import { makeDecideRefresh } from '../services/refresh/decide-refresh.ts';
import { makeProposeRefresh } from '../services/refresh/propose-refresh.ts';
import { makeArticleRefreshes } from '../store/article-refreshes.ts';
import { makeBriefs } from '../store/briefs.ts';
import type { Connections } from '../store/connections.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import type { Ledger } from '../store/ledger.ts';
import { makePurse } from '../store/purse.ts';
import type { Writing } from './writing.ts';

type Ground = {
  sql: Sql;
  ledger: Ledger;
  operations: Operations<TransactionSql>;
  limits: RateLimits;
  connections: Pick<Connections, 'find' | 'credentials'>;
  wordpress: WordPress;
  writing: Pick<Writing, 'ask' | 'gatherSources' | 'finish' | 'makePage'>;
  log: Log;
};

/** Where an article has no length on record. */
const USUAL_WORDS = 2_000;
const OFFERED = 8;

/** New versions of published articles: proposed, put in place, taken back. */
export function composeRefreshes({
  sql,
  ledger,
  operations,
  limits,
  connections,
  wordpress,
  writing,
  log,
}: Ground) {
  const refreshes = makeArticleRefreshes(sql);
  const briefs = makeBriefs(sql);
  const purse = makePurse(sql, ledger);
  const renew = makeRenewPost({ wordpress, log });
  const decide = makeDecideRefresh({
    refreshes,
    async siteOf(userId, connectionId) {
      const channel = await channelOf(userId, connectionId);
      return (
        channel && {
          read: (postId, signal) => renew.read(channel, postId, signal),
          put: (postId, text, instead, signal) => renew.put(channel, postId, text, instead, signal),
        }
      );
    },
    // What was charged and not settled back: under the key of the work that charged it.
    refundOf: ({ key, tokens }, userId) =>
      purse({ key, userId, parts: { text_generation: tokens }, description: 'обновление статьи' }),
  });
  const pages: RefreshData = {
    async offer(userId, publicationId) {
      const article = await refreshes.article(userId, publicationId);
      if (!article?.keyword || !article.url || article.connectionId === null || article.categoryId === null)
        return null;
      const { keyword, url, balance, restsUntil, timezone, waiting } = article;
      const price = textPrice(article.words || USUAL_WORDS);
      return { offer: { publicationId, keyword, url, price, balance }, restsUntil, timezone, waiting };
    },
    candidates: (userId, projectId) => refreshes.candidates(userId, projectId, OFFERED),
    async undo(userId, publicationId) {
      const refreshId = (await refreshes.article(userId, publicationId))?.refreshId;
      if (!refreshId) return null;
      try {
        await decide.undo({ userId, refreshId });
        return { failure: null };
      } catch (error) {
        if (error instanceof AppError) return { failure: error.userMessage };
        throw error;
      }
    },
    inForce: async (userId, publicationId) =>
      ((await refreshes.article(userId, publicationId))?.refreshId ?? null) !== null,
  };
  return {
    pages,
    services: {
      proposeRefresh: makeProposeRefresh({
        ...{ refreshes, purse },
        briefOf: (userId, categoryId) => briefs.ofCategory(userId, categoryId, 'wordpress'),
        async findPost(userId, connectionId, url, signal) {
          const channel = await channelOf(userId, connectionId);
          return channel && renew.find(channel, url, signal);
        },
        renewed,
        gatherSources: writing.gatherSources,
        ask: writing.ask,
        finish: writing.finish,
        makePage: writing.makePage,
        limitedWork: makeLimitedWork({ limits, paidWork: makePaidWork(operations), log }),
      }),
      applyRefresh: decide.apply,
      declineRefresh: decide.decline,
    },
    /** Proposals left undecided for a day: their tokens come back. */
    async expireRefreshes(): Promise<void> {
      for (const { id, userId } of await refreshes.expired())
        await decide
          .decline({ userId, refreshId: id })
          .catch((err) => log.warn({ err, refresh: id }, 'a proposal was not ended'));
    },
  };

  async function channelOf(userId: number, connectionId: number) {
    const connection = await connections.find(userId, connectionId);
    if (!connection || !takesArticles(connection.platform)) return null;
    return wordPressAccess(await connections.credentials(userId, connectionId));
  }
}
