import { setTimeout as pause } from 'node:timers/promises';
import { askSubcommand, NoBotListening } from '../../clients/command-socket.ts';
import { type Config, MAX_API } from '../../config.ts';
import { commandSocket } from '../../http/command-socket.ts';
import { DataDirInUse } from '../../store/data-dir-lock.ts';
import { openDatabase } from '../../store/database.ts';
import { keyFile } from '../../store/key-file.ts';
import { applySchema } from '../../store/schema.ts';
import { createSealing } from '../../store/sealing.ts';
import type { Request } from './parse-command.ts';
import { type Answer, makeRunSubcommand } from './run-subcommand.ts';

/**
 * Where the subcommand is done: on the server of DATABASE_URL, on the embedded database here, or, when a bot has that
 * one open, in the bot. A bot that is just starting or stopping is given a moment.
 */
export async function reachDatabase(
  config: Config,
  request: Request,
  { patienceMs = 10_000 } = {},
): Promise<Answer> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await runHere(config, request);
    } catch (error) {
      if (!(error instanceof DataDirInUse)) throw error;
      const answer = await runInBot(config, request);
      if (answer !== null) return answer;
      if (performance.now() > deadline) throw error;
      await pause(200);
    }
  }
}

async function runHere(config: Config, request: Request): Promise<Answer> {
  const database = await openDatabase({
    ...{ dataDir: config.dataDir, max: 1 },
    ...(config.databaseUrl && { url: config.databaseUrl }),
  });
  try {
    await applySchema(database.sql);
    const places = { maxUrl: config.max?.baseUrl ?? MAX_API, publicUrl: config.publicUrl };
    const sealing = createSealing(config.encryptionKeys ?? [await keyFile(config.dataDir)]);
    return await makeRunSubcommand({ sql: database.sql, sealing, places })(request);
  } finally {
    await database.close();
  }
}

async function runInBot({ dataDir }: Config, request: Request): Promise<Answer | null> {
  try {
    return (await askSubcommand(commandSocket(dataDir), request)) as Answer;
  } catch (error) {
    if (error instanceof NoBotListening) return null;
    throw error;
  }
}
