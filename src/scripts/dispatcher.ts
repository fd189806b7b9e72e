import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createGuardedFetch } from '../clients/http/guarded-fetch.ts';
import { composeAutopost } from '../compose/autopost.ts';
import { composePictures } from '../compose/pictures.ts';
import { startFailure } from '../compose/start-failure.ts';
import { BadConfig, loadConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { stopSignal } from '../stop-signal.ts';
import { openDatabase } from '../store/database.ts';
import { keyFile } from '../store/key-file.ts';
import { applySchema } from '../store/schema.ts';
import { createSchemaWatch } from '../store/schema-watch.ts';
import { createSealing } from '../store/sealing.ts';

const STOP_GRACE_MS = 60_000;
const LOOK_AT_SCHEMA_EVERY_MS = 15_000;

try {
  await main();
} catch (error) {
  console.error(startFailure(error));
  process.exit(1);
}

/** A dispatcher in a process of its own. Any number of them may run beside the bot. */
async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile();
  const config = loadConfig(process.env);
  if (!config.databaseUrl)
    throw new BadConfig(
      'DATABASE_URL is not set: on the embedded database the bot itself runs the dispatcher, a process of its own needs PostgreSQL',
    );
  if (!config.max)
    throw new BadConfig('MAX_BASE_URL: in the sandbox its stand-in belongs to the bot, name its address');
  const log = createLog(config.logLevel);
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  const asked = stopSignal();

  const database = await openDatabase({ dataDir: config.dataDir, url: config.databaseUrl });
  await applySchema(database.sql);
  const schema = createSchemaWatch(database.sql);
  const stopping = AbortSignal.any([asked, schema.outdated]);
  const looking = setInterval(
    () => schema.look().catch((error) => log.warn({ err: error }, 'the schema was not looked at')),
    LOOK_AT_SCHEMA_EVERY_MS,
  );
  const keys = config.encryptionKeys ?? [await keyFile(config.dataDir)];
  const { dispatcher } = composeAutopost({
    database,
    sealing: createSealing(keys),
    telegram: { apiRoot: config.telegram.apiRoot },
    max: config.max,
    files: composePictures(config, keys[0]!).pictures,
    fetch: createGuardedFetch({ allowPrivate: config.allowPrivateUrls }),
    settings: config.autopost,
    log,
  });
  await dispatcher.start();
  log.info('dispatching');

  if (!stopping.aborted) await once(stopping, 'abort');
  log.info({ signal: stopping.reason }, 'stopping: no new claims, what is being sent may finish');
  if (schema.outdated.aborted) process.exitCode = 1;
  clearInterval(looking);
  await dispatcher.stop(STOP_GRACE_MS);
  await database.close();
  log.info('stopped');
}
