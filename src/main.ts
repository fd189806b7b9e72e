import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { UserFromGetMe } from 'grammy/types';
import { announce } from './compose/announce.ts';
import { compose } from './compose/app.ts';
import { httpHandlers } from './compose/http-handlers.ts';
import { startFailure } from './compose/start-failure.ts';
import { loadConfig, webhookOf } from './config.ts';
import { closeServer, createHttpServer, listen } from './http/server.ts';
import { createLog } from './log.ts';
import { startPolling } from './messengers/telegram/polling.ts';
import { prepareTelegram } from './messengers/telegram/prepare.ts';
import { seedDemo } from './sandbox/seed-demo.ts';
import { openShop } from './sandbox/seed-shop.ts';
import { startSandbox } from './sandbox/start-sandbox.ts';
import { startSurroundings } from './sandbox/surroundings.ts';
import { openCommandSocket } from './scripts/autopost/serve-subcommands.ts';
import { stopSignal } from './stop-signal.ts';

// What is not finished by then is taken over by the next process.
const STOP_GRACE_MS = 120_000;

try {
  await start();
} catch (error) {
  console.error(startFailure(error));
  process.exit(1);
}

async function start(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile();
  const config = loadConfig(process.env);
  const log = createLog(config.logLevel);
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));

  const { token } = config.telegram;
  const surroundings = config.sandbox ? await startSurroundings(config) : null;
  const sandbox = token ? null : await startSandbox(surroundings!);
  const telegram = sandbox ?? { token: token!, apiRoot: config.telegram.apiRoot };
  const app = await compose(config, telegram, log, surroundings?.outside);
  const webhook = webhookOf(config);

  let me: UserFromGetMe | null = null;
  /** In the sandbox people talk on its page. */
  const chatUrl = () => (sandbox ? '/' : me && `https://t.me/${me.username}`);
  const handlers = httpHandlers({ app, config, webhook, chatUrl, log });
  const server = createHttpServer([...handlers, ...(sandbox ? [sandbox.page(app)] : [])], (error) =>
    log.error({ err: error }, 'a request failed'),
  );
  // From now on updates may come, and none of them is dropped on the way out.
  const stopping = AbortSignal.any([stopSignal(), app.outdated]);
  const port = await listen(server, config.port, config.host);
  announce(config, port, surroundings?.outside.suppliers ?? config.suppliers, log);
  surroundings?.shop.setWebhook(`http://127.0.0.1:${port}/api/yookassa/webhook`);
  surroundings?.announce(log, sandbox?.apiRoot ?? null);
  const commandSocket = app.embedded
    ? await openCommandSocket({ ...app, dataDir: config.dataDir, onChanged: app.autopost.wake.ring, log })
    : null;

  me = await prepareTelegram(app.api, webhook, log, { stopping, commands: app.commands });
  if (me) await app.engine.recover({ exclusive: app.embedded });
  const polling = me && !webhook ? startPolling(app.api, app.handleUpdate, log) : null;
  if (me) log.info('ready');
  if (sandbox) await seedDemo(app.sql, app.autopost.stores.workspaces);
  if (sandbox && app.shopBot) await openShop(app, surroundings!.max.url, `http://127.0.0.1:${port}`);
  await app.start(ownAddress(config.host, port));

  if (!stopping.aborted) await once(stopping, 'abort');
  log.info({ signal: stopping.reason }, 'stopping: no new work, what runs may finish');
  if (app.outdated.aborted) process.exitCode = 1; // a supervisor restarts it: with the newer program, if it is there
  const stopped = app.stop(STOP_GRACE_MS);
  await polling?.stop();
  await stopped;
  await commandSocket?.close();
  await closeServer(server);
  await sandbox?.close();
  await surroundings?.close();
  await app.close();
  log.info('stopped');
}

/** Where this process reaches itself. */
function ownAddress(host: string | undefined, port: number): string {
  if (host === undefined) return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
