import type { Input } from '../engine/input.ts';
import { stillAsks } from '../screens/kit/deletion.ts';
import { type Link, to } from '../screens/kit/link.ts';
import type { Screen } from '../screens/kit/screen.ts';
import {
  addedNotice,
  albumScreen,
  clearGalleryScreen,
  type Gallery,
  galleryScreen,
  mediaNotices,
  type PhotosAdded,
  photoMark,
  removalScreen,
  removePhotoScreen,
  uploadDone,
  uploadScreen,
} from '../screens/pages/media.ts';
import { action, askedAgain, asking, missing, type Route, type RouteAnswer, route } from './create-menu.ts';

export type SentPhoto = { fileId: string; name: string; size: number };
export type MediaData = {
  /** Null: there is no such category. */
  read(userId: number, categoryId: number): Promise<Gallery | null>;
  bytesOf(path: string): Promise<Uint8Array | null>;
  add(userId: number, categoryId: number, sent: readonly SentPhoto[], caption: string): Promise<PhotosAdded>;
  remove(userId: number, categoryId: number, path: string): Promise<boolean>;
  clear(userId: number, categoryId: number): Promise<boolean>;
};

const projectList = to('nav:projects');
const galleryOf = (cid: number): Link => to('category:{cid}:media', { cid });

/** The photos of a category: looked at as a numbered album, removed by number. */
export function mediaRoutes(data: MediaData): Route[] {
  return [
    route('category:{cid}:media', ({ cid }, { userId }) => shown(userId, cid, galleryScreen)),
    route('media:{cid}:show', ({ cid }, { userId }) =>
      shown(userId, cid, async (gallery) =>
        gallery.photos.length === 0
          ? galleryScreen(gallery)
          : albumScreen(gallery, await Promise.all(gallery.photos.map(({ path }) => data.bytesOf(path)))),
      ),
    ),
    route('media:{cid}:del', ({ cid }, { userId }) => shown(userId, cid, removalScreen)),
    route('media:{cid}:rm:{k}:{h}', async ({ cid, k, h }, { userId }) => {
      const gallery = await data.read(userId, cid);
      if (!gallery) return missing(projectList);
      const photo = gallery.photos[k];
      if (!photo || photoMark(photo.path) !== h)
        return { open: to('media:{cid}:del', { cid }), notice: mediaNotices.changed };
      return { show: removePhotoScreen(gallery, k, await data.bytesOf(photo.path)) };
    }),
    action('media:{cid}:rm:{k}:yes:{h}', async ({ cid, k, h }, { userId }) => {
      const gallery = await data.read(userId, cid);
      if (!gallery) return missing(projectList);
      const photo = gallery.photos.find(({ path }) => photoMark(path) === h);
      const open = to('media:{cid}:del', { cid });
      if (!photo || !(await data.remove(userId, cid, photo.path)))
        return { open, notice: mediaNotices.changed };
      return { open, notice: mediaNotices.removed(k + 1) };
    }),
    route('media:{cid}:clear', ({ cid }, { userId }) => shown(userId, cid, clearGalleryScreen)),
    action('media:{cid}:clear:yes:{h}', async ({ cid, h }, { userId }) => {
      const gallery = await data.read(userId, cid);
      if (!gallery) return missing(projectList);
      if (!stillAsks(clearGalleryScreen(gallery), h)) return askedAgain(to('media:{cid}:clear', { cid }));
      await data.clear(userId, cid);
      return { open: galleryOf(cid), notice: mediaNotices.cleared };
    }),
    asking('media:{cid}:upload', {
      page: ({ cid }, { userId }) => shown(userId, cid, uploadScreen),
      wants: ['photo', 'file', 'album'],
      back: ({ cid }) => uploadDone(cid),
      async take({ cid }, input, { userId }) {
        const added = await data.add(userId, cid, photosIn(input), input.caption);
        // More may follow: the page goes on asking.
        return { open: to('media:{cid}:upload', { cid }), notice: addedNotice(added) };
      },
    }),
  ];

  async function shown(
    userId: number,
    cid: number,
    show: (gallery: Gallery) => Screen | Promise<Screen>,
  ): Promise<RouteAnswer> {
    const gallery = await data.read(userId, cid);
    return gallery ? { show: await show(gallery) } : missing(projectList);
  }
}

function photosIn(input: Extract<Input, { kind: 'photo' | 'file' | 'album' }>): SentPhoto[] {
  if (input.kind === 'photo') return [input.photo];
  if (input.kind === 'file') return [input.file];
  return input.items.map((item) => (item.kind === 'photo' ? item.photo : item.file));
}
