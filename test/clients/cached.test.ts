import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cached } from '../../src/clients/cached.ts';
import { createMemoryKeyValueStore } from '../../src/store/key-value-memory.ts';

let now: number;
let asked: number;
let warnings: string[];
let store: ReturnType<typeof createMemoryKeyValueStore>;

beforeEach(() => {
  now = 0;
  asked = 0;
  warnings = [];
  store = createMemoryKeyValueStore(() => now);
});

const kept = (changes: object = {}) => ({
  cache: store,
  log: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) }),
  key: 'page:1',
  of: 'https://shop.example/',
  ttlSeconds: 60,
  schema: z.object({ words: z.number() }),
  ...changes,
});
const ask = async () => {
  asked += 1;
  return { words: asked * 100 };
};

describe('an answer that is kept', () => {
  it('is given again until it is old', async () => {
    expect(await cached(kept(), ask)).toEqual({ words: 100 });
    expect(await cached(kept(), ask)).toEqual({ words: 100 });
    now = 61_000;
    expect(await cached(kept(), ask)).toEqual({ words: 200 });
  });

  it('is not given to another question under the same key', async () => {
    await cached(kept(), ask);
    expect(await cached(kept({ of: 'https://other.example/' }), ask)).toEqual({ words: 200 });
  });

  it('is asked for anew when it has another shape than today', async () => {
    await store.set('page:1', JSON.stringify({ of: 'https://shop.example/', value: { count: 5 } }), 60);
    expect(await cached(kept(), ask)).toEqual({ words: 100 });
  });

  it('is asked for anew when it is no JSON', async () => {
    await store.set('page:1', 'half an ans', 60);
    expect(await cached(kept(), ask)).toEqual({ words: 100 });
    expect(warnings).toEqual(['the cache could not be read']);
  });

  it('is never nothing', async () => {
    expect(await cached(kept(), async () => null)).toBeNull();
    expect(await cached(kept(), ask)).toEqual({ words: 100 });
  });

  it('comes also when the cache is down', async () => {
    const down = () => Promise.reject(new Error('connection refused'));
    expect(await cached(kept({ cache: { get: down, set: down } }), ask)).toEqual({ words: 100 });
    expect(warnings).toEqual(['the cache could not be read', 'the cache could not be written']);
  });
});
