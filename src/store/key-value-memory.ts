import type { KeyValueStore } from '../engine/key-value-store.ts';

export function createMemoryKeyValueStore(clock: () => number = Date.now): KeyValueStore {
  const entries = new Map<string, { value: string; expiresAt: number }>();
  return {
    get: async (key) => read(key),
    async set(key, value, ttlSeconds) {
      write(key, value, ttlSeconds);
    },
    async setIfAbsent(key, value, ttlSeconds) {
      if (read(key) !== null) return false;
      write(key, value, ttlSeconds);
      return true;
    },
    async increment(key, by, ttlSeconds) {
      if (read(key) === null) write(key, '0', ttlSeconds);
      const counter = entries.get(key)!;
      const count = Math.max(0, Number(counter.value) + by);
      counter.value = String(count);
      return { count, ttlSeconds: (counter.expiresAt - clock()) / 1_000 };
    },
    async take(key) {
      const value = read(key);
      entries.delete(key);
      return value;
    },
    async delete(key) {
      entries.delete(key);
    },
  };

  function read(key: string) {
    const entry = entries.get(key);
    if (entry && entry.expiresAt > clock()) return entry.value;
    entries.delete(key);
    return null;
  }

  function write(key: string, value: string, ttlSeconds: number) {
    entries.set(key, { value, expiresAt: clock() + ttlSeconds * 1_000 });
  }
}
