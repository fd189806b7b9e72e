import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../crash/free-port.ts';

const SLOTS = 16_384;
const NODES = 3;
const PATIENCE_MS = 30_000;

/** A real cluster of three primaries on this machine, without replicas. `urls` is what REDIS_URL takes. */
export async function startRedisCluster({ durable = false } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'seo-master-cluster-'));
  const nodes = await Promise.all(
    Array.from({ length: NODES }, (_, index) => startNode(join(directory, `${index}`), durable)),
  );
  let victim = 0;
  try {
    await bringTogether(nodes);
  } catch (error) {
    await close();
    throw error;
  }
  return { urls: nodes.map(({ port }) => `redis://127.0.0.1:${port}`).join(','), end, startAgain, close };

  /** One node after the other is taken away, each time the next; a durable one comes back with its data. */
  async function end(): Promise<void> {
    victim = (victim + 1) % NODES;
    await ended(nodes[victim]!.server);
  }

  async function startAgain(): Promise<void> {
    nodes[victim]!.server = startServer(nodes[victim]!.settings);
  }

  async function close(): Promise<void> {
    await Promise.all(nodes.map(({ server }) => ended(server)));
    await rm(directory, { recursive: true, force: true });
  }
}

type Settings = Readonly<Record<string, string | number>>;
type Node = { port: number; bus: number; settings: Settings; server: ChildProcess };

async function startNode(directory: string, durable: boolean): Promise<Node> {
  await mkdir(directory);
  const [port, bus] = [await freePort(), await freePort()];
  const settings = {
    port,
    'cluster-enabled': 'yes',
    'cluster-port': bus, // the usual one, ten thousand above, may not exist
    'cluster-config-file': join(directory, 'node.conf'),
    bind: '127.0.0.1',
    dir: directory,
    save: '',
    appendonly: durable ? 'yes' : 'no',
    appendfsync: 'always',
  };
  return { port, bus, settings, server: startServer(settings) };
}

const startServer = (settings: Settings): ChildProcess =>
  spawn(
    'redis-server',
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: 'ignore' },
  );

/** What `redis-cli --cluster create` does, without needing it. */
async function bringTogether(nodes: Node[]): Promise<void> {
  const clients = nodes.map(({ port }) => new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null }));
  for (const client of clients) client.on('error', () => undefined); // not up yet
  try {
    const share = Math.ceil(SLOTS / nodes.length);
    for (const [index, client] of clients.entries()) {
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
      const last = Math.min((index + 1) * share, SLOTS) - 1;
      await client.call('CLUSTER', 'ADDSLOTSRANGE', index * share, last);
    }
    for (const { port, bus } of nodes.slice(1))
      await clients[0]!.call('CLUSTER', 'MEET', '127.0.0.1', port, bus);
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await allKnowAll(clients))) {
      if (Date.now() > deadline) throw new Error('the cluster did not come together');
      await delay(50);
    }
  } finally {
    for (const client of clients) client.disconnect();
  }
}

async function allKnowAll(clients: Redis[]): Promise<boolean> {
  const infos = await Promise.all(clients.map((client) => client.call('CLUSTER', 'INFO')));
  return infos.every(
    (info) =>
      String(info).includes('cluster_state:ok') && String(info).includes(`cluster_known_nodes:${NODES}`),
  );
}

async function ended(server: ChildProcess): Promise<void> {
  server.kill('SIGKILL');
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
}
