import { parseSession } from '../../src/engine/session.ts';
import { worksIn } from '../../src/engine/situation.ts';
import type { RedisClient } from '../../src/store/redis.ts';

export const nothingLeft = { attention: [], busy: [], locks: [] };

/** Sessions that somebody would still have to look after. */
export async function leftovers(redis: RedisClient) {
  const keys = await redis.keys('seo:*');
  const named = (ending: string) => keys.filter((key) => key.endsWith(ending));
  const due = await Promise.all(named(':attention').map((key) => redis.zrange(key, '0', '-1')));
  const sessions = await Promise.all(named(':session').map((key) => redis.hget(key, 'd')));
  return {
    attention: due.flat(),
    busy: sessions.filter((stored) => worksIn(parseSession(stored!)!).length > 0),
    locks: named(':lock'),
  };
}
