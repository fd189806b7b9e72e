import type { Log } from '../../log.ts';
import type { EndedDraft } from '../../store/draft-ends.ts';

type Deps = {
  removePictures(paths: readonly string[]): Promise<void>;
  clearPage(path: string): Promise<boolean>;
  log: Log;
};

/** Cleans up after a draft, in the background: what stays is found by the cleanup of orphans. */
export const makeDiscardDraft =
  ({ removePictures, clearPage, log }: Deps) =>
  async ({ pictures, telegraphPath }: Pick<EndedDraft, 'pictures' | 'telegraphPath'>): Promise<void> => {
    const cleared = await Promise.allSettled([
      pictures.length > 0 && removePictures(pictures),
      telegraphPath !== null && clearPage(telegraphPath),
    ]);
    for (const outcome of cleared)
      if (outcome.status === 'rejected') log.warn({ err: outcome.reason }, 'a draft was not cleared up');
  };
