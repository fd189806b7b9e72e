import type { PictureStore } from '../services/pictures/picture-store.ts';

type PicturesInMemory = PictureStore & {
  /** The picture itself as an address, for a page that must stand alone. */
  asDataUri(url: string): string | null;
};

/** For a run that ends with its command. The addresses lead nowhere until they are replaced. */
export function createPicturesInMemory(): PicturesInMemory {
  const kept = new Map<string, { bytes: Uint8Array; contentType: string }>();
  const addressOf = (path: string) => `https://pictures.invalid/${path}`;
  return {
    save: async (path, bytes, contentType) => void kept.set(path, { bytes, contentType }),
    signedUrl: async (path) => addressOf(path),
    async read(path) {
      const picture = kept.get(path);
      return picture ? Buffer.from(picture.bytes) : null;
    },
    remove: async (paths) => paths.forEach((path) => void kept.delete(path)),
    listOlderThan: async () => [],
    asDataUri(url) {
      const found = [...kept].find(([path]) => addressOf(path) === url);
      if (!found) return null;
      const [, { bytes, contentType }] = found;
      return `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`;
    },
  };
}
