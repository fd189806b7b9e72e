import type { Server } from 'node:http';
import sharp from 'sharp';
import { afterEach, expect, it } from 'vitest';
import { picturesHandler } from '../../src/http/pictures.ts';
import { closeServer, createHttpServer, listen } from '../../src/http/server.ts';

let server: Server;
afterEach(() => closeServer(server));

const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#fff' } })
  .png()
  .toBuffer();
const files = new Map([
  ['7/1/picture.webp', png],
  ['7/1/page.webp', Buffer.from('<script>alert(1)</script>')],
]);

async function serve() {
  const verify = (_path: string, expires: string, signature: string) =>
    expires === '1000' && signature === 'right';
  const handler = picturesHandler({ verify, read: async (path) => files.get(path) ?? null }, () => 400_000);
  server = createHttpServer([handler], () => undefined);
  return `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
}
const signed = '?expires=1000&signature=right';

it('serves a picture as what it is, for as long as its address lives', async () => {
  const response = await fetch(`${await serve()}/pictures/7/1/picture.webp${signed}`);
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(response.headers.get('cache-control')).toBe('private, max-age=600, immutable');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
});

it('tells the size without the picture', async () => {
  const response = await fetch(`${await serve()}/pictures/7/1/picture.webp${signed}`, { method: 'HEAD' });
  expect(response.headers.get('content-length')).toBe(String(png.length));
  expect(await response.text()).toBe('');
});

it.each([
  ['without a signature', 403, '/pictures/7/1/picture.webp', 'GET'],
  ['that is not there', 404, `/pictures/7/1/none.webp${signed}`, 'GET'],
  ['that is no picture', 404, `/pictures/7/1/page.webp${signed}`, 'GET'],
  ['to be written', 405, `/pictures/7/1/picture.webp${signed}`, 'PUT'],
  ['of another door', 404, `/photos/7/1/picture.webp${signed}`, 'GET'],
])('refuses one %s', async (_, status, path, method) => {
  expect((await fetch((await serve()) + path, { method })).status).toBe(status);
});
