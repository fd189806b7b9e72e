import type { Log } from '../../log.ts';
import type { StoredPicture } from './draw-pictures.ts';
import { type PictureStore, SIGNED_SECONDS } from './picture-store.ts';

export type ArticlePhoto = { path: string; width: number; height: number; caption: string };

export type CopyPhotos = (
  photos: readonly ArticlePhoto[],
  draft: { userId: number; projectId: number; at: number },
) => Promise<(StoredPicture & { ownCaption: string })[]>;

/**
 * Own photos become pictures of a draft: copies, because what belongs to a draft goes when the draft goes. One whose
 * bytes are lost is left out.
 */
export const makeCopyPhotos =
  ({ store, log }: { store: Pick<PictureStore, 'read' | 'save' | 'signedUrl'>; log: Log }): CopyPhotos =>
  async (photos, { userId, projectId, at }) => {
    const copies = await Promise.all(
      photos.map(async ({ path, width, height, caption }, i) => {
        const bytes = await store.read(path);
        if (!bytes) {
          log.warn({ user: userId, path }, 'an own photo is lost');
          return null;
        }
        const copy = `${userId}/${projectId}/${at}_own${i + 1}.jpg`;
        await store.save(copy, bytes, 'image/jpeg');
        const url = await store.signedUrl(copy, SIGNED_SECONDS);
        return { index: i + 1, url, storage_path: copy, width, height, ownCaption: caption };
      }),
    );
    return copies.filter((copy) => copy !== null);
  };

export const MOST_REFERENCES = 3;
/** Three of them travel with every picture that is drawn. */
const MOST_BYTES = 700_000;

export type ReadReferences = (photos: readonly ArticlePhoto[]) => Promise<string[]>;

/** Photos whose manner drawn pictures follow, as data addresses. A help and no condition: what fails is left out. */
export const makeReadReferences =
  ({ store, log }: { store: Pick<PictureStore, 'read'>; log: Log }): ReadReferences =>
  async (photos) => {
    const read = await Promise.all(
      photos.slice(0, MOST_REFERENCES).map(async ({ path }) => {
        try {
          const bytes = await store.read(path);
          return bytes && bytes.length <= MOST_BYTES
            ? `data:image/jpeg;base64,${bytes.toString('base64')}`
            : null;
        } catch (err) {
          log.warn({ err, path }, 'an own photo could not be read');
          return null;
        }
      }),
    );
    return read.filter((reference) => reference !== null);
  };
