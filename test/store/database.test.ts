import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { DataDirInUse, lockDataDir } from '../../src/store/data-dir-lock.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openRedis } from '../../src/store/redis.ts';
import { createRedisSessionStore } from '../../src/store/session-store-redis.ts';
import { sweepExpired } from '../../src/store/sweep-expired.ts';
import { startOwnRedis } from '../crash/throwaway-servers.ts';
import { forEachDatabase, freshDataDir, freshPostgresUrl } from '../support/stores.ts';

const DAY_SECONDS = 86_400;

function startWriter(dataDir: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/store/write-until-killed.ts', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, lines: createInterface({ input: child.stdout }) };
}

describe('the embedded database', () => {
  it('loses nothing that was committed when its process is killed, time and again', async () => {
    const dataDir = await freshDataDir();
    let committed = 0;
    for (let round = 0; round < 2; round++) {
      const { child, lines } = startWriter(dataDir);
      const until = committed + 50;
      lines.on('line', (line) => {
        committed = Number(line);
        if (committed >= until) child.kill('SIGKILL');
      });
      await Promise.all([once(child, 'exit'), once(lines, 'close')]);
      expect(committed).toBeGreaterThanOrEqual(until);

      const database = await openDatabase({ dataDir });
      const [row] = await database.sql<[{ values: number; operations: number; last: number }]>`
        select (select count(*) from key_values) as values, (select count(*) from operations) as operations,
          (select max(key::integer) from key_values) as last`;
      await database.close();
      expect(row.values).toBeGreaterThanOrEqual(committed);
      expect(row).toEqual({ values: row.last, operations: row.last, last: row.last });
    }
  }, 120_000);

  it('refuses a second process on its data, and says whose they are', async () => {
    const dataDir = await freshDataDir();
    const { child, lines } = startWriter(dataDir);
    await once(lines, 'line');
    const opening = openDatabase({ dataDir });
    await expect(opening).rejects.toThrow(DataDirInUse);
    await expect(opening).rejects.toThrow(`pid ${child.pid}`);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    const database = await openDatabase({ dataDir });
    await database.close();
    expect(existsSync(join(dataDir, 'pg.lock'))).toBe(false);
  });

  it('refuses to be opened twice by one process', async () => {
    const dataDir = await freshDataDir();
    const database = await openDatabase({ dataDir });
    await expect(openDatabase({ dataDir })).rejects.toThrow(DataDirInUse);
    await database.close();
  });

  it('takes over the lock of a dead process whose id another one has now, and one cut off in the middle', async () => {
    const lock = join(await freshDataDir(), 'pg.lock');
    const unlock = lockDataDir(lock);
    const content = JSON.parse(await readFile(lock, 'utf8'));
    unlock();
    for (const left of [JSON.stringify({ ...content, born: 'at another time' }), '{"pid": 1', '']) {
      await writeFile(lock, left);
      lockDataDir(lock)();
    }
  });

  it('lets many transactions take turns on its one connection', async () => {
    const dataDir = await freshDataDir();
    const { sql, embedded, close } = await openDatabase({ dataDir });
    expect(embedded).toBe(true);
    await sql`insert into key_values values ('counter', '0', 'infinity')`;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        sql.begin(async (tx) => {
          const [row] = await tx`select value::integer as value from key_values where key = 'counter'`;
          await tx`update key_values set value = ${row?.value + 1} where key = 'counter'`;
        }),
      ),
    );
    expect(await sql`select value from key_values where key = 'counter'`).toEqual([{ value: '20' }]);
    await close();
  });
});

