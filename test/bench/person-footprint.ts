import { Redis } from 'ioredis';
import { SEEN_UPDATES_KEPT } from '../../src/engine/session-store.ts';
import { openRedis } from '../../src/store/redis.ts';
import { createRedisSessionStore } from '../../src/store/session-store-redis.ts';
import { startOwnRedis } from '../crash/throwaway-servers.ts';
import type { Outcome } from './outcome.ts';

const PEOPLE = 500;
const SESSION_BYTES = 1_500;

/** What a person in the middle of a dialogue takes in Redis, with as many updates behind them as are remembered. */
export async function personFootprint(): Promise<Outcome> {
  const server = await startOwnRedis({ durable: false });
  const redis = await openRedis(server.url, () => undefined);
  try {
    if (!(redis instanceof Redis)) throw new Error('expected one server');
    const store = createRedisSessionStore(redis, { prefix: 'bench' });
    const before = await usedBytes(redis);
    for (let userId = 1; userId <= PEOPLE; userId += 1) await visit(userId);
    const after = await usedBytes(redis);
    const encoding = await redis.object('ENCODING', 'bench:{1}:1:seen');
    return {
      case: 'person-footprint',
      ours: Math.round((after - before) / PEOPLE),
      peer: null,
      ratio: null,
      unit: 'bytes',
      notes:
        `of Redis memory per person: a session of ${SESSION_BYTES} bytes and ${SEEN_UPDATES_KEPT} updates, ` +
        `kept as ${String(encoding)}, mean of ${PEOPLE} people`,
    };

    async function visit(userId: number): Promise<void> {
      const session = JSON.stringify({ padding: 'x'.repeat(SESSION_BYTES) });
      for (let updateId = 1; updateId <= SEEN_UPDATES_KEPT; updateId += 1) {
        const admission = await store.acquire({ userId, ticket: 'bench', updateId, leaseMs: 5_000 });
        if (!('hold' in admission)) throw new Error(admission.outcome);
        const saved = await store.save(admission.hold, {
          session,
          attention: [],
          ttlSeconds: 86_400,
          updateId,
        });
        await store.release(saved!, { shown: { revision: updateId, messageId: String(updateId) } });
      }
    }
  } finally {
    redis.disconnect();
    await server.close();
  }
}

async function usedBytes(redis: Redis): Promise<number> {
  const info = await redis.info('memory');
  return Number(/used_memory:(\d+)/u.exec(info)?.[1]);
}
