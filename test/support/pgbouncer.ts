import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../crash/free-port.ts';

const PATIENCE_MS = 20_000;

/** A transaction pooler in front of PostgreSQL: two server connections for all clients. */
export async function startPgBouncer(postgresUrl: string) {
  const { hostname, port: serverPort, username, password } = new URL(postgresUrl);
  const directory = await mkdtemp(join(tmpdir(), 'seo-master-pgbouncer-'));
  await chmod(directory, 0o755); // it refuses to run as root, and reads its settings as somebody else
  const port = await freePort();
  const settings = join(directory, 'pgbouncer.ini');
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 200
`,
  );
  const asAnother = userInfo().uid === 0 ? ['-u', 'nobody'] : [];
  const server = spawn('pgbouncer', [...asAnother, settings], { stdio: 'ignore' });
  const failed = once(server, 'error').then(([error]) => Promise.reject(error));
  await Promise.race([untilListening(port), failed]);
  const url = new URL(postgresUrl);
  url.port = String(port);
  return { url: url.href, close };

  async function close(): Promise<void> {
    server.kill('SIGKILL');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    await rm(directory, { recursive: true });
  }
}

async function untilListening(port: number): Promise<void> {
  for (const began = Date.now(); Date.now() - began < PATIENCE_MS; await delay(50)) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isThere) return;
  }
  throw new Error('PgBouncer did not start');
}
