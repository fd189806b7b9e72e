import { randomBytes } from 'node:crypto';
import type { Json } from '../../engine/json.ts';
import { makeBotEndpoints } from '../../shop-bot/store/endpoints.ts';
import type { Sql } from '../../store/database.ts';

/** The bot of a shop: the entrance that is open, the newest of them. Null: there is none. */
export async function botOf(sql: Sql, workspaceId: string) {
  const bot = (await makeBotEndpoints(sql).list(workspaceId)).find(({ enabled }) => enabled);
  return bot ? { ...bot, meta: bot.meta as { auth_ref: string } & { [name: string]: Json } } : null;
}

export const newEndpointId = (): string => `bot-${randomBytes(6).toString('hex')}`;
