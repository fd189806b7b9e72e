import { withDeadline } from '../../clients/http/deadline.ts';
import type { Log } from '../../log.ts';
import type { Draft } from '../../store/draft.ts';
import type { SettledDraft } from '../../store/draft-claims.ts';
import type { UnseenArticle } from '../../store/publications.ts';
import { shortSlug } from './publish-article.ts';

/** An article that a site may have, as it was sent there. */
type SoughtArticle = { idempotencyKey: string; title: string; slug: string; html: string };

/** Null: it is not to be seen there. */
export type LocateArticle = (
  credentials: unknown,
  article: SoughtArticle,
  signal: AbortSignal,
) => Promise<{ url: string; isDraft: boolean } | null>;

type Deps = {
  confirm(userId: number, draftId: number): Promise<(SettledDraft & { publicationId: number | null }) | null>;
  discard(left: Pick<SettledDraft, 'pictures' | 'telegraphPath'>): Promise<void>;
  /** Null: its address is known. */
  unseen(userId: number, publicationId: number): Promise<UnseenArticle | null>;
  findEnded(userId: number, draftId: number): Promise<Pick<Draft, 'title' | 'html'> | null>;
  credentials(userId: number, connectionId: number): Promise<unknown>;
  locate: LocateArticle;
  keepAddress(publicationId: number, url: string): Promise<void>;
  log: Log;
};

/** A person waits for the page with the result. */
const PATIENCE_MS = 10_000;

/**
 * The owner has seen on the site what its answer was lost of. Its address is asked for now: without it the article can be
 * neither opened nor refreshed. Null: nothing to confirm; or the publication, unless its project is gone.
 */
export const makeConfirmPublication = (deps: Deps) => {
  return async (userId: number, draftId: number): Promise<{ publicationId: number | null } | null> => {
    const settled = await deps.confirm(userId, draftId);
    if (!settled) return null;
    await deps.discard(settled);
    const { publicationId } = settled;
    if (publicationId !== null)
      await findAddress(userId, draftId, publicationId).catch((err) =>
        deps.log.warn({ err, publication: publicationId }, 'the address of an article was not found'),
      );
    return { publicationId };
  };

  async function findAddress(userId: number, draftId: number, publicationId: number): Promise<void> {
    const [article, draft] = await Promise.all([
      deps.unseen(userId, publicationId),
      deps.findEnded(userId, draftId),
    ]);
    if (!article || !draft) return;
    const credentials = await deps.credentials(userId, article.connectionId);
    const sought = { ...draft, idempotencyKey: article.key, slug: shortSlug(draft.title) };
    const found = await withDeadline(PATIENCE_MS, undefined, (signal) =>
      deps.locate(credentials, sought, signal),
    );
    if (found?.isDraft === article.asDraft) await deps.keepAddress(publicationId, found.url);
  }
};
