import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { dataDir as emptyCluster } from '@electric-sql/pglite-prepopulatedfs';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import postgres from 'postgres';
import { lockDataDir } from './data-dir-lock.ts';
import { watchedSocket } from './watched-socket.ts';

/** `bigint` columns come as numbers: Telegram's ids fit into 52 bits, and so do our counts. */
type Types = { bigint: number };
export type Sql = postgres.Sql<Types>;
export type TransactionSql = postgres.TransactionSql<Types>;

/** Runs the work in a new transaction, or in the one that is open already. */
export async function inTransaction<Result>(
  on: Sql | TransactionSql,
  work: (tx: TransactionSql) => Promise<Result>,
): Promise<Result> {
  return 'begin' in on ? ((await on.begin(work)) as Result) : work(on);
}
/** A part of another statement; not run by itself. */
export type Statement = postgres.PendingQuery<postgres.Row[]>;

export type Database = {
  sql: Sql;
  /** PGlite in this process: one connection, so code inside a transaction uses only that transaction. */
  embedded: boolean;
  close(): Promise<void>;
};

type ServerOptions = {
  max?: number;
  /** No statement of ours takes as long: a connection that says nothing meanwhile is dead. */
  silenceMs?: number;
};

/** A real PostgreSQL at `url`, or without one PGlite under `dataDir`. */
export function openDatabase({
  url,
  dataDir,
  ...options
}: { url?: string; dataDir: string } & ServerOptions) {
  return url ? openServer(url, options) : openEmbedded(dataDir);
}

async function openServer(url: string, { max = 10, silenceMs = 120_000 }: ServerOptions): Promise<Database> {
  // The driver closes what is idle before its silence could be taken for death.
  const idle_timeout = silenceMs / 2000;
  const watched = { socket: watchedSocket(silenceMs) }; // an option that its types do not know
  const sql = postgres(url, { ...common, max, idle_timeout, ...watched });
  return { sql, embedded: false, close: () => sql.end({ timeout: 5 }) };
}

async function openEmbedded(dataDir: string): Promise<Database> {
  const directory = join(dataDir, 'pg');
  await mkdir(dataDir, { recursive: true });
  const unlock = lockDataDir(join(dataDir, 'pg.lock'));
  try {
    if (!existsSync(directory)) await unpackCluster(directory);
    const pglite = await PGlite.create(directory);
    const server = new PGLiteSocketServer({ db: pglite, host: '127.0.0.1', port: 0 });
    await server.start();
    const [host, port] = server.getServerConn().split(':');
    const sql = postgres({
      ...common,
      host,
      port: Number(port),
      database: 'postgres',
      username: 'postgres',
      max: 1,
      max_lifetime: null, // nothing is gained by renewing a connection to ourselves
    });
    return { sql, embedded: true, close };

    async function close() {
      await sql.end({ timeout: 5 });
      await server.stop();
      await pglite.close();
      unlock();
    }
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Unpacked, an empty cluster is there in half the time that making one takes. Renamed when whole, in case we are killed. */
async function unpackCluster(directory: string): Promise<void> {
  const part = `${directory}.part`;
  await rm(part, { recursive: true, force: true });
  const pglite = await PGlite.create(part, { loadDataDir: await emptyCluster() });
  await pglite.close();
  await rename(part, directory);
}

// `prepare` stays unset, so that `?prepare=false` in the URL switches it off behind a transaction pooler.
const common = {
  types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  // The driver throws at `undefined` in the middle of a message: the answers behind it go to the wrong queries.
  transform: { undefined: null },
  onnotice: () => {}, // "already exists, skipping", a hundred times per start
  connect_timeout: 10,
  // Seconds. The default grows to 20, which a person would notice after the server is back.
  backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 2),
  connection: { application_name: 'seo-master' },
} satisfies postgres.Options<Record<string, postgres.PostgresType>>;
