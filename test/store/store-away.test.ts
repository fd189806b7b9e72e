import { ReplyError } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { inTime, TookTooLong } from '../../src/engine/in-time.ts';
import { StoreAway } from '../../src/engine/not-applied.ts';
import { namingOutages } from '../../src/store/redis-away.ts';
import { makeIsStoreAway } from '../../src/store/store-away.ts';

const failing = (error: unknown) => namingOutages({ ask: () => Promise.reject(error) }).ask();

describe('Redis is away', () => {
  it.each([
    new Error('Connection is closed.'),
    new Error("Stream isn't writeable and enableOfflineQueue options is false"),
    new Error('Socket timeout. Expecting data, but did not receive any in 2000ms.'),
    new ReplyError('LOADING Redis is loading the dataset in memory'),
    new ReplyError("READONLY You can't write against a read only replica."),
    new ReplyError('CLUSTERDOWN The cluster is down'),
  ])('when it says %j', async (error) => {
    await expect(failing(error)).rejects.toThrow(StoreAway);
  });

  it.each([
    new ReplyError('ERR Error running script: user_script:3: attempt to index a nil value'),
    new ReplyError('WRONGTYPE Operation against a key holding the wrong kind of value'),
    new TypeError('Cannot read properties of undefined'),
  ])('is not the reason for %j: that is our mistake', async (error) => {
    await expect(failing(error)).rejects.toBe(error);
  });
});

describe('an answer that took too long', () => {
  const silent = { ping: () => new Promise<never>(() => {}) };
  const healthy = { ping: async () => 'PONG' };
  const refused = { ping: () => Promise.reject(new Error('ECONNREFUSED')) };

  it('is our mistake while the stores answer', async () => {
    expect(await makeIsStoreAway([healthy, healthy])(new TookTooLong('the page'))).toBe(false);
  });

  it.each([silent, refused])('is an outage when one of them does not', async (store) => {
    expect(await makeIsStoreAway([healthy, store])(new TookTooLong('the page'))).toBe(true);
  });

  it('passes on what came in time', async () => {
    expect(await inTime('the page', Promise.resolve(5))).toBe(5);
  });
});
