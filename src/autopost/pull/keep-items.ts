import { DeadlinePassed, withDeadline } from '../../clients/http/deadline.ts';
import type { MediaType } from '../../platforms/messenger/messenger.ts';
import type { NormalPost } from '../ingest/normalise-post.ts';
import type { KeptMedia, MediaShelf } from '../media/media-shelf.ts';
import { MediaUnavailable } from '../media/media-unavailable.ts';

/** A file of a post that is on the shelf. */
export type KeptItem = KeptMedia & { type: MediaType; caption: string };

/** All files of a post, or MediaUnavailable: half an album is another post. */
export async function keepItems(
  shelf: Pick<MediaShelf, 'keep'>,
  workspaceId: string,
  { shown: { media } }: NormalPost,
  { withinMs, signal }: { withinMs: number; signal?: AbortSignal | undefined },
): Promise<KeptItem[]> {
  if (media.length === 0) return [];
  try {
    return await withDeadline(withinMs, signal, (ending) =>
      Promise.all(
        media.map(async ({ url, type, caption }) => ({
          ...(await shelf.keep(workspaceId, url, type, ending)),
          type,
          caption,
        })),
      ),
    );
  } catch (error) {
    if (error instanceof DeadlinePassed) throw new MediaUnavailable(media[0]?.url ?? '', 'no-answer', error);
    throw error;
  }
}
