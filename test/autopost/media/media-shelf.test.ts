import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { makeMediaShelf } from '../../../src/autopost/media/media-shelf.ts';
import { MediaUnavailable } from '../../../src/autopost/media/media-unavailable.ts';
import type { MediaOrigin } from '../../../src/autopost/store/media.ts';
import { createGuardedFetch } from '../../../src/clients/http/guarded-fetch.ts';
import { listen } from '../../../src/http/server.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  return `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
}

const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
const serving = (bytes: Uint8Array | string) => serve((_, response) => response.end(bytes));

function aShelf({ allowPrivate = true, timeoutMs = 5_000 } = {}) {
  const kept = new Map<string, Buffer>();
  const origins = new Map<string, MediaOrigin>();
  const shelf = makeMediaShelf({
    files: {
      save: async (path, bytes) => void kept.set(path, Buffer.from(bytes)),
      read: async (path) => kept.get(path) ?? null,
      remove: async (paths) => {
        for (const path of paths) kept.delete(path);
      },
    },
    fetch: createGuardedFetch({ allowPrivate }),
    media: { saveOrigin: async (_, origin) => void origins.set(origin.blobRef, origin) },
    mostBytes: { image: 100, video: 200, audio: 200, file: 200 },
    timeoutMs,
  });
  const addressOf = (blobRef: string) => origins.get(blobRef)?.originUrl ?? '';
  return { shelf, kept, origins, addressOf };
}

describe('the shelf', () => {
  it('keeps a file, says what it is, and gives it back under the name it had', async () => {
    const { shelf, kept, addressOf } = aShelf();
    const file = await shelf.keep('flowers', `${await serving('%PDF-1.7 prices')}/Прайс%20лист.pdf`, 'file');
    expect(file).toMatchObject({ contentType: 'application/pdf', sizeBytes: 15 });
    expect([...kept.keys()]).toEqual([`autopost/flowers/${file.blobRef}.pdf`]);
    expect(addressOf(file.blobRef)).toMatch(/^shelf:autopost\/flowers\//u);
    const read = await shelf.read(addressOf(file.blobRef));
    expect(read).toMatchObject({ fileName: 'Прайс лист.pdf', contentType: 'application/pdf' });
    expect(Buffer.from(read?.bytes ?? []).toString()).toBe('%PDF-1.7 prices');
  });

  it('keeps the same bytes of two addresses once, and under one reference', async () => {
    const { shelf, kept, origins } = aShelf();
    const base = await serving(png);
    const one = await shelf.keep('w', `${base}/a.png`, 'image');
    expect(await shelf.keep('w', `${base}/b.jpg?size=2`, 'image')).toEqual(one);
    expect([kept.size, origins.size]).toEqual([1, 1]);
  });

  it('tells the same picture sent as a picture from the one sent as a file', async () => {
    const { shelf, kept } = aShelf();
    const base = await serving(png);
    const { blobRef } = await shelf.keep('w', `${base}/a.png`, 'image');
    expect((await shelf.keep('w', `${base}/a.png`, 'file')).blobRef).not.toBe(blobRef);
    expect(kept.size).toBe(2);
  });

  it('has nothing any more where a file was removed', async () => {
    const { shelf, addressOf } = aShelf();
    const { blobRef } = await shelf.keep('w', `${await serving(png)}/a.png`, 'image');
    await shelf.remove(addressOf(blobRef));
    expect(await shelf.read(addressOf(blobRef))).toBeNull();
  });

  it('gives a workspace with any name a folder of its own', async () => {
    const { shelf, kept } = aShelf();
    const base = await serving(png);
    for (const workspace of ['Окна Плюс', '../other', 'a/b'])
      await shelf.keep(workspace, `${base}/a.png`, 'image');
    expect([...kept.keys()]).toHaveLength(3);
    for (const path of kept.keys())
      expect(path).toMatch(/^autopost\/[0-9a-f]{32}\/image-[0-9a-f]{64}\.png$/u);
  });
});

describe('a file that cannot be had', () => {
  const fault = async (base: string, type: 'image' | 'video' | 'file' = 'image', shelf = aShelf()) => {
    const error = await shelf.shelf.keep('w', `${base}/a`, type).catch((thrown: unknown) => thrown);
    expect(shelf.kept.size).toBe(0);
    if (!(error instanceof MediaUnavailable)) throw error;
    return [error.fault, error.retryable];
  };

  it.each([404, 403, 410])('is not asked for again after %i', async (status) => {
    const base = await serve((_, response) => response.writeHead(status).end('no'));
    expect(await fault(base)).toEqual(['not-found', false]);
  });

  it.each([500, 503, 429])('may be asked for again after %i', async (status) => {
    const base = await serve((_, response) => response.writeHead(status).end('busy'));
    expect(await fault(base)).toEqual(['no-answer', true]);
  });

  it('may be asked for again after a broken connection or silence', async () => {
    const broken = await serve((_, response) =>
      response.writeHead(200, { 'content-length': 50 }).write('x', () => response.destroy()),
    );
    expect(await fault(broken)).toEqual(['no-answer', true]);
    const silent = await serve(() => {});
    expect(await fault(silent, 'image', aShelf({ timeoutMs: 30 }))).toEqual(['no-answer', true]);
  });

  it('is refused on a private address, when it is too large, empty, or something else than was said', async () => {
    expect(await fault(await serving(png), 'image', aShelf({ allowPrivate: false }))).toEqual([
      'refused-address',
      false,
    ]);
    expect(await fault(await serving(Buffer.concat([png, Buffer.alloc(100)])))).toEqual(['too-large', false]);
    expect(await fault(await serving(''))).toEqual(['empty', false]);
    expect(await fault(await serving(png), 'video')).toEqual(['wrong-type', false]);
  });

  it.each(['image', 'file'] as const)(
    'is refused when a page comes where a %s was promised',
    async (type) => {
      expect(await fault(await serving('\ufeff<!DOCTYPE html><title>Войдите</title>'), type)).toEqual([
        'a-page',
        false,
      ]);
    },
  );
});
