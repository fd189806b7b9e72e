import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import type { KeyValueStore } from '../../src/engine/key-value-store.ts';
import type { SessionStore } from '../../src/engine/session-store.ts';
import { type Database, openDatabase, type Sql } from '../../src/store/database.ts';
import { createMemoryKeyValueStore } from '../../src/store/key-value-memory.ts';
import { createPostgresKeyValueStore } from '../../src/store/key-value-postgres.ts';
import { createRedisKeyValueStore } from '../../src/store/key-value-redis.ts';
import { openRedis, type RedisClient } from '../../src/store/redis.ts';
import { createMemorySessionStore } from '../../src/store/session-store-memory.ts';
import { createPostgresSessionStore } from '../../src/store/session-store-postgres.ts';
import { createRedisSessionStore } from '../../src/store/session-store-redis.ts';
import { startRedisCluster } from './redis-cluster.ts';

export type DatabaseKind = 'PGlite' | 'PostgreSQL';
/** The quick suite takes the faster of the two. */
export const databaseKinds: DatabaseKind[] = !inject('postgresUrl')
  ? ['PGlite']
  : process.env.QUICK
    ? ['PostgreSQL']
    : ['PGlite', 'PostgreSQL'];

/** A database of its own, with the schema applied. */
export const freshDatabase = (kind: DatabaseKind) => (kind === 'PGlite' ? freshPglite() : freshPostgres());

async function freshPglite(): Promise<Database> {
  const dataDir = await freshDataDir();
  const database = await openDatabase({ dataDir });
  return { ...database, close };

  async function close() {
    await database.close();
    await rm(dataDir, { recursive: true });
  }
}

/** A data directory of PGlite, for tests that open it themselves. */
export async function freshDataDir() {
  const dataDir = await mkdtemp(join(inject('scratchDir'), 'pglite-'));
  await fillDataDir(dataDir);
  return dataDir;
}

/** By the system's own command: with a thousand small files `cp` of node:fs computes for more than a second. */
export async function fillDataDir(dataDir: string): Promise<void> {
  await promisify(execFile)('cp', ['-R', `${inject('pgliteTemplate')}/.`, dataDir]);
}

async function freshPostgres(): Promise<Database> {
  return openDatabase({ url: await freshPostgresUrl(), dataDir: '' });
}

/** The address of a new database, for tests that open it themselves; `template1` is an empty one. */
export async function freshPostgresUrl(template: 'template' | 'template1' = 'template') {
  const url = new URL(inject('postgresUrl') ?? 'postgres://none');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  url.pathname = '/postgres';
  const server = await openDatabase({ url: url.href, dataDir: '', max: 1 });
  await server.sql`create database ${server.sql(name)} template ${server.sql(template)}`;
  await server.close();
  url.pathname = `/${name}`;
  return url.href;
}

/** A connection and a prefix of its own; the keys go when it is closed. */
export async function freshRedis() {
  const redis = await openRedis(inject('redisUrl') ?? 'redis://none', (error) => {
    throw error;
  });
  if (!(redis instanceof Redis)) throw new Error('REDIS_URL of the tests names one server');
  const server = redis;
  const prefix = `test-${randomUUID()}`;
  return { redis: server, prefix, close };

  async function close() {
    for await (const keys of server.scanStream({ match: `${prefix}:*` })) {
      if (keys.length > 0) await redis.del(...keys);
    }
    redis.disconnect();
  }
}

/** Runs a suite on every database; `sql()` is there from the first test on. */
export function forEachDatabase(suite: (sql: () => Sql, kind: DatabaseKind) => void) {
  describe.each(databaseKinds)('on %s', (kind) => {
    const opened = opening(() => freshDatabase(kind));
    suite(() => opened().sql, kind);
  });
}

type Opened<Store> = { store: Store; close(): Promise<void> };

export const forEachSessionStore = (suite: (store: () => SessionStore) => void) =>
  forEachStore<SessionStore>(suite, {
    memory: () => createMemorySessionStore(),
    database: (sql) => createPostgresSessionStore(sql),
    redis: (redis, prefix) => createRedisSessionStore(redis, { prefix }),
  });

export const forEachKeyValueStore = (suite: (store: () => KeyValueStore) => void) =>
  forEachStore<KeyValueStore>(suite, {
    memory: () => createMemoryKeyValueStore(),
    database: (sql) => createPostgresKeyValueStore(sql),
    redis: (redis, prefix) => createRedisKeyValueStore(redis, { prefix }),
  });

type Makers<Store> = {
  memory(): Store;
  database(sql: Sql): Store;
  redis(redis: RedisClient, prefix: string): Store;
};

function forEachStore<Store>(suite: (store: () => Store) => void, make: Makers<Store>) {
  run('in memory', async () => ({ store: make.memory(), close: async () => {} }));
  for (const kind of databaseKinds) {
    run(`on ${kind}`, async () => {
      const { sql, close } = await freshDatabase(kind);
      return { store: make.database(sql), close };
    });
  }
  if (inject('redisUrl')) {
    run('on Redis', async () => {
      const { redis, prefix, close } = await freshRedis();
      return { store: make.redis(redis, prefix), close };
    });
    run('on a Redis Cluster of three', async () => {
      const cluster = await startRedisCluster();
      const redis = await openRedis(cluster.urls, () => undefined);
      const close = async () => {
        redis.disconnect();
        await cluster.close();
      };
      return { store: make.redis(redis, 'test'), close };
    });
  }

  // Side by side: much of these suites is waiting for something to expire.
  function run(name: string, open: () => Promise<Opened<Store>>) {
    // All are open before the first test: the embedded database computes for seconds when it starts, and a Redis client
    // that has asked something meanwhile finds no time to read the answer and gives its connection up.
    const opened = opening(open);
    describe.concurrent(name, () => suite(() => opened().store));
  }
}

/** Opens before the suite's tests, closes behind them. */
export function opening<Resource extends { close(): Promise<unknown> }>(open: () => Promise<Resource>) {
  let resource: Resource | undefined;
  beforeAll(async () => {
    resource = await open();
  });
  afterAll(() => resource?.close());
  return () => {
    if (!resource) throw new Error('used before the first test');
    return resource;
  };
}
