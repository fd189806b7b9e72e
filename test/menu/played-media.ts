import type { MediaData } from '../../src/menu/media.ts';

/** Ten photos of one category. */
export const playedMedia = (isThere: (userId: number, categoryId: number) => boolean): MediaData => ({
  read: async (userId, categoryId) =>
    isThere(userId, categoryId)
      ? {
          categoryId,
          categoryName: 'Свадебные букеты',
          photos: Array.from({ length: 10 }, (_, i) => ({
            path: `media/7/9/${i}.jpg`,
            caption: i === 0 ? 'Букет <невесты>' : '',
          })),
        }
      : null,
  bytesOf: async () => null,
  add: async () => ({ added: 1, known: 0, refused: [], photos: 11 }),
  remove: async (userId, categoryId) => isThere(userId, categoryId),
  clear: async (userId, categoryId) => isThere(userId, categoryId),
});
