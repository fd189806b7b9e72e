import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { isDatabaseAway } from '../../src/store/database-away.ts';
import { freePort } from '../crash/free-port.ts';
import { freshPostgresUrl } from '../support/stores.ts';

async function errorOf(question: Promise<unknown>): Promise<unknown> {
  return question.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
}

describe('a database that is away', () => {
  it('is known by its refusal, which a supplier’s is not', async () => {
    const port = await freePort();
    const { sql, close } = await openDatabase({
      url: `postgres://u@127.0.0.1:${port}/d`,
      dataDir: '',
      max: 1,
    });
    onTestFinished(close);
    expect(isDatabaseAway(await errorOf(sql`select 1`))).toBe(true);
    const supplier = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(isDatabaseAway(supplier)).toBe(false);
  });

  it('is not a site’s connection that was removed, though their codes sound alike', () => {
    expect(isDatabaseAway(Object.assign(new Error('removed'), { code: 'CONNECTION_GONE' }))).toBe(false);
  });

  it.skipIf(!inject('postgresUrl'))('is known by its silence and by its end (needs PostgreSQL)', async () => {
    const url = await freshPostgresUrl();
    const { sql, close } = await openDatabase({ url, dataDir: '', max: 1, silenceMs: 200 });
    onTestFinished(close);
    expect(isDatabaseAway(await errorOf(sql`select pg_sleep(5)`))).toBe(true);
    expect(isDatabaseAway(await errorOf(sql`select pg_terminate_backend(pg_backend_pid())`))).toBe(true);
    expect(isDatabaseAway(await errorOf(sql`select 1 / 0`))).toBe(false);
  });
});
