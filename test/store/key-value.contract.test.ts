import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { forEachKeyValueStore } from '../support/stores.ts';

forEachKeyValueStore((store) => {
  it('keeps a value under its key, and the newer of two', async () => {
    const key = randomUUID();
    expect(await store().get(key)).toBeNull();
    await store().set(key, 'first', 60);
    await store().set(key, '{"город":"Москва"}', 60);
    expect(await store().get(key)).toBe('{"город":"Москва"}');
    expect(await store().get(randomUUID())).toBeNull();
  });

  it('gives a value to only one of many takers', async () => {
    const key = randomUUID();
    await store().set(key, 'nonce', 60);
    const taken = await Promise.all(Array.from({ length: 20 }, () => store().take(key)));
    expect(taken.filter((value) => value !== null)).toEqual(['nonce']);
    expect(await store().get(key)).toBeNull();
  });

  it('forgets a deleted value', async () => {
    const key = randomUUID();
    await store().set(key, 'value', 60);
    await store().delete(key);
    expect(await store().get(key)).toBeNull();
    await store().delete(key);
  });

  it('forgets a value when its time is over, and does not let it be taken', async () => {
    const key = randomUUID();
    await store().set(key, 'value', 0.1);
    await vi.waitFor(async () => expect(await store().get(key)).toBeNull(), 10_000);
    expect(await store().take(key)).toBeNull();
  });

  it('counts the time from the last write', async () => {
    const key = randomUUID();
    await store().set(key, 'short', 0.1);
    await store().set(key, 'long', 60);
    await delay(200);
    expect(await store().get(key)).toBe('long');
  });
});
