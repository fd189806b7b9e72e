import type { FetchFile } from '../clients/telegram-files.ts';
import type { Log } from '../log.ts';
import type { MediaData } from '../menu/media.ts';
import { makeOwnPhotos, makeSweepMedia } from '../services/category/own-photos.ts';
import type { PictureStore } from '../services/pictures/picture-store.ts';
import { makeCategoryMedia } from '../store/category-media.ts';
import type { Sql } from '../store/database.ts';

type Ground = { sql: Sql; fetchFile: FetchFile; pictures: PictureStore; log: Log };

/** The photos that people keep in their categories. */
export function composeMedia({ sql, fetchFile, pictures, log }: Ground): {
  pages: { media: MediaData };
  sweep(): Promise<void>;
} {
  const media = makeCategoryMedia(sql);
  const sweepMedia = makeSweepMedia({ pictures, media });
  return {
    pages: { media: makeOwnPhotos({ fetchFile, pictures, media, log }) },
    async sweep() {
      const removed = await sweepMedia();
      if (removed > 0) log.info({ removed }, 'photos of deleted categories were removed');
    },
  };
}
