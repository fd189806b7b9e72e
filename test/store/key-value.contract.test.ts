import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, it, vi } from 'vitest';
import { createRedisKeyValueStore } from '../../src/store/key-value-redis.ts';
import { forEachKeyValueStore, freshRedis } from '../support/stores.ts';

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

  it('gives a lock to only one of many askers, and keeps its value', async () => {
    const key = randomUUID();
    const asked = Array.from({ length: 20 }, (_, n) => store().setIfAbsent(key, `asker ${n}`, 60));
    const got = await Promise.all(asked);
    expect(got.filter(Boolean)).toHaveLength(1);
    expect(await store().get(key)).toBe(`asker ${got.indexOf(true)}`);
  });

  it('gives a lock anew when it was given back, or its time is over', async () => {
    const key = randomUUID();
    await store().setIfAbsent(key, 'first', 60);
    await store().delete(key);
    expect(await store().setIfAbsent(key, 'second', 0.1)).toBe(true);
    await vi.waitFor(async () => expect(await store().setIfAbsent(key, 'third', 60)).toBe(true), 10_000);
    expect(await store().get(key)).toBe('third');
  });

  it('counts everybody who counts at once', async () => {
    const key = randomUUID();
    const counts = await Promise.all(Array.from({ length: 20 }, () => store().increment(key, 2, 60)));
    expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => 2 * (n + 1)),
    );
  });

  it('counts the time of a counter from its first increment', async () => {
    const key = randomUUID();
    const first = await store().increment(key, 1, 60);
    const later = await store().increment(key, 1, 6_000);
    expect(first.ttlSeconds).toBeCloseTo(60, -1);
    expect(later.count).toBe(2);
    expect(later.ttlSeconds).toBeLessThanOrEqual(first.ttlSeconds);
  });

  it('begins a counter anew when its time is over', async () => {
    const key = randomUUID();
    await store().increment(key, 5, 0.1);
    await vi.waitFor(async () => expect(await store().get(key)).toBeNull(), 10_000);
    expect((await store().increment(key, 1, 60)).count).toBe(1);
  });

  it('takes back from a counter, and nothing below zero', async () => {
    const key = randomUUID();
    await store().increment(key, 3, 60);
    expect((await store().increment(key, -1, 60)).count).toBe(2);
    expect((await store().increment(key, -5, 60)).count).toBe(0);
    expect((await store().increment(randomUUID(), -1, 60)).count).toBe(0);
    expect((await store().increment(key, 1, 60)).count).toBe(1);
  });
});

it.runIf(inject('redisUrl'))('gives a counter on Redis its time back when it was lost', async () => {
  const { redis, prefix, close } = await freshRedis();
  const store = createRedisKeyValueStore(redis, { prefix });
  await store.increment('counter', 1, 60);
  await redis.persist(`${prefix}:kv:counter`);
  expect(await store.increment('counter', 1, 60)).toEqual({ count: 2, ttlSeconds: 60 });
  expect(await redis.pttl(`${prefix}:kv:counter`)).toBeGreaterThan(0);
  await close();
});
