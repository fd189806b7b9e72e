import { createHash } from 'node:crypto';
import type { FetchFile } from '../../clients/telegram-files.ts';
import { AppError, CategoryGone } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { CategoryMedia, OwnPhoto } from '../../store/category-media.ts';
import type { PictureStore } from '../pictures/picture-store.ts';
import { toKeptPhoto } from '../pictures/process-picture.ts';

export const MOST_PHOTOS = 20;
/** Own photos stay until the person removes them: whatever sweeps orphaned pictures leaves these alone. */
const MEDIA_PREFIX = 'media/';

const MOST_BYTES = 20 * 1024 * 1024;
const MOST_CAPTION = 300;

export type SentPhoto = { fileId: string; name: string; size: number };
export type PhotosAdded = {
  added: number;
  /** Sent before, and there already. */
  known: number;
  refused: { name: string; why: string }[];
  photos: number;
};

type Deps = {
  fetchFile: FetchFile;
  pictures: Pick<PictureStore, 'save' | 'read' | 'remove'>;
  media: CategoryMedia;
  log: Log;
  now?: () => Date;
};

/** The photos of a category. Their bytes are fetched when they are sent: a messenger does not keep files for ever. */
export function makeOwnPhotos({ fetchFile, pictures, media, log, now = () => new Date() }: Deps) {
  return { add, remove, clear, read: media.read, bytesOf: pictures.read };

  /** One after the other, so that their order is that of the album; one that does not fit stops no other. */
  async function add(
    userId: number,
    categoryId: number,
    sent: readonly SentPhoto[],
    caption: string,
  ): Promise<PhotosAdded> {
    const refused: PhotosAdded['refused'] = [];
    let added = 0;
    let known = 0;
    let photos = (await media.read(userId, categoryId))?.photos;
    if (!photos) throw new CategoryGone(categoryId);
    for (const [i, file] of sent.entries()) {
      const name = file.name || `№${i + 1}`;
      if (photos.length >= MOST_PHOTOS) {
        refused.push({ name, why: `больше ${MOST_PHOTOS} фото в категории не хранится` });
        continue;
      }
      try {
        const photo = await kept(userId, categoryId, file, caption);
        const before: number = photos.length;
        const after = await media.change(userId, categoryId, (old) =>
          old.length >= MOST_PHOTOS || old.some(({ path }) => path === photo.path) ? old : [...old, photo],
        );
        if (!after) throw new CategoryGone(categoryId);
        photos = after;
        if (after.length > before) added += 1;
        else known += 1;
      } catch (error) {
        if (!(error instanceof AppError) || error instanceof CategoryGone) throw error;
        log.info({ err: error, user: userId }, 'a photo was not taken');
        refused.push({ name, why: error.userMessage });
      }
    }
    return { added, known, refused, photos: photos.length };
  }

  /** Named by its bytes: sent or handled twice, it is the same file. */
  async function kept(
    userId: number,
    categoryId: number,
    file: SentPhoto,
    caption: string,
  ): Promise<OwnPhoto> {
    const kinds = ['jpeg', 'png', 'webp'] as const;
    const { bytes } = await fetchFile(file, { mostBytes: MOST_BYTES, kinds });
    const photo = await toKeptPhoto(bytes);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const path = `${MEDIA_PREFIX}${userId}/${categoryId}/${hash}.jpg`;
    await pictures.save(path, photo.bytes, 'image/jpeg');
    return {
      file_id: file.fileId,
      type: 'photo',
      file_size: photo.bytes.length,
      uploaded_at: now().toISOString(),
      path,
      width: photo.width,
      height: photo.height,
      caption: [...caption.trim()].slice(0, MOST_CAPTION).join(''),
    };
  }

  /** False: it was removed before, or there is no such category. */
  async function remove(userId: number, categoryId: number, path: string): Promise<boolean> {
    let found = false;
    const left = await media.change(userId, categoryId, (photos) => {
      found = photos.some((photo) => photo.path === path);
      return photos.filter((photo) => photo.path !== path);
    });
    if (left && found) await pictures.remove([path]);
    return found;
  }

  async function clear(userId: number, categoryId: number): Promise<boolean> {
    let gone: string[] = [];
    const left = await media.change(userId, categoryId, (photos) => {
      gone = photos.map(({ path }) => path);
      return [];
    });
    if (left) await pictures.remove(gone);
    return left !== null;
  }
}

/** Photos of categories that were deleted go with them; those of the last two days may still be on their way. */
export const makeSweepMedia =
  ({
    pictures,
    media,
    now = () => new Date(),
  }: {
    pictures: Pick<PictureStore, 'listOlderThan' | 'remove'>;
    media: Pick<CategoryMedia, 'allPaths'>;
    now?: () => Date;
  }) =>
  async (): Promise<number> => {
    const old = await pictures.listOlderThan(new Date(now().getTime() - 2 * 24 * 60 * 60 * 1000));
    const kept = await media.allPaths();
    const orphans = old.filter((path) => path.startsWith(MEDIA_PREFIX) && !kept.has(path));
    if (orphans.length > 0) await pictures.remove(orphans);
    return orphans.length;
  };
