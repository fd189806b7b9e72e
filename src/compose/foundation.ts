import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { makeRateLimits, SANDBOX_TIMES } from '../services/money/rate-limits.ts';
import { makeCategories } from '../store/categories.ts';
import { makeConnections } from '../store/connections.ts';
import { openDatabase } from '../store/database.ts';
import { createPostgresInbox } from '../store/inbox-postgres.ts';
import { keepApart } from '../store/keep-apart.ts';
import { keyFile } from '../store/key-file.ts';
import { makeLedger } from '../store/ledger.ts';
import { createOperations, releaseLeases } from '../store/operations.ts';
import { makePersonalData } from '../store/personal-data.ts';
import { makeProjects } from '../store/projects.ts';
import { applySchema } from '../store/schema.ts';
import { createSealing } from '../store/sealing.ts';
import { makeUsers } from '../store/users.ts';
import { openStores } from './stores.ts';

export type Foundation = Awaited<ReturnType<typeof layFoundation>>;

/** What every room stands on: the stores, with their schema applied, and what is kept in them. */
export async function layFoundation(config: Config, telegram: { token: string }, log: Log) {
  const database = await openDatabase({
    dataDir: config.dataDir,
    ...(config.databaseUrl && { url: config.databaseUrl }),
  });
  const { sql } = database;
  await applySchema(sql);
  await keepApart(sql, config);
  const botId = Number.parseInt(telegram.token, 10);
  const stores = await openStores({ ...{ sql, botId, log }, redisUrl: config.redisUrl });
  const keys = config.encryptionKeys ?? [await keyFile(config.dataDir)];
  const sealing = createSealing(keys);
  const personalData = makePersonalData(sql, keys[0]!);
  if (database.embedded) await releaseLeases(sql);

  return {
    ...stores,
    database,
    sql,
    keys,
    sealing,
    personalData,
    users: makeUsers(sql, personalData.hashOf),
    projects: makeProjects(sql),
    categories: makeCategories(sql),
    connections: makeConnections(sql, sealing),
    operations: createOperations(sql),
    ledger: makeLedger(sql),
    limits: makeRateLimits(stores.keyValues, { times: config.sandbox ? SANDBOX_TIMES : 1 }),
    inbox: createPostgresInbox(sql, { botId }),
    async close() {
      await stores.close();
      await database.close();
    },
  };
}
