import type { KeyValueStore } from '../engine/key-value-store.ts';

export function createMemoryKeyValueStore(clock: () => number = Date.now): KeyValueStore {
  const entries = new Map<string, { value: string; expiresAt: number }>();
  return {
    get: async (key) => read(key),
    async set(key, value, ttlSeconds) {
      entries.set(key, { value, expiresAt: clock() + ttlSeconds * 1_000 });
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
}
