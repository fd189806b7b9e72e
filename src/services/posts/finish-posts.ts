import type { PostOutcome, PublishPostInput } from '../../../machines/fragments/post-ports.ts';
import { AppError, OperationLost } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { PostNews } from '../../screens/pages/posts.ts';
import type { Connection } from '../../store/connections.ts';
import { isDatabaseAway } from '../../store/database-away.ts';
import type { LeftClaim, SettledDraft } from '../../store/draft-claims.ts';
import type { StoredPost } from '../../store/post-drafts.ts';
import { placeOf } from './place-of.ts';

type Deps = {
  leftClaims(): Promise<LeftClaim[]>;
  publish(input: PublishPostInput, signal: AbortSignal): Promise<PostOutcome>;
  settle(draftId: number, key: string): Promise<void>;
  settleUnknown(): Promise<SettledDraft[]>;
  findDraft(userId: number, draftId: number): Promise<StoredPost | null>;
  findConnection(userId: number, connectionId: number): Promise<Connection | null>;
  tell(userId: number, news: PostNews): Promise<void>;
  log: Log;
};

/**
 * Ends publications whose process died and whose session is gone as well: the same work under the same key, so that
 * what was sent is not sent again. And those that stayed unknown for 72 hours.
 */
export const makeFinishPosts =
  ({ leftClaims, publish, settle, settleUnknown, findDraft, findConnection, tell, log }: Deps) =>
  async (signal: AbortSignal): Promise<PostNews[]> => {
    const told: PostNews[] = [];
    for (const claim of await leftClaims()) {
      if (signal.aborted) break;
      const news = await outcomeOf(claim);
      if (news) await say(claim.userId, news);
    }
    for (const { userId, keyword } of await settleUnknown()) await say(userId, { kind: 'assumed', keyword });
    return told;

    /** Null: interrupted once more; the claim comes due again. */
    async function outcomeOf({ draftId, userId, key, keyword }: LeftClaim): Promise<PostNews | null> {
      try {
        const done = await publish({ key, userId, draftId }, signal);
        if (done.outcome === 'unknown')
          return {
            kind: 'unknown',
            keyword,
            draftId,
            ...(await placeFor(userId, draftId)),
            why: done.message,
          };
        // A finished operation returns its stored result and touches no draft.
        await settle(draftId, key);
        const { publicationId, url, warnings } = done;
        return { kind: 'published', keyword, publicationId, url, ...(warnings.length > 0 && { warnings }) };
      } catch (error) {
        if (signal.aborted || error instanceof OperationLost || isDatabaseAway(error)) return null;
        if (error instanceof AppError) return { kind: 'failed', keyword, draftId, why: error.userMessage };
        log.error({ err: error, draft: draftId }, 'a post could not be finished');
        return null;
      }
    }

    async function placeFor(userId: number, draftId: number) {
      const draft = await findDraft(userId, draftId);
      const connection = draft?.connectionId ? await findConnection(userId, draft.connectionId) : null;
      const { name, url } = connection
        ? placeOf(connection)
        : { name: draft?.details.place ?? 'канал', url: null };
      return { place: name, placeUrl: url };
    }

    async function say(userId: number, news: PostNews): Promise<void> {
      told.push(news);
      log.warn({ user: userId, outcome: news.kind }, 'a post left by its process was ended');
      await tell(userId, news).catch((err) => log.warn({ err, user: userId }, 'an outcome was not told'));
    }
  };