describe.runIf(inject('postgresUrl'))('a PostgreSQL server', () => {
  it('is used again by itself after its connections broke', async () => {
    const { sql, embedded, close } = await openDatabase({ url: await freshPostgresUrl(), dataDir: '' });
    expect(embedded).toBe(false);
    await sql`select 1`;
    const killing = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`;
    await expect(killing).rejects.toThrow();
    await vi.waitFor(async () => expect(await sql`select 2 as two`).toEqual([{ two: 2 }]), 10_000);
    await close();
  });
});

describe.runIf(inject('redisUrl'))('a Redis server', () => {
  /** A wire to the real server that can be cut and mended. */
  async function cuttableWire(to = inject('redisUrl') ?? '') {
    let real = new URL(to);
    const sockets = new Set<Socket>();
    let whole = true;
    const wire = createServer((near) => {
      if (!whole) return near.destroy();
      const far = connect(Number(real.port), real.hostname);
      for (const [from, to] of [[near, far] as const, [far, near] as const]) {
        sockets.add(from);
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
      }
    });
    await once(wire.listen(0, '127.0.0.1'), 'listening');
    const address = wire.address();
    const url = `redis://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    return {
      url,
      cut() {
        whole = false;
        for (const socket of sockets) socket.destroy();
      },
      mend() {
        whole = true;
      },
      /** Says nothing more to those who are connected, and does not hang up either. */
      fallSilent() {
        for (const socket of sockets) socket.unpipe().pause();
      },
      /** For connections made from now on. */
      leadTo(other: string) {
        real = new URL(other);
      },
      close: () => wire.close(),
    };
  }

  it('is missed at once and used again by itself', async () => {
    const wire = await cuttableWire();
    const errors: Error[] = [];
    const redis = await openRedis(wire.url, (error) => errors.push(error));
    expect(await redis.ping()).toBe('PONG');
    wire.cut();
    await vi.waitFor(() => expect(redis.ping()).rejects.toThrow(), 10_000);
    const store = createRedisSessionStore(redis, { prefix: 'test-cut' });
    await expect(store.acquire({ userId: 1, ticket: 't', leaseMs: 100 })).rejects.toThrow();
    wire.mend();
    await vi.waitFor(async () => expect(await redis.ping()).toBe('PONG'), 10_000);
    expect(await store.acquire({ userId: 1, ticket: 't', leaseMs: 100 })).toMatchObject({ outcome: 'held' });
    redis.disconnect();
    wire.close();
  });

  it('that has vanished without a word is not waited for on the old connection', async () => {
    const wire = await cuttableWire();
    const redis = await openRedis(wire.url, () => undefined);
    expect(await redis.ping()).toBe('PONG');
    wire.fallSilent();
    await expect(redis.ping()).rejects.toThrow();
    await vi.waitFor(async () => expect(await redis.ping()).toBe('PONG'), 10_000);
    redis.disconnect();
    wire.cut();
    wire.close();
  });

  it('that no longer takes writes after a failover is left for the one that does', async () => {
    const demoted = await startOwnRedis({ durable: false });
    onTestFinished(demoted.close);
    const wire = await cuttableWire(demoted.url);
    const redis = await openRedis(wire.url, () => undefined);
    const store = createRedisSessionStore(redis, { prefix: 'test-failover' });
    await redis.replicaof('127.0.0.1', '1');
    wire.leadTo(inject('redisUrl')!);
    const acquired = () => store.acquire({ userId: 1, ticket: 't', leaseMs: 100 });
    await expect(acquired()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('READONLY') },
    });
    await vi.waitFor(async () => expect(await acquired()).toMatchObject({ outcome: 'held' }), 10_000);
    redis.disconnect();
    wire.close();
  });

  it('may be down at the start', async () => {
    const wire = await cuttableWire();
    wire.cut();
    const errors: Error[] = [];
    const redis = await openRedis(wire.url, (error) => errors.push(error));
    await expect(redis.ping()).rejects.toThrow();
    wire.mend();
    await vi.waitFor(async () => expect(await redis.ping()).toBe('PONG'), 10_000);
    redis.disconnect();
    wire.close();
  });
});

forEachDatabase((sql) => {
  it('is swept of what has expired, and of nothing else', async () => {
    await sql()`insert into key_values values ('old', '', now() - interval '1 s'), ('new', '', now() + interval '1 h')`;
    await sql()`insert into seen_updates values (0, 1, 1, now() - interval '26 h'), (0, 1, 2, now() - interval '24 h')`;
    await sql()`insert into session_waiters values
      (0, 1, 'dead', 1, now() - interval '2 minutes'), (0, 1, 'alive', 1, now())`;
    await sql()`insert into fsm_storage (storage_key, revision, expires_at, lock_until, throttle_until) values
      ('expired', 1, now() - interval '1 s', null, null),
      ('expired and locked', 1, now() - interval '1 s', now() + interval '1 m', null),
      ('expired and counting', 1, now() - interval '1 s', now() - interval '1 s', now() + interval '1 m'),
      ('live', 1, now() + interval '1 h', null, null)`;
    await sweepExpired(sql(), DAY_SECONDS);
    expect(await sql()`select key from key_values`).toEqual([{ key: 'new' }]);
    expect(await sql()`select update_id from seen_updates`).toEqual([{ update_id: 2 }]);
    expect(await sql()`select ticket from session_waiters`).toEqual([{ ticket: 'alive' }]);
    expect(await sql()`select storage_key from fsm_storage order by 1`).toEqual([
      { storage_key: 'expired and counting' },
      { storage_key: 'expired and locked' },
      { storage_key: 'live' },
    ]);
  });

  it('keeps an operation for a month longer than any session may ask for it, and one that goes on for ever', async () => {
    await sql()`
      insert into operations (key, user_id, request_hash, status, lease_until, created_at, updated_at)
      select key, 1, '', status, now() + lease::interval, now() - began::interval, now() - ended::interval
      from (values
        ('done long ago', 'done', null, '32 days', '32 days'),
        ('done', 'done', null, '30 days', '30 days'),
        ('done at last', 'done', null, '32 days', '1 day'),
        ('given up long ago', 'running', null, '32 days', '32 days'),
        ('died long ago', 'running', '-32 days', '32 days', '32 days'),
        ('going on', 'running', '20 seconds', '32 days', '32 days')
      ) as row (key, status, lease, began, ended)`;
    await sweepExpired(sql(), DAY_SECONDS);
    expect((await sql()`select key from operations order by key`).map(({ key }) => key)).toEqual([
      'done',
      'done at last',
      'going on',
    ]);
  });
});
