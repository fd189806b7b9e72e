import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { demoEndpoint } from './demo-channels.ts';
import { startMaxStandIn } from './max/start.ts';
import { startSandboxPinterest } from './sandbox-pinterest.ts';
import { startSandboxSite } from './sandbox-site.ts';
import { startSandboxVk } from './sandbox-vk.ts';
import { onPort } from './stand-in.ts';
import { startSupplierStandIns } from './supplier-stand-ins.ts';
import { startYooKassaStandIn } from './yookassa/start.ts';

/** Visibly no secrets: they open nothing but the stand-in on this machine. */
const SHOP = { shopId: '100500', secretKey: 'test_sandbox-key-of-no-value' };

export type Surroundings = Awaited<ReturnType<typeof startSurroundings>>;

/** The suppliers that have no key, and a site to publish to. On ports next to ours, where links to them stay good. */
export async function startSurroundings(config: Config) {
  const folder = join(config.dataDir, 'sandbox');
  const next = (offset: number) => (config.port === 0 ? 0 : config.port + offset);
  const [standIns, site, max, vk, pinterest, shop] = await Promise.all([
    startSupplierStandIns(config.suppliers, { folder, port: next(2) }),
    startSandboxSite(folder, next(1)),
    onPort(next(3), (port) => startMaxStandIn({ port, journal: join(folder, 'max.jsonl') })),
    startSandboxVk(folder, next(5)),
    startSandboxPinterest(folder, next(6)),
    onPort(next(7), (port) =>
      startYooKassaStandIn({ ...SHOP, port, journal: join(folder, 'yookassa.jsonl') }),
    ),
  ]);
  const outside = {
    suppliers: standIns.suppliers,
    max: config.max ?? { baseUrl: max.url },
    vk: config.vk ?? { baseUrl: vk.url, siteUrl: vk.url },
    pinterest: config.pinterest ?? pinterest.settings,
    yookassa: config.yookassa ?? {
      ...SHOP,
      baseUrl: `${shop.url}/v3`,
      returnUrl: undefined,
      receiptEmail: 'shop@sandbox.invalid',
      senders: ['127.0.0.1', '::1'],
    },
    openOrigins: [site.origin],
  };
  return { folder, port: next(4), shop, site, max, vk, pinterest, outside, announce, close };

  /** `apiRoot`: of the Telegram stand-in, if there is one. */
  function announce(log: Log, apiRoot: string | null): void {
    const { addressOf, login, password } = site;
    log.info(
      `a WordPress site for every person to try: ${addressOf('<Telegram id>')}, login "${login}", ` +
        `application password "${password}"`,
    );
    if (apiRoot === null) return;
    log.info(
      `forty channels to post to: POST /api/ingest with "Authorization: Bearer ${demoEndpoint.secret}"; for other ` +
        `dispatchers TELEGRAM_API_ROOT=${apiRoot} MAX_BASE_URL=${max.url}`,
    );
  }

  async function close(): Promise<void> {
    await Promise.all([
      standIns.close(),
      site.close(),
      max.close(),
      vk.close(),
      pinterest.close(),
      shop.close(),
    ]);
  }
}
