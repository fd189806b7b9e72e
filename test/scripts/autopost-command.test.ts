import { execFile } from 'node:child_process';
import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { commandSocket } from '../../src/http/command-socket.ts';
import { createLog } from '../../src/log.ts';
import { serveSubcommands } from '../../src/scripts/autopost/serve-subcommands.ts';
import { openDatabase, type Sql } from '../../src/store/database.ts';
import { keyFile } from '../../src/store/key-file.ts';
import { createSealing } from '../../src/store/sealing.ts';
import { freshDataDir, freshPostgresUrl } from '../support/stores.ts';
import { places } from './operate.ts';

type Ended = { code: number; out: string; err: string };

/** The command as people run it: a process of its own. */
function autopost(env: Record<string, string>, args: readonly string[], input = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const settings = { PATH: process.env.PATH, ...env };
    const child = execFile(
      process.execPath,
      ['--import', 'tsx', 'src/scripts/autopost.ts', ...args],
      { env: settings },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
    child.stdin?.end(input);
  });
}

const addDemo = ['add-workspace', '--id', 'w1', '--name', 'Demo'];

// Starting a process and an embedded database takes seconds, and many of them on a busy machine.
describe('the command', { timeout: 120_000 }, () => {
  it.runIf(inject('postgresUrl'))('works on the server of DATABASE_URL', async () => {
    const dataDir = await mkdtemp(join(inject('scratchDir'), 'keys-'));
    const env = { DATABASE_URL: await freshPostgresUrl(), DATA_DIR: dataDir };
    expect(await autopost(env, [...addDemo, '--json'])).toMatchObject({ code: 0, err: '' });
    const database = await openDatabase({ url: env.DATABASE_URL, dataDir: '' });
    const rows = await database.sql`select workspace_id, name from workspaces`;
    await database.close();
    expect(rows).toEqual([{ workspace_id: 'w1', name: 'Demo' }]);
  });

  it('works on the embedded database, and reads a token from its input', async () => {
    const dataDir = await freshDataDir();
    await onDatabase(
      dataDir,
      (sql) => sql`insert into workspaces (workspace_id, name) values ('w1', 'Demo')`,
    );
    const channel = ['--workspace', 'w1', '--id', 'c1', '--platform', 'telegram', '--target', '-1001'];
    const line = ['add-channel', ...channel, '--token', '-'];
    const added = await autopost({ DATA_DIR: dataDir }, line, '77:typed-where-nobody-looks\n');
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(added.out).not.toContain('typed-where-nobody-looks');
    const rows = await onDatabase(
      dataDir,
      (sql) => sql`select c.target_id, b.secret_ref from channels c
        join credential_bindings b on b.workspace_id = c.workspace_id and b.auth_ref = c.auth_ref`,
    );
    expect(rows).toEqual([{ target_id: '-1001', secret_ref: expect.not.stringContaining('typed') }]);
  });

  it('works in the bot that has the embedded database open, through a socket of its owner alone', async () => {
    const dataDir = await freshDataDir();
    await writeFile(commandSocket(dataDir), 'left by a process that died');
    const database = await openDatabase({ dataDir });
    const sealing = createSealing([await keyFile(dataDir)]);
    let changes = 0;
    const onChanged = () => void changes++;
    const log = createLog('silent');
    const socket = await serveSubcommands({
      ...{ dataDir, sql: database.sql, sealing, places, onChanged, log },
    });
    const mode = (await stat(commandSocket(dataDir))).mode & 0o777;
    const [added, missing] = await Promise.all([
      autopost({ DATA_DIR: dataDir }, [...addDemo, '--json']),
      autopost({ DATA_DIR: dataDir }, ['channels', '--workspace', 'w2']),
    ]);
    await socket.close();
    await database.close();
    expect(mode).toBe(0o600);
    expect(JSON.parse(added.out)).toEqual({ id: 'w1', name: 'Demo', status: 'active' });
    expect(missing).toEqual({ code: 1, out: '', err: 'No workspace "w2".\n' });
    expect(changes).toBe(1);
    await expect(stat(commandSocket(dataDir))).rejects.toThrow('ENOENT');
  });

  it('says in a line that the database does not answer', async () => {
    const env = { DATABASE_URL: 'postgres://u:p@127.0.0.1:9/x' };
    const { code, err } = await autopost(env, ['workspaces']);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^The database at DATABASE_URL does not answer: .*\n$/u),
    ]);
  });

  it('says what is wrong with its arguments and how to use it, and ends with 2', async () => {
    const { code, err } = await autopost({}, ['pause', '--workspace', 'w1', '--minutes', 'many']);
    expect(code).toBe(2);
    expect(err).toContain('--channel: is missing');
    expect(err).toContain('--minutes: ');
    expect(err).toContain('npm run autopost -- pause --workspace id --channel id [--minutes 60]');
  });
});

async function onDatabase<Rows>(dataDir: string, work: (sql: Sql) => Promise<Rows>): Promise<Rows> {
  const database = await openDatabase({ dataDir });
  try {
    return await work(database.sql);
  } finally {
    await database.close();
  }
}
