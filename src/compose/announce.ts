import type { Config, SupplierSettings } from '../config.ts';
import type { Log } from '../log.ts';
import { abilitiesOf } from './abilities.ts';

/** The start log: what is on and what is off. */
export function announce(config: Config, port: number, suppliers: SupplierSettings, log: Log): void {
  log.info(
    {
      telegram: config.telegram.token ? (config.publicUrl ? 'webhook' : 'long polling') : 'sandbox',
      database: config.databaseUrl ? 'PostgreSQL' : `embedded, in ${config.dataDir}`,
      sessions: config.redisUrl ? 'Redis' : 'database',
      admin: config.adminId !== undefined,
      health_details: config.healthCheckToken !== undefined,
      sentry: config.sentry ? new URL(config.sentry.url).host : 'off',
      vk: stateOf(config.vk, config),
      max: stateOf(config.max, config),
      pinterest: pinterestState(config),
      cards: stateOf(config.yookassa, config),
      metrics: config.metricsToken === undefined ? 'off' : 'on',
      index_now: config.indexNow.length > 0 ? 'on' : 'off',
      reviews: config.reviews ? 'on' : 'off',
      trainer: config.trainer ? 'on' : 'off',
      shop_bot: config.shopBot ? 'on, webhooks at /api/max/{endpoint}' : 'off',
      pictures: config.supabase ? 'Supabase' : `folder, in ${config.dataDir}`,
      schedules: config.qstash ? 'QStash' : 'embedded scheduler',
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
  if (!abilitiesOf(config, suppliers).writes) {
    log.warn(
      'OPENROUTER_API_KEY is not set: nothing can be written, and people are told so; SANDBOX=1 lets a stand-in write',
    );
  }
  if (!config.sandbox && !config.publicUrl && !config.supabase) {
    log.warn(
      'PUBLIC_URL is not set: browsers cannot reach the pictures, and previews of articles are shown without them',
    );
  }
  if (!config.telegram.token) log.info(`open http://localhost:${port} and talk to the bot`);
}

const stateOf = (settings: object | null, { sandbox }: Config): string =>
  settings ? 'on' : sandbox ? 'stand-in' : 'off';

/** Its button is absent where something is missing: this is where the operator reads what. */
function pinterestState({ pinterest, sandbox, publicUrl }: Config): string {
  if (!pinterest) return sandbox ? 'stand-in' : 'off: PINTEREST_APP_ID and PINTEREST_APP_SECRET are not set';
  const isReachable = sandbox || publicUrl?.startsWith('https:');
  return isReachable
    ? 'on'
    : 'off: PUBLIC_URL is not set to an https address, so people could not come back from its consent page';
}
