import { DeadlinePassed } from '../../clients/http/deadline.ts';
import { normalisePost } from '../ingest/normalise-post.ts';
import { type PostBody, type Problem, type ReadBody, readPostBody } from '../ingest/read-post-body.ts';
import { toMessage } from '../ingest/to-message.ts';
import type { MediaShelf } from '../media/media-shelf.ts';
import { MediaUnavailable } from '../media/media-unavailable.ts';
import type { NewMessage } from '../store/enqueue.ts';
import { keepItems } from './keep-items.ts';
import { storable } from './pull-item.ts';
import type { PulledItem } from './pull-source.ts';

const LONGEST_REF = 256;

/** Without a message it can never be posted, and `problems` say why. */
type PreparedItem =
  | { message: NewMessage; withoutMedia: number }
  | { message: null; problems: readonly Problem[]; withoutMedia: number };

export type PrepareItem = (
  workspaceId: string,
  item: PulledItem,
  options: { mayWait: boolean; signal: AbortSignal },
) => Promise<PreparedItem>;

/**
 * An item as a message; null if there is nothing in it that could be posted. A lost file is not brought again: one
 * that may come is waited for, if it may be, and otherwise the post goes without it. Throws MediaUnavailable.
 */
export function makePrepareItem(
  shelf: Pick<MediaShelf, 'keep'>,
  { mediaWithinMs = 60_000 }: { mediaWithinMs?: number } = {},
): PrepareItem {
  return async (workspaceId, item, { mayWait, signal }) => {
    let read = readPostBody(item.body);
    const promised = filesOf(read);
    // One time for all tries: with one for each, ten files that hang would outlast the lease of their source.
    const endsAt = performance.now() + mediaWithinMs;
    for (;;) {
      const withoutMedia = promised - filesOf(read);
      if (!read.ok) return { message: null, problems: read.problems, withoutMedia };
      const post = { ...normalisePost(read.body), sourceRef: storable(item.id, LONGEST_REF) };
      const withinMs = Math.max(1, endsAt - performance.now());
      try {
        const items = await keepItems(shelf, workspaceId, post, { withinMs, signal });
        return { message: toMessage(post, items), withoutMedia };
      } catch (error) {
        if (!(error instanceof MediaUnavailable) || (error.retryable && mayWait)) throw error;
        read = readPostBody(without(read.body, error));
      }
    }
  };
}

const filesOf = (read: ReadBody): number => (read.ok ? (read.body.media?.length ?? 0) : 0);

/** Without the file that cannot be had; when the time is over, without any. */
const without = (body: PostBody, { url, cause }: MediaUnavailable): PostBody => ({
  ...body,
  media: cause instanceof DeadlinePassed ? [] : body.media?.filter((item) => new URL(item.url).href !== url),
});
