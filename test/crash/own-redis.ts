import { inject } from 'vitest';
import { openRedis } from '../../src/store/redis.ts';

/** The bot has no setting for the prefix of its keys, so each file takes a logical database of its own. */
export async function ownRedis(database: number) {
  const address = new URL(inject('redisUrl') ?? 'redis://none');
  address.pathname = `/${database}`;
  const redis = await openRedis(address.href, () => undefined);
  const strangers = await redis.dbsize();
  if (strangers > 0) throw new Error(`database ${database} of ${address.host} is in use: ${strangers} keys`);
  return { url: address.href, redis, close };

  async function close() {
    await redis.flushdb(); // it was empty when we came
    redis.disconnect();
  }
}
