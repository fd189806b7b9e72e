import { expect, it } from 'vitest';
import { makeCopyPhotos, makeReadReferences } from '../../../src/services/pictures/copy-photos.ts';
import { keptLog } from './kept-log.ts';

const photo = (path: string, caption = '') => ({ path, width: 80, height: 60, caption });

function aStore(files: Record<string, Buffer>) {
  const stored = new Map(Object.entries(files));
  return {
    stored,
    read: async (path: string) => stored.get(path) ?? null,
    save: async (path: string, bytes: Uint8Array) => void stored.set(path, Buffer.from(bytes)),
    signedUrl: async (path: string) => `https://pictures.example/${path}`,
  };
}

it('copies own photos to the draft, so that the gallery keeps them when the draft goes; a lost one is left out', async () => {
  const { log } = keptLog();
  const store = aStore({ 'media/7/9/a.jpg': Buffer.from('a'), 'media/7/9/c.jpg': Buffer.from('c') });
  const copies = await makeCopyPhotos({ store, log })(
    [photo('media/7/9/a.jpg', 'Кухня'), photo('media/7/9/lost.jpg'), photo('media/7/9/c.jpg')],
    { userId: 7, projectId: 5, at: 1_000 },
  );
  expect(copies.map(({ storage_path, ownCaption }) => [storage_path, ownCaption])).toEqual([
    ['7/5/1000_own1.jpg', 'Кухня'],
    ['7/5/1000_own3.jpg', ''],
  ]);
  expect(store.stored.get('7/5/1000_own1.jpg')).toEqual(Buffer.from('a'));
  expect(store.stored.has('media/7/9/a.jpg')).toBe(true);
});

it('shows a model three own photos at most, and none that would be too heavy to send along', async () => {
  const { log } = keptLog();
  const paths = ['a', 'b', 'c', 'd'];
  const store = aStore({
    a: Buffer.from('a'),
    b: Buffer.alloc(800_000),
    c: Buffer.from('c'),
    d: Buffer.from('d'),
  });
  expect(await makeReadReferences({ store, log })(paths.map((path) => photo(path)))).toEqual([
    'data:image/jpeg;base64,YQ==',
    'data:image/jpeg;base64,Yw==',
  ]);
  const broken = { read: () => Promise.reject(new Error('away')) };
  expect(await makeReadReferences({ store: broken, log })([photo('a')])).toEqual([]);
});
