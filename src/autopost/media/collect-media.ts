import type { Log } from '../../log.ts';
import type { Media } from '../store/media.ts';
import type { MediaShelf } from './media-shelf.ts';

type Deps = {
  media: Pick<Media, 'countReferences' | 'collectable' | 'forget'>;
  shelf: Pick<MediaShelf, 'remove'>;
  workspaceIds(): Promise<string[]>;
  log: Log;
  keep?: { days?: number; largeVideoDays?: number; largeVideoBytes?: number; limit?: number };
};

/** Removes files that no message uses any more. One that cannot be removed stays for the next time. */
export function makeCollectMedia({ media, shelf, workspaceIds, log, keep = {} }: Deps) {
  return async () => {
    const collected = { files: 0, bytes: 0, failed: 0 };
    for (const workspaceId of await workspaceIds()) {
      await media.countReferences(workspaceId);
      for (const file of await media.collectable(workspaceId, keep)) {
        const { blobRef, originUrl, sizeBytes } = file;
        try {
          if (!(await media.forget(workspaceId, file, () => shelf.remove(originUrl)))) continue;
          collected.files += 1;
          collected.bytes += Number(sizeBytes ?? 0);
        } catch (error) {
          collected.failed += 1;
          log.warn({ err: error, workspaceId, blobRef }, 'an unused file could not be removed');
        }
      }
    }
    return collected;
  };
}
