import { z } from 'zod';
import type { KeyValueStore } from '../engine/key-value-store.ts';
import type { Log } from '../log.ts';

export type Cached<Value> = {
  cache: Pick<KeyValueStore, 'get' | 'set'>;
  log: Log;
  key: string;
  /** What was asked. Keys are short (a project, a cut hash): the same key with another question is a miss. */
  of: string;
  ttlSeconds: number;
  /** What was kept by an older version and has another shape is a miss too. */
  schema: z.ZodType<Value>;
};

/** The answer of last time, or a new one, which is kept unless it is null. A cache that fails is only slow. */
export async function cached<Value>(kept: Cached<Value>, ask: () => Promise<Value | null>) {
  const known = await recall(kept);
  if (known !== null) return known;
  const value = await ask();
  if (value !== null) await keep(kept, value);
  return value;
}

async function recall<Value>({ cache, log, key, of, schema }: Cached<Value>): Promise<Value | null> {
  try {
    const text = await cache.get(key);
    if (text === null) return null;
    const entry = z.object({ of: z.literal(of), value: schema }).safeParse(JSON.parse(text));
    return entry.success ? entry.data.value : null;
  } catch (err) {
    log.warn({ err, key }, 'the cache could not be read');
    return null;
  }
}

async function keep<Value>({ cache, log, key, of, ttlSeconds }: Cached<Value>, value: Value): Promise<void> {
  try {
    await cache.set(key, JSON.stringify({ of, value }), ttlSeconds);
  } catch (err) {
    log.warn({ err, key }, 'the cache could not be written');
  }
}
