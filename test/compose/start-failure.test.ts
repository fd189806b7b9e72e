import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { startFailure } from '../../src/compose/start-failure.ts';
import { openDatabase } from '../../src/store/database.ts';
import { applySchema } from '../../src/store/schema.ts';
import { freePort } from '../crash/free-port.ts';

it('a database that is not there is named together with the setting that leads to it', async () => {
  const port = await freePort();
  const { sql, close } = await openDatabase({ url: `postgres://u@127.0.0.1:${port}/d`, dataDir: '', max: 1 });
  onTestFinished(close);
  const error: unknown = await applySchema(sql).catch((thrown: unknown) => thrown);
  expect(startFailure(error)).toBe(
    `The database at DATABASE_URL does not answer: connect ECONNREFUSED 127.0.0.1:${port}`,
  );
});

it.runIf(inject('postgresUrl'))(
  'a database that does not let the bot in is named as well, and no password with it',
  async () => {
    const url = new URL(inject('postgresUrl')!);
    url.pathname = '/no-such-database';
    const { sql, close } = await openDatabase({ url: url.href, dataDir: '', max: 1 });
    onTestFinished(close);
    const error: unknown = await applySchema(sql).catch((thrown: unknown) => thrown);
    expect(startFailure(error)).toBe(
      'The database at DATABASE_URL does not let us in: database "no-such-database" does not exist',
    );
  },
);

it('a data directory that cannot be made is named together with its setting', async () => {
  const dataDir = join(inject('scratchDir'), 'a-file');
  await writeFile(dataDir, '');
  const error: unknown = await openDatabase({ dataDir: join(dataDir, 'data') }).catch((thrown) => thrown);
  expect(startFailure(error)).toBe(
    `DATA_DIR must be a folder that the bot may write to: ENOTDIR: not a directory, mkdir '${dataDir}/data'`,
  );
});

it('an unexpected error is told whole', () => {
  const error = new TypeError('x is not a function');
  expect(startFailure(error)).toBe(error);
});
