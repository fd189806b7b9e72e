import { startMaxStandIn } from '../../src/sandbox/max/start.ts';
import { startPinterestStandIn } from '../../src/sandbox/pinterest/start.ts';
import { startVkStandIn } from '../../src/sandbox/vk/start.ts';

/** MAX, VK and Pinterest on loopback, and the settings under which a bot finds them. */
export async function startChannelStandIns() {
  const [max, vk, pinterest] = await Promise.all([
    startMaxStandIn(),
    startVkStandIn({ limits: null }),
    startPinterestStandIn(),
  ]);
  return {
    standIns: { max, vk, pinterest },
    env: {
      MAX_BASE_URL: max.url,
      VK_BASE_URL: vk.url,
      VK_SITE_URL: vk.url,
      PINTEREST_APP_ID: pinterest.app.appId,
      PINTEREST_APP_SECRET: pinterest.app.appSecret,
      PINTEREST_BASE_URL: `${pinterest.url}/v5`,
      PINTEREST_SITE_URL: pinterest.url,
    },
    close: async () => void (await Promise.all([max.close(), vk.close(), pinterest.close()])),
  };
}
