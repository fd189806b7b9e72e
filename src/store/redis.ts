import type { Writable } from 'node:stream';
import { Redis } from 'ioredis';

/**
 * No command waits longer than this for an answer, whatever has become of the server. The connection is given up with it:
 * one whose other end has vanished without a word would fail every command of the next quarter of an hour.
 */
const PATIENCE_MS = 2_000;

/**
 * A client that fails fast while Redis is gone and comes back by itself.
 *
 * Nothing queues up for a connection that is not there: a person is told at once that something is wrong,
 * instead of getting the answers to five presses a minute later. What was already sent when the connection
 * broke is not sent again either, because a script may have run.
 */
export async function openRedis(url: string, onError: (error: Error) => void): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // After a failover the old primary may live on as a replica: the address has to be asked for the new one.
    reconnectOnError: ({ message }) => message.includes('READONLY'),
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2_000),
  });
  redis.on('error', onError);
  redis.on('connect', () => writeTogether(redis.stream));
  // Without an offline queue the first command needs a connection. A server that is down at the start is
  // reported and retried like one that goes down later.
  await redis.connect().catch(() => undefined);
  return redis;
}

/**
 * Commands of one turn of the event loop travel together: a hundred people's updates share their system calls. (The
 * client's own automatic pipelining does the same, and spends on it what it saves.)
 */
function writeTogether(socket: Writable): void {
  const write = socket.write.bind(socket) as (chunk: string) => boolean;
  socket.write = (chunk: string) => {
    if (socket.writableCorked === 0) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    return write(chunk);
  };
}
