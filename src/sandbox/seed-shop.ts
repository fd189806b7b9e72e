import type { Workspaces } from '../autopost/store/workspaces.ts';
import { createMax } from '../platforms/max/client.ts';
import { makeBotEndpoints } from '../shop-bot/store/endpoints.ts';
import { makeRuleStore } from '../shop-bot/store/rules.ts';
import { updateTypes } from '../shop-bot/update-types.ts';
import type { Sql } from '../store/database.ts';
import { demoRules, demoShop, demoShopSettings } from './demo-shop.ts';

/** The shop of the demo, if it is not there yet; what somebody changed in it stays. False: it was there. */
export async function seedShop(sql: Sql, workspaces: Workspaces): Promise<boolean> {
  const { workspaceId, name, endpointId, secret, ingressRps, bot } = demoShop;
  const endpoints = makeBotEndpoints(sql);
  if ((await endpoints.list(workspaceId)).length > 0) return false;
  await workspaces.save(workspaceId, name);
  await workspaces.saveCredential(workspaceId, bot.authRef, 'max', { token: bot.token });
  await makeRuleStore(sql).save(workspaceId, demoRules);
  // Last, because it tells that all the rest is there.
  await workspaces.saveEndpoint(workspaceId, { endpointId, kind: 'bot_webhook', secret, ingressRps });
  await endpoints.saveMeta(workspaceId, endpointId, demoShopSettings);
  return true;
}

type ShopApp = { sql: Sql; autopost: { stores: { workspaces: Workspaces } } };

/** Its rules in the database, its webhook at this process: the stand-in forgets its subscriptions when it ends. */
export async function openShop({ sql, autopost }: ShopApp, maxUrl: string, ownUrl: string): Promise<void> {
  await seedShop(sql, autopost.stores.workspaces);
  const { endpointId, secret, bot } = demoShop;
  const url = `${ownUrl}/api/max/${endpointId}`;
  await createMax({ baseUrl: maxUrl }).subscribe(bot.token, { url, secret, update_types: updateTypes });
}
