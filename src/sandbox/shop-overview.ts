import { makeLogs } from '../shop-bot/store/logs.ts';
import { makeOutbox } from '../shop-bot/store/outbox.ts';
import { makeRuleStore } from '../shop-bot/store/rules.ts';
import type { Sql } from '../store/database.ts';

export type ShopOverview = ReturnType<typeof makeShopOverview>;

/** What the database knows of the shop of the demo, as the page shows it. */
export function makeShopOverview(sql: Sql, workspaceId: string) {
  const [rules, logs, outbox] = [makeRuleStore(sql), makeLogs(sql), makeOutbox(sql)];
  return {
    rules: async () => (await rules.list(workspaceId)).filter(({ enabled }) => enabled),
    async chat(chatId: string | null) {
      if (chatId === null) return { state: null, log: [], answers: [] };
      const [state, log, answers] = await Promise.all([
        logs.stateOf(workspaceId, chatId),
        logs.list(workspaceId, { chatId, limit: 10 }),
        outbox.list(workspaceId, { chatId, limit: 10 }),
      ]);
      return { state, log, answers };
    },
  };
}
