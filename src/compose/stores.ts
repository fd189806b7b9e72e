import type { KeyValueStore } from '../engine/key-value-store.ts';
import type { SessionStore } from '../engine/session-store.ts';
import type { Log } from '../log.ts';
import type { Check } from '../services/monitor/check-services.ts';
import type { Sql } from '../store/database.ts';
import { makeIsFirstToTell } from '../store/first-to-tell.ts';
import { createPostgresKeyValueStore } from '../store/key-value-postgres.ts';
import { createRedisKeyValueStore } from '../store/key-value-redis.ts';
import { openRedis } from '../store/redis.ts';
import { createPostgresSessionStore } from '../store/session-store-postgres.ts';
import { createRedisSessionStore } from '../store/session-store-redis.ts';

type Stores = {
  sessions: SessionStore;
  keyValues: KeyValueStore;
  checks: Check[];
  isFirstToTell: ReturnType<typeof makeIsFirstToTell>;
  close(): Promise<void>;
};

/** In Redis if there is one, else in the database. Several bots may share both: each has its own sessions. */
export async function openStores({
  sql,
  botId,
  redisUrl,
  log,
}: {
  sql: Sql;
  botId: number;
  redisUrl: string | undefined;
  log: Log;
}): Promise<Stores> {
  const inDatabase = createPostgresKeyValueStore(sql);
  const pingDatabase: Check = { name: 'database', ping: () => sql`select 1` };
  if (!redisUrl) {
    return {
      sessions: createPostgresSessionStore(sql, { botId }),
      keyValues: inDatabase,
      checks: [pingDatabase],
      isFirstToTell: makeIsFirstToTell([inDatabase]),
      close: async () => {},
    };
  }
  const redis = await openRedis(redisUrl, (error) => log.warn({ err: error }, 'Redis'));
  const prefix = `seo:${botId}`;
  const keyValues = createRedisKeyValueStore(redis, { prefix });
  return {
    sessions: createRedisSessionStore(redis, { prefix }),
    keyValues,
    checks: [pingDatabase, { name: 'redis', ping: () => redis.ping() }],
    isFirstToTell: makeIsFirstToTell([keyValues, inDatabase]),
    close: async () => void redis.disconnect(),
  };
}
