import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { applySchema } from '../../src/store/schema.ts';
import { aPostOffice, until } from '../autopost/queue/a-post-office.ts';
import { patience } from '../support/patience.ts';
import { freshDatabase, freshPostgresUrl } from '../support/stores.ts';
import { startOwnPostgres } from './throwaway-servers.ts';

describe.skipIf(!inject('postgresUrl'))('a dispatcher whose database goes away (needs PostgreSQL)', () => {
  it('keeps what was sent in mind while PostgreSQL is restarted, and writes it down then', {
    timeout: patience(90_000),
  }, async () => {
    const postgres = await startOwnPostgres();
    onTestFinished(postgres.close);
    const database = await openDatabase({ url: postgres.url, dataDir: '' });
    onTestFinished(database.close);
    await applySchema(database.sql);
    const office = await aPostOffice(database);
    const chats: number[] = [];
    for (let i = 0; i < 12; i++) chats.push(await office.telegramChannel(`t${i}`));
    office.telegram.faults.add({ match: 'sendMessage', times: 4, fault: { kind: 'slow', ms: 3_000 } });
    await office.post('В самый разгар');
    await office.startDispatcher({ concurrency: 4 });
    await until(() => office.telegram.faults.list().length === 0); // all four calls have reached Telegram

    await postgres.end();
    await until(() => chats.filter((chat) => office.textsIn(chat).length === 1).length >= 4);
    await postgres.startAgain();

    expect(await office.settled()).toEqual({ sent: 12 });
    for (const chat of chats) expect(office.textsIn(chat)).toEqual(['В самый разгар']);
    await office.post('И дальше');
    expect(await office.settled()).toEqual({ sent: 24 });
  });

  it('gives up a connection whose other end is gone', {
    timeout: patience(90_000),
  }, async () => {
    const url = new URL(await freshPostgresUrl());
    const wire = await cuttableWire(Number(url.port));
    url.port = String(wire.port);
    const database = await openDatabase({ url: url.href, dataDir: '', silenceMs: 500 });
    onTestFinished(database.close);
    const office = await aPostOffice(database);
    const chat = await office.telegramChannel('t1');
    await office.startDispatcher();
    await office.post('До');
    await office.settled();

    wire.fallSilent();
    const posted = office.post('После'); // into a connection that answers nobody
    await expect(posted).rejects.toThrow();
    wire.comeBack();
    await office.post('После');
    expect(await office.settled()).toEqual({ sent: 2 });
    expect(office.textsIn(chat)).toEqual(['До', 'После']);
  });

  it('hears again of what is enqueued after its listening connection was lost', async () => {
    const database = await freshDatabase('PostgreSQL');
    onTestFinished(database.close);
    const office = await aPostOffice(database);
    const chat = await office.telegramChannel('t1');
    await office.startDispatcher({ pollMs: 600_000 });
    await office.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`;
    await office.post('Пока никто не слушал');
    await until(() => office.textsIn(chat).length === 1);
    await sleep(200);
    await office.post('Снова на связи');
    expect(await office.settled()).toEqual({ sent: 2 });
  });
});

/** Between the driver and the server. Fallen silent, it keeps the old connections open and carries nothing any more. */
async function cuttableWire(to: number) {
  const open = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    hold(near);
    if (isSilent) return;
    const far = hold(connect(to, '127.0.0.1'));
    near.pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, fallSilent, comeBack };

  function hold(socket: Socket): Socket {
    open.add(socket);
    return socket.on('error', () => undefined).on('close', () => open.delete(socket));
  }

  function fallSilent(): void {
    isSilent = true;
    for (const socket of open) socket.unpipe().pause();
  }

  function comeBack(): void {
    isSilent = false;
  }
}
