import type { ToldAlerts } from '../autopost/store/told-alerts.ts';
import type { Tell } from '../autopost/watch/alerts.ts';
import { number, plural } from '../russian.ts';
import type { ShopCondition, ShopConditions } from './store/conditions.ts';

type Kind = 'bot_unknown' | 'bot_errors' | 'bot_misses' | 'bot_subscription';

type Deps = {
  conditions: ShopConditions;
  /** Bots whose webhook is gone. */
  subscriptions(): Promise<ShopCondition[]>;
  told: ToldAlerts;
  tell: Tell;
};

/** Told above this: a number of answers, a share in percent, a webhook that is gone. */
const limits: Readonly<Record<Kind, number>> = {
  bot_unknown: 0,
  bot_errors: 5,
  bot_misses: 40,
  bot_subscription: 0,
};
const MUCH_MORE = 2;

const texts: Readonly<Record<Kind, (amount: number, workspaceId: string) => string>> = {
  bot_unknown: (amount, id) =>
    `неизвестно, дошли ли ${plural(amount, 'ответ', 'ответа', 'ответов')} покупателям. Посмотрите в чат и решите: npm run shop-bot -- outbox --workspace ${id} --status unknown`,
  bot_errors: (amount, id) =>
    `за 15 минут не ушло ${number(amount)} % ответов: npm run shop-bot -- outbox --workspace ${id} --status failed`,
  bot_misses: (amount, id) =>
    `за час бот не понял ${number(amount)} % сообщений. Пора добавить правила: npm run shop-bot -- logs --workspace ${id}`,
  bot_subscription: (_, id) =>
    `MAX больше не присылает сообщения покупателей. Верните подписку: npm run shop-bot -- subscribe --workspace ${id}`,
};

/** Looks after all shops and tells what is wrong: once, and again when it has doubled. */
export function makeShopWatch({ conditions, subscriptions, told, tell }: Deps) {
  return {
    look: async () => {
      await report('bot_unknown', await conditions.unknown());
      await report('bot_errors', await conditions.errors());
      await report('bot_misses', await conditions.misses());
    },
    checkSubscriptions: async () => report('bot_subscription', await subscriptions()),
  };

  async function report(kind: Kind, found: readonly ShopCondition[]): Promise<void> {
    const known = (await told.list()).filter(({ condition }) => condition === kind);
    const bad = found.filter(({ amount }) => amount > limits[kind]);
    for (const { workspaceId, workspaceName, amount } of bad) {
      const before = known.find((one) => one.workspaceId === workspaceId);
      if (before && amount < before.amount * MUCH_MORE) continue;
      await tell(`${workspaceName}: ${texts[kind](amount, workspaceId)}`);
      await told.keep({ workspaceId, condition: kind, amount, newestAt: null });
    }
    for (const { workspaceId } of known)
      if (!bad.some((one) => one.workspaceId === workspaceId))
        await told.forget({ workspaceId, condition: kind });
  }
}
