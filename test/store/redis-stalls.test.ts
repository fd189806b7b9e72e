import { expect, inject, it } from 'vitest';
import { openRedis } from '../../src/store/redis.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';

/** Longer than an answer is waited for. */
const STALL_MS = 2_300;

it.runIf(inject('redisUrl'))(
  'a process that stood still for seconds does not take a living Redis for a dead one',
  async () => {
    await outlives(inject('redisUrl')!);
  },
);

it.runIf(inject('redisUrl'))('nor a living cluster', async () => {
  const cluster = await startRedisCluster();
  try {
    await outlives(cluster.urls);
  } finally {
    await cluster.close();
  }
});

async function outlives(urls: string): Promise<void> {
  const troubles: string[] = [];
  const redis = await openRedis(urls, ({ message }) => troubles.push(message));
  try {
    await redis.set('stall', 'before');
    const asked = redis.get('stall');
    await new Promise(setImmediate); // the question has left
    standStill();
    expect(await asked).toBe('before');
    expect(await redis.get('stall')).toBe('before');
    expect(troubles).toEqual([]);
  } finally {
    await redis.del('stall').catch(() => undefined);
    redis.disconnect();
  }
}

function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
}
