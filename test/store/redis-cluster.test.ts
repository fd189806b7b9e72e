import { expect, inject, it } from 'vitest';
import { openRedis } from '../../src/store/redis.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';

const KEYS = Array.from({ length: 50 }, (_, n) => `key ${n}`);

it.runIf(inject('redisUrl'))(
  'every node of a cluster serves many people at once from the start',
  async () => {
    const cluster = await startRedisCluster();
    const redis = await openRedis(cluster.urls, () => undefined);
    try {
      const answers = await Promise.all(KEYS.map((key) => redis.set(key, 'value')));
      expect(new Set(answers)).toEqual(new Set(['OK']));
    } finally {
      redis.disconnect();
      await cluster.close();
    }
  },
);
