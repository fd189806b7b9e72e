import type { PublishArticleInput, PublishedArticle } from '../../../machines/fragments/article-ports.ts';
import { AppError, OperationLost } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { PublicationNews } from '../../screens/pages/publication-news.ts';
import { isDatabaseAway } from '../../store/database-away.ts';
import type { LeftClaim, SettledDraft } from '../../store/draft-claims.ts';
import { PublishUnknown } from './publish-article.ts';

type Deps = {
  leftClaims(): Promise<LeftClaim[]>;
  publish(input: PublishArticleInput, signal: AbortSignal): Promise<PublishedArticle>;
  settle(draftId: number, key: string): Promise<void>;
  settleUnknown(): Promise<SettledDraft[]>;
  discard(left: Pick<SettledDraft, 'pictures' | 'telegraphPath'>): Promise<void>;
  tell(userId: number, news: PublicationNews): Promise<void>;
  log: Log;
};

/**
 * Ends publications whose process died and whose session is gone as well: the same work under the same key, so that what
 * is on the site is found and not sent again. Each becomes published, unknown, or a draft whose tokens come back.
 */
export const makeFinishPublications =
  ({ leftClaims, publish, settle, settleUnknown, discard, tell, log }: Deps) =>
  async (signal: AbortSignal): Promise<PublicationNews[]> => {
    const told: PublicationNews[] = [];
    for (const claim of await leftClaims()) {
      if (signal.aborted) break;
      const news = await outcomeOf(claim);
      if (news) await say(claim.userId, news);
    }
    for (const draft of await settleUnknown()) {
      await discard(draft);
      await say(draft.userId, { kind: 'assumed', keyword: draft.keyword });
    }
    return told;

    /** Null: interrupted once more; the claim comes due again. */
    async function outcomeOf({ draftId, userId, key, site, keyword, asDraft }: LeftClaim) {
      try {
        const { publicationId, url, isDraft } = await publish(
          { key, userId, draftId, site, ...(asDraft && { asDraft }) },
          signal,
        );
        // A finished operation returns its stored result and touches no draft.
        await settle(draftId, key);
        return { kind: 'published', keyword, publicationId, url, ...(isDraft && { isDraft }) } as const;
      } catch (error) {
        if (signal.aborted || error instanceof OperationLost || isDatabaseAway(error)) return null;
        if (error instanceof PublishUnknown)
          return { kind: 'unknown', keyword, draftId, site, ...(asDraft && { asDraft }) } as const;
        if (error instanceof AppError)
          return { kind: 'failed', keyword, draftId, site, why: error.userMessage } as const;
        // A bug of ours: the post may be there and only not noted. The claim, if it is still held, comes due again.
        log.error({ err: error, draft: draftId }, 'a publication could not be finished');
        return null;
      }
    }

    async function say(userId: number, news: PublicationNews): Promise<void> {
      told.push(news);
      log.warn({ user: userId, outcome: news.kind }, 'a publication left by its process was ended');
      await tell(userId, news).catch((err) => log.warn({ err, user: userId }, 'an outcome was not told'));
    }
  };
