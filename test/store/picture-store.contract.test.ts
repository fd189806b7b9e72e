import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSupabaseStorage } from '../../src/clients/supabase-storage.ts';
import { picturesHandler, type SignedPictures } from '../../src/http/pictures.ts';
import { closeServer, createHttpServer, listen } from '../../src/http/server.ts';
import { startSupabaseStandIn } from '../../src/sandbox/supabase/start.ts';
import type { PictureStore } from '../../src/services/pictures/picture-store.ts';
import { createPictureFolder } from '../../src/store/picture-folder.ts';

type Opened = { store: PictureStore; clock: { now: number }; close(): Promise<void> };

const implementations: Record<string, () => Promise<Opened>> = { folder, supabase };

describe.each(Object.entries(implementations))('pictures in %s', (_, open) => {
  let opened: Opened;
  let picture: Buffer;
  const store = () => opened.store;
  beforeAll(async () => {
    opened = await open();
    picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } })
      .webp()
      .toBuffer();
  });
  afterAll(() => opened.close());

  const somewhere = () => `7/12/${randomUUID()}_1.webp`;
  const saved = async (path = somewhere()) => {
    await store().save(path, picture, 'image/webp');
    return path;
  };

  it('are read as they were saved', async () => {
    expect(await store().read(await saved())).toEqual(picture);
  });

  it('are null where there are none', async () => {
    expect(await store().read(somewhere())).toBeNull();
  });

  it('are replaced by what is saved under the same path', async () => {
    const path = await saved();
    const other = Buffer.concat([picture, Buffer.from('\0')]);
    await store().save(path, other, 'image/webp');
    expect(await store().read(path)).toEqual(other);
  });

  it('are opened by anybody who has a signed address', async () => {
    const response = await fetch(await store().signedUrl(await saved(), 60));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(picture);
  });

  it('are closed when the address expires', async () => {
    const url = await store().signedUrl(await saved(), 60);
    opened.clock.now += 61_500;
    expect((await fetch(url)).status).toBeGreaterThanOrEqual(400);
  });

  it('are closed to an address that was signed for another one', async () => {
    const [mine, foreign] = [await saved(), await saved()];
    const url = await store().signedUrl(mine, 60);
    expect((await fetch(url.replace(mine, foreign))).status).toBeGreaterThanOrEqual(400);
    expect((await fetch(url.split('?')[0]!)).status).toBeGreaterThanOrEqual(400);
  });

  it('go when they are removed, and nothing else does', async () => {
    const [first, second, kept] = [await saved(), await saved(), await saved()];
    await store().remove([first, second, somewhere()]);
    await store().remove([]);
    expect(await store().read(first)).toBeNull();
    expect(await store().read(second)).toBeNull();
    expect(await store().read(kept)).toEqual(picture);
  });

  it('are found by their age, in every folder', async () => {
    const paths = [await saved(), await saved(`8/3/${randomUUID()}_2.webp`)];
    const tomorrow = new Date(Math.max(opened.clock.now, Date.now()) + 86_400_000);
    expect(await store().listOlderThan(tomorrow)).toEqual(expect.arrayContaining(paths));
    expect(await store().listOlderThan(new Date(0))).toEqual([]);
  });
});

async function folder(): Promise<Opened> {
  const clock = { now: Date.now() };
  const root = await mkdtemp(join(tmpdir(), 'pictures-'));
  const key = randomBytes(32);
  // The address is known only when the server listens, and the server needs the folder.
  let pictures: SignedPictures | null = null;
  const server = createHttpServer(
    [(...call) => picturesHandler(pictures!, () => clock.now)(...call)],
    (error) => {
      throw error;
    },
  );
  const baseUrl = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  const store = createPictureFolder({ folder: root, key, baseUrl, clock: () => clock.now });
  pictures = store;
  return { store, clock, close };

  async function close() {
    await closeServer(server);
    await rm(root, { recursive: true });
  }
}

async function supabase(): Promise<Opened> {
  const clock = { now: Date.now() };
  const standIn = await startSupabaseStandIn({ key: 'service-key', clock: () => clock.now });
  const store = createSupabaseStorage({
    baseUrl: standIn.url,
    key: 'service-key',
    bucket: 'content-images',
  });
  return { store, clock, close: standIn.close };
}
