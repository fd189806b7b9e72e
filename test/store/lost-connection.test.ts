import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { freshPostgresUrl } from '../support/stores.ts';

/**
 * Cut behind the nth message of the server, from its first word over the driver's own question about array types
 * to the last rows of the answer.
 */
const places = [
  1, 2, 8, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 40, 100, 300, 400, 600, 700, 1000, 1400,
];

describe.skipIf(!inject('postgresUrl'))('a connection that is lost (needs PostgreSQL)', () => {
  it.each([
    { way: 'without a word', lastWords: Buffer.alloc(0) },
    { way: 'because the server is shut down', lastWords: fatal('57P01', 'terminating connection') },
  ])('$way, at any point, harms no later question', { timeout: 60_000 }, async ({ lastWords }) => {
    const url = new URL(await freshPostgresUrl());
    await Promise.all(places.map(loseAt));

    async function loseAt(place: number): Promise<void> {
      const wire = await fragileWire(Number(url.port), lastWords);
      const through = new URL(url);
      through.port = String(wire.port);
      const { sql, close } = await openDatabase({ url: through.href, dataDir: '', max: 1 });
      const numbers = () =>
        sql<{ n: number }[]>`select n from generate_series(1, 1000) n where n <> ${place}`;
      const expected = [...Array(1000).keys()].map((n) => ({ n: n + 1 })).filter(({ n }) => n !== place);

      wire.cutBehind(place);
      const outcomes = [await numbers().catch(() => 'lost')]; // may not have come so far: then the answer is whole
      await wire.refuse();
      outcomes.push(await numbers().catch(() => 'lost'));
      await wire.comeBack();
      while (outcomes.length < 8) outcomes.push(await numbers().catch(() => 'lost'));

      for (const outcome of outcomes) if (outcome !== 'lost') expect([...outcome]).toEqual(expected);
      expect(outcomes.slice(2)).not.toContain('lost');
      await close();
    }
  });
});

function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeUInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}

/** Between the driver and the server: carries so many of the server's messages, says its last words, and breaks once. */
async function fragileWire(to: number, lastWords: Buffer) {
  const open = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  const server = createServer((near) => {
    const far = hold(connect(to, '127.0.0.1'));
    hold(near).pipe(far);
    let heard = Buffer.alloc(0);
    far.on('data', (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      let end = 0;
      while (left > 0 && end + 5 <= heard.length && end + 1 + heard.readUInt32BE(end + 1) <= heard.length) {
        end += 1 + heard.readUInt32BE(end + 1);
        left--;
      }
      near.write(heard.subarray(0, end));
      heard = heard.subarray(end);
      if (left > 0) return;
      left = Number.POSITIVE_INFINITY;
      near.end(lastWords);
      far.destroy();
    });
    near.once('close', () => far.destroy());
    far.once('close', () => near.end());
  });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => void server.close());
  return { port, cutBehind, refuse, comeBack };

  function cutBehind(messages: number): void {
    left = messages;
  }

  async function refuse(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  }

  /** Whole from now on, also where the answers were too short for the cut. */
  function comeBack(): Promise<void> {
    left = Number.POSITIVE_INFINITY;
    return listen(port);
  }

  async function listen(at: number): Promise<void> {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  }

  function hold(socket: Socket): Socket {
    open.add(socket);
    return socket.on('error', () => undefined).on('close', () => open.delete(socket));
  }
}
