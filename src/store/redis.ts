import { Cluster, Redis } from 'ioredis';
import { outliveStalls } from './outlive-stalls.ts';

/** One server, or a cluster: the stores' scripts keep to one hash slot each, so both take them. */
export type RedisClient = Redis | Cluster;

/**
 * No command waits longer than this for an answer, whatever has become of the server. The connection is given up with it:
 * one whose other end has vanished without a word would fail every command of the next quarter of an hour.
 */
const PATIENCE_MS = 2_000;

/**
 * A client that fails fast while Redis is gone and comes back by itself. Several addresses, with commas between them, are
 * nodes of one cluster.
 *
 * Nothing queues up for a connection that is not there: the update is refused and brought again, in its order. What was
 * already sent when the connection broke is not sent again either, because a script may have run.
 */
export async function openRedis(urls: string, onError: (error: Error) => void): Promise<RedisClient> {
  const nodes = urls.split(',').map((url) => url.trim());
  const redis = nodes.length > 1 ? openCluster(nodes) : openServer(nodes[0]!);
  redis.on('error', onError);
  // Without an offline queue the first command needs a connection. A server that is down at the start is
  // reported and retried like one that goes down later.
  await redis.connect().catch(() => undefined);
  if (redis instanceof Cluster) await connectNodes(redis);
  return redis;
}

const common = {
  connectTimeout: PATIENCE_MS,
  socketTimeout: PATIENCE_MS,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
};

const pauseBefore = (attempt: number): number => Math.min(50 * 2 ** attempt, 2_000);

function openServer(url: string): Redis {
  const redis = new Redis(url, {
    ...common,
    lazyConnect: true,
    enableOfflineQueue: false,
    // After a failover the old primary may live on as a replica: the address has to be asked for the new one.
    reconnectOnError: ({ message }) => message.includes('READONLY'),
    retryStrategy: pauseBefore,
  });
  redis.on('connect', () => outliveStalls(redis.stream, isSilence));
  return redis;
}

/** The driver's word for PATIENCE_MS without an answer. */
const isSilence = ({ message }: Error): boolean => message.startsWith('Socket timeout.');

function openCluster(urls: string[]): Cluster {
  const { username, password, protocol } = new URL(urls[0]!);
  return new Cluster(urls, {
    lazyConnect: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: pauseBefore,
    // The nodes move slots and fail over behind our back: a redirection is followed, a lost answer is not asked again.
    retryDelayOnFailover: 0,
    slotsRefreshTimeout: PATIENCE_MS,
    redisOptions: {
      ...common,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  });
}

/**
 * A cluster is "ready" with one connection and opens the others at their first command; what comes for such a node
 * before its connection stands is refused. So all of them are opened at once, replicas too: one may take over.
 */
async function connectNodes(cluster: Cluster): Promise<void> {
  // In a later turn: the command whose redirection has found the node opens the connection itself, and is not refused.
  cluster.on('+node', (node: Redis) => {
    node.on('connect', () => outliveStalls(node.stream, isSilence));
    setImmediate(() => void connectNode(node));
  });
  for (const node of cluster.nodes()) {
    if (node.stream) outliveStalls(node.stream, isSilence);
    node.on('connect', () => outliveStalls(node.stream, isSilence));
  }
  await Promise.all(cluster.nodes().map(connectNode));
}

/** A node that cannot be reached leaves the cluster's list, and is asked for again at its next command. */
async function connectNode(node: Redis): Promise<void> {
  if (node.status === 'wait') await node.connect().catch(() => undefined);
}
