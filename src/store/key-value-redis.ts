import type { Redis } from 'ioredis';
import type { KeyValueStore } from '../engine/key-value-store.ts';

export function createRedisKeyValueStore(redis: Redis, { prefix = 'seo' } = {}): KeyValueStore {
  const full = (key: string) => `${prefix}:kv:${key}`;
  return {
    get: (key) => redis.get(full(key)),
    async set(key, value, ttlSeconds) {
      await redis.set(full(key), value, 'PX', Math.round(ttlSeconds * 1_000));
    },
    take: (key) => redis.getdel(full(key)),
    async delete(key) {
      await redis.del(full(key));
    },
  };
}
