import type { Workspaces } from '../autopost/store/workspaces.ts';
import { makeBotEndpoints } from '../shop-bot/store/endpoints.ts';
import { makeRuleStore } from '../shop-bot/store/rules.ts';
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
