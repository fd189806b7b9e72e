import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { createPostgresKeyValueStore } from '../../src/store/key-value-postgres.ts';
import { createOperations } from '../../src/store/operations.ts';
import { applySchema } from '../../src/store/schema.ts';
import { createPostgresSessionStore } from '../../src/store/session-store-postgres.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { freshPostgresUrl } from '../support/stores.ts';
import { hold, lease, saved, somebody } from './session-steps.ts';

const isInstalled = (): boolean => {
  try {
    return execFileSync('pgbouncer', ['--version']).length > 0;
  } catch {
    return false;
  }
};
// In CI a missing pooler fails instead: the proof must not go away silently.
const canRun = inject('postgresUrl') !== null && (process.env.CI === 'true' || isInstalled());

describe.skipIf(!canRun)('behind a pooler that gives a connection for one transaction', () => {
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
  let database: Database;
  beforeAll(async () => {
    pooler = await startPgBouncer(await freshPostgresUrl());
    database = await openDatabase({ url: `${pooler.url}?prepare=false`, dataDir: '' });
  });
  afterAll(async () => {
    await database?.close();
    await pooler?.close();
  });

  it('the schema is applied, twice', async () => {
    await applySchema(database.sql);
    await applySchema(database.sql);
  });

  it('sessions of fifty people at once are saved and found', async () => {
    const store = createPostgresSessionStore(database.sql);
    const people = Array.from({ length: 50 }, somebody);
    await Promise.all(
      people.map(async (userId) => {
        const held = await saved(store, await hold(store, userId), { attention: [lease(5)], updateId: 1 });
        await store.release(held, {});
      }),
    );
    const due = await store.due({ until: 5, limit: 100, claimUntil: 6 });
    expect(due.toSorted((a, b) => a - b)).toEqual(people);
  });

  it('small values and their counters work', async () => {
    const store = createPostgresKeyValueStore(database.sql);
    const counts = await Promise.all(Array.from({ length: 30 }, () => store.increment('pooled', 1, 60)));
    expect(Math.max(...counts.map(({ count }) => count))).toBe(30);
  });

  it('an operation runs once, though twenty ask for it', async () => {
    const operations = createOperations(database.sql, { pollMs: 10 });
    const call = { key: randomUUID(), userId: 7, request: { topic: 'окна' } };
    let runs = 0;
    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        operations.withStages(call, async (stage) =>
          stage('text', async () => {
            runs += 1;
            return 'written';
          }),
        ),
      ),
    );
    expect([runs, new Set(results)]).toEqual([1, new Set(['written'])]);
  });

  it('a transaction holds together', async () => {
    const operations = createOperations(database.sql);
    const keys = Array.from({ length: 20 }, () => randomUUID());
    await Promise.all(
      keys.map((key, index) =>
        operations.inTransaction({ key, userId: 7, request: {} }, async (tx) => {
          await tx`insert into users (id) values (${9_000_000 + index})`;
          return null;
        }),
      ),
    );
    const [row] = await database.sql`select count(*) as people from users where id >= 9000000`;
    expect(row).toEqual({ people: 20 });
  });
});
