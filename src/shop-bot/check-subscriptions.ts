import type { OpenToken } from '../autopost/queue/open-token.ts';
import type { Log } from '../log.ts';
import type { Max } from '../platforms/max/client.ts';
import { readSettings } from './settings.ts';
import type { ShopCondition } from './store/conditions.ts';
import type { BotEndpoints } from './store/endpoints.ts';

type Deps = { endpoints: BotEndpoints; openToken: OpenToken; max: Pick<Max, 'subscriptions'>; log: Log };

/**
 * Bots whose webhook MAX has dropped, as it does after eight hours without a success: their customers write, and no one
 * hears them. Only those that were subscribed by the command are looked at: it notes the address.
 */
export function makeCheckSubscriptions({ endpoints, openToken, max, log }: Deps) {
  return async (): Promise<ShopCondition[]> => {
    const gone: ShopCondition[] = [];
    for (const { workspaceId, workspaceName, endpointId, enabled, meta } of await endpoints.list()) {
      const webhook = (meta as { webhook?: unknown } | null)?.webhook;
      if (!enabled || typeof webhook !== 'string') continue;
      try {
        const token = await openToken(workspaceId, readSettings(meta).auth_ref, 'max');
        const found = token === null ? [] : await max.subscriptions(token);
        if (!found.some(({ url }) => url === webhook)) gone.push({ workspaceId, workspaceName, amount: 1 });
      } catch (error) {
        log.warn(
          { err: error, workspace: workspaceId, endpoint: endpointId },
          'a subscription was not checked',
        );
      }
    }
    return gone;
  };
}
