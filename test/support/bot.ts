import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { compose } from '../../src/compose/app.ts';
import { type Config, loadConfig, type SupplierSettings } from '../../src/config.ts';
import type { EngineSettings } from '../../src/engine/turns.ts';
import { createLog, type Log } from '../../src/log.ts';
import { startPolling } from '../../src/messengers/telegram/polling.ts';
import { prepareTelegram } from '../../src/messengers/telegram/prepare.ts';
import { startTelegramStandIn, type TelegramStandIn } from '../../src/sandbox/telegram/start.ts';
import { noNames } from './no-names.ts';
import { scriptedPerson } from './person.ts';
import { fillDataDir, freshPostgresUrl } from './stores.ts';

export type Ground = 'embedded' | 'PostgreSQL and Redis';

/** Where the bot can stand on this machine. */
export const grounds: Ground[] =
  inject('postgresUrl') && inject('redisUrl') ? ['embedded', 'PostgreSQL and Redis'] : ['embedded'];

/** What no setting of the environment says: clients that hardly wait, progress that is told at once, room for few. */
type Differences = {
  suppliers?: SupplierSettings;
  engine?: Partial<EngineSettings>;
  runs?: Config['runs'];
};

export type TestBot = Awaited<ReturnType<typeof startBot>>;

let botsStarted = 0;

/** The whole bot in this process, as `main.ts` would start it, talking to a Telegram of its own. */
export async function startBot(
  ground: Ground = 'embedded',
  env: Record<string, string> = {},
  ownLog: Log | null = null,
  { suppliers, engine, runs }: Differences = {},
) {
  // A bot id of its own keeps the sessions of tests that share a Redis apart.
  botsStarted += 1;
  const token = `${process.pid}${botsStarted}:TEST-TOKEN-OF-NO-VALUE-AT-ALL`;
  const telegram = await startTelegramStandIn({ token, redeliveryMs: 50 });
  const dataDir = await mkdtemp(join(tmpdir(), 'seo-master-bot-'));
  if (ground === 'embedded') await fillDataDir(dataDir);
  const stores: Record<string, string> =
    ground === 'embedded' ? {} : { DATABASE_URL: await freshPostgresUrl(), REDIS_URL: inject('redisUrl')! };
  const settings = {
    DATA_DIR: dataDir,
    THROTTLE_PER_MINUTE: '10000',
    LOG_LEVEL: 'silent',
    MAX_BASE_URL: 'http://127.0.0.1:9', // no server: these bots post to no channels
    ...stores,
    ...env,
  };
  let running = await run();
  return {
    telegram,
    env: settings,
    person: (firstName = 'Анна') => scriptedPerson(telegram, { first_name: firstName }),
    get app() {
      return running.app;
    },
    restart,
    stop,
  };

  async function run() {
    const loaded = loadConfig(settings);
    const config = { ...loaded, engine: { ...loaded.engine, ...engine }, runs: runs ?? loaded.runs };
    const log = ownLog ?? createLog(config.logLevel, false);
    const outside = { ...(suppliers && { suppliers }), resolve: noNames };
    const app = await compose(config, { token, apiRoot: telegram.url }, log, outside);
    await prepareTelegram(app.api, null, log, { commands: app.commands });
    await app.engine.recover({ exclusive: app.embedded });
    return { app, polling: startPolling(app.api, app.handleUpdate, log) };
  }

  async function halt(graceMs = 5_000): Promise<void> {
    await Promise.all([running.polling.stop(), running.app.engine.stop(graceMs)]);
    await running.app.close();
  }

  /** Work that is not finished within the grace is left to the next process, as after a kill. */
  async function restart(graceMs?: number): Promise<void> {
    await halt(graceMs);
    running = await run();
  }

  async function stop(): Promise<void> {
    await halt();
    await telegram.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Another process of the same bot, without updates of its own: they are handed to it. */
export async function startTwin({
  env,
  telegram,
}: {
  env: Record<string, string>;
  telegram: TelegramStandIn;
}) {
  const config = loadConfig(env);
  const log = createLog(config.logLevel, false);
  const app = await compose(config, { token: telegram.token, apiRoot: telegram.url }, log, {
    resolve: noNames,
  });
  return { app, stop: () => app.engine.stop(5_000).then(app.close) };
}
