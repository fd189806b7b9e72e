import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Update, UserFromGetMe } from 'grammy/types';
import { type App, compose, type Outside } from './compose/app.ts';
import { type Config, loadConfig, type SupplierSettings } from './config.ts';
import { healthHandler } from './http/health.ts';
import { ingestHandler } from './http/ingest.ts';
import { maxWebhookHandler } from './http/max-webhook.ts';
import { picturesHandler } from './http/pictures.ts';
import { closeServer, createHttpServer, type HttpHandler, listen } from './http/server.ts';
import { webhookHandler } from './http/webhook.ts';
import { wordPressGrantHandler } from './http/wordpress-grant.ts';
import { createLog, type Log } from './log.ts';
import { startPolling } from './messengers/telegram/polling.ts';
import { prepareTelegram } from './messengers/telegram/prepare.ts';
import { demoEndpoint } from './sandbox/demo-channels.ts';
import { startMaxStandIn } from './sandbox/max/start.ts';
import { type SandboxSite, startSandboxSite } from './sandbox/sandbox-site.ts';
import { seedDemo } from './sandbox/seed-demo.ts';
import { onPort, type StandIn } from './sandbox/stand-in.ts';
import { startSandbox } from './sandbox/start-sandbox.ts';
import { startSupplierStandIns } from './sandbox/supplier-stand-ins.ts';
import { serveOperations } from './scripts/autopost/serve-operations.ts';
import { startFailure } from './start-failure.ts';
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
  const handlers: HttpHandler[] = [
    ...(webhook ? [webhookHandler(webhook.secret, withReply(app.handleUpdate), log)] : []),
    healthHandler({
      checks: app.checks,
      token: config.healthCheckToken,
      version: await version(),
      busy: app.engine.busy,
      autopost: app.autopost.health,
    }),
    ingestHandler(app.autopost.ingest, { knows: app.autopost.knowsSecret, log }),
    ...(app.shopBot ? [maxWebhookHandler(app.shopBot.receive, { log })] : []),
    ...(app.pictures ? [picturesHandler(app.pictures)] : []),
    wordPressGrantHandler(app.receiveGrant, () => (token && me ? `https://t.me/${me.username}` : null)),
    ...(sandbox ? [sandbox.page(app)] : []),
  ];
  const server = createHttpServer(handlers, (error) => log.error({ err: error }, 'a request failed'));
  const stopping = stopSignal(); // from now on updates may come, and none of them is dropped on the way out
  const port = await listen(server, config.port, config.host);
  announce(config, port, surroundings?.outside.suppliers ?? config.suppliers, log);
  if (surroundings) announceSite(surroundings.site, log);
  if (sandbox) announceChannels(sandbox.apiRoot, surroundings!.max, log);
  const operations = app.embedded ? await openOperations(app, config, log) : null;

  me = await prepareTelegram(app.api, webhook, log, stopping);
  if (me) await app.engine.recover({ exclusive: app.embedded });
  const polling = me && !webhook ? startPolling(app.api, app.handleUpdate, log) : null;
  if (me) log.info('ready');
  if (sandbox) await seedDemo(app.sql, app.autopost.stores.workspaces);
  await app.autopost.start();
  await app.shopBot?.start();

  if (!stopping.aborted) await once(stopping, 'abort');
  log.info({ signal: stopping.reason }, 'stopping: no new work, what runs may finish');
  const stopped = [
    app.engine.stop(STOP_GRACE_MS),
    app.autopost.stop(STOP_GRACE_MS),
    app.shopBot?.stop(STOP_GRACE_MS),
  ];
  await polling?.stop();
  await Promise.all(stopped);
  await operations?.close();
  await closeServer(server);
  await sandbox?.close();
  await surroundings?.close();
  await app.close();
  log.info('stopped');
}

/** The suppliers that have no key, and a site to publish to. On ports next to ours, where links to them stay good. */
async function startSurroundings(config: Config) {
  const folder = sandboxFolder(config);
  const next = (offset: number) => (config.port === 0 ? 0 : config.port + offset);
  const [standIns, site, max] = await Promise.all([
    startSupplierStandIns(config.suppliers, { folder, port: next(2) }),
    startSandboxSite(folder, next(1)),
    onPort(next(3), (port) => startMaxStandIn({ port, journal: join(folder, 'max.jsonl') })),
  ]);
  const outside: Outside = {
    suppliers: standIns.suppliers,
    max: config.max ?? { baseUrl: max.url },
    openOrigins: [site.origin],
  };
  return { folder, port: next(4), site, max, outside, close };

  async function close(): Promise<void> {
    await Promise.all([standIns.close(), site.close(), max.close()]);
  }
}

function sandboxFolder({ dataDir }: Config): string {
  return join(dataDir, 'sandbox');
}

function withReply(handleUpdate: App['handleUpdate']) {
  return (update: Update) => handleUpdate(update, { takesReply: true });
}

function webhookOf({ publicUrl, telegram }: Config): { url: string; secret: string } | null {
  if (!publicUrl || !telegram.token || !telegram.webhookSecret) return null;
  return { url: `${publicUrl}/webhook`, secret: telegram.webhookSecret };
}

/** What is on and what is off, so that nobody has to guess it from the settings. */
function announce(config: Config, port: number, suppliers: SupplierSettings, log: Log): void {
  log.info(
    {
      telegram: config.telegram.token ? (config.publicUrl ? 'webhook' : 'long polling') : 'sandbox',
      database: config.databaseUrl ? 'PostgreSQL' : `embedded, in ${config.dataDir}`,
      sessions: config.redisUrl ? 'Redis' : 'database',
      admin: config.adminId !== undefined,
      health_details: config.healthCheckToken !== undefined,
      shop_bot: config.shopBot ? 'on, webhooks at /api/max/{endpoint}' : 'off',
      pictures: config.supabase ? 'Supabase' : `folder, in ${config.dataDir}`,
      suppliers: Object.fromEntries(
        Object.entries(config.suppliers).map(([name, own]) => {
          const played = suppliers[name as keyof SupplierSettings];
          return [name, own ? 'on' : played ? `stand-in at ${new URL(played.baseUrl).origin}` : 'off'];
        }),
      ),
    },
    'settings',
  );
  if (!config.sandbox && !config.databaseUrl) {
    log.warn('DATABASE_URL is not set: data lives on this machine only, and one process may use it');
  }
  if (!config.encryptionKeys && config.databaseUrl) {
    log.warn('ENCRYPTION_KEY is not set: credentials are sealed with a key file on this machine only');
  }
  if (!config.telegram.token) log.info(`open http://localhost:${port} and talk to the bot`);
}

function announceChannels(apiRoot: string, { url }: StandIn, log: Log): void {
  log.info(
    `forty channels to post to: POST /api/ingest with "Authorization: Bearer ${demoEndpoint.secret}"; for other ` +
      `dispatchers TELEGRAM_API_ROOT=${apiRoot} MAX_BASE_URL=${url}`,
  );
}

function announceSite({ addressOf, login, password }: SandboxSite, log: Log): void {
  log.info(
    `a WordPress site for every person to try: ${addressOf('<Telegram id>')}, login "${login}", ` +
      `application password "${password}"`,
  );
}

/** Only this process may open the embedded database: the command of the runbook asks it to act. */
async function openOperations({ sql, sealing, autopost }: App, { dataDir }: Config, log: Log) {
  try {
    return await serveOperations({ dataDir, sql, sealing, onChanged: autopost.wake.ring, log });
  } catch (error) {
    log.warn({ err: error }, 'npm run autopost will not reach this process');
    return null;
  }
}

async function version(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
