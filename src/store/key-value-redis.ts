import type { KeyValueStore } from '../engine/key-value-store.ts';
import type { RedisClient } from './redis.ts';
import { namingOutages } from './redis-away.ts';

/** Arms the expiry of a new counter, and of one that has lost it: a counter without would refuse a person for ever. */
const incrementScript = `
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if count < 0 then
  redis.call('SET', KEYS[1], 0, 'KEEPTTL')
  count = 0
end
local left_ms = redis.call('PTTL', KEYS[1])
if left_ms < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  left_ms = tonumber(ARGV[2])
end
return {count, left_ms}
`;

type Scripts = { keyValueIncrement(key: string, by: number, ttlMs: number): Promise<[number, number]> };

export function createRedisKeyValueStore(redis: RedisClient, { prefix = 'seo' } = {}): KeyValueStore {
  redis.defineCommand('keyValueIncrement', { numberOfKeys: 1, lua: incrementScript });
  const scripts = redis as unknown as Scripts;
  const full = (key: string) => `${prefix}:kv:${key}`;
  return namingOutages({
    get: (key) => redis.get(full(key)),
    async set(key, value, ttlSeconds) {
      await redis.set(full(key), value, 'PX', toMs(ttlSeconds));
    },
    setIfAbsent: async (key, value, ttlSeconds) =>
      (await redis.set(full(key), value, 'PX', toMs(ttlSeconds), 'NX')) === 'OK',
    async increment(key, by, ttlSeconds) {
      const [count, leftMs] = await scripts.keyValueIncrement(full(key), by, toMs(ttlSeconds));
      return { count, ttlSeconds: leftMs / 1_000 };
    },
    take: (key) => redis.getdel(full(key)),
    async delete(key) {
      await redis.del(full(key));
    },
  });
}

const toMs = (seconds: number): number => Math.round(seconds * 1_000);
