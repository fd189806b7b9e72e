import { makeKeepTrying } from '../autopost/queue/keep-trying.ts';
import { makeOpenToken } from '../autopost/queue/open-token.ts';
import { makeToldAlerts } from '../autopost/store/told-alerts.ts';
import type { Workspaces } from '../autopost/store/workspaces.ts';
import type { Tell } from '../autopost/watch/alerts.ts';
import { createInTurn } from '../engine/in-turn.ts';
import type { Log } from '../log.ts';
import { createMax } from '../platforms/max/client.ts';
import type { MaxAdapter } from '../platforms/max/publish.ts';
import { makeCheckSubscriptions } from '../shop-bot/check-subscriptions.ts';
import { makeReceive } from '../shop-bot/receive.ts';
import { makeSender } from '../shop-bot/sender.ts';
import { makeShops } from '../shop-bot/shops.ts';
import { makeShopConditions } from '../shop-bot/store/conditions.ts';
import { makeBotEndpoints } from '../shop-bot/store/endpoints.ts';
import { makeMessageStore } from '../shop-bot/store/messages.ts';
import { makeOutbox } from '../shop-bot/store/outbox.ts';
import { makeRuleStore } from '../shop-bot/store/rules.ts';
import { makeSweep } from '../shop-bot/sweep.ts';
import { makeShopWatch } from '../shop-bot/watch.ts';
import type { Database } from '../store/database.ts';

type Ground = {
  database: Pick<Database, 'sql' | 'embedded'>;
  workspaces: Workspaces;
  /** The one that autoposting sends with: there is no second way out. */
  max: MaxAdapter;
  /** The address of MAX, to look whether it still brings messages. */
  maxUrl: string;
  /** Brings a word to those who look after the shops. */
  tell: Tell;
  log: Log;
  settings?: {
    graceMs?: number;
    leaseMs?: number;
    sweepEveryMs?: number;
    concurrency?: number;
    callsPerSecond?: number;
    chatGapMs?: number;
  };
};

/** The bot of a shop in MAX: from the webhook to the answer. */
export function composeShopBot(ground: Ground) {
  const { database, workspaces, max, maxUrl, tell, log, settings = {} } = ground;
  const { sql } = database;
  const { graceMs, leaseMs, sweepEveryMs, concurrency, callsPerSecond, chatGapMs } = settings;
  const stopping = new AbortController();
  const rules = makeRuleStore(sql);
  const endpoints = makeBotEndpoints(sql);
  const outbox = makeOutbox(sql);
  const openToken = makeOpenToken({ workspaces });
  const sender = makeSender({
    ...{ outbox, max, log },
    openToken,
    keepTrying: makeKeepTrying({ log, signal: stopping.signal }),
    signal: stopping.signal,
    ...(concurrency !== undefined && { concurrency }),
    ...(callsPerSecond !== undefined && { callsPerSecond }),
    ...(chatGapMs !== undefined && { chatGapMs }),
  });
  const sweep = makeSweep({
    ...{ outbox, sender, log },
    ...(leaseMs !== undefined && { leaseMs }),
    ...(sweepEveryMs !== undefined && { everyMs: sweepEveryMs }),
  });
  const receive = makeReceive({
    messages: makeMessageStore(sql, { ...(graceMs !== undefined && { graceMs }) }),
    shops: makeShops({ rules, endpoints }),
    inTurn: createInTurn(),
    send: sender.send,
    sendDue: sender.sendDue,
    log,
  });
  const watch = makeShopWatch({
    conditions: makeShopConditions(sql),
    subscriptions: makeCheckSubscriptions({ endpoints, openToken, max: createMax({ baseUrl: maxUrl }), log }),
    told: makeToldAlerts(sql),
    tell,
  });
  const jobs = { ...watch, purge: () => sql`select from purge_shop_bot()` };
  return { receive, sender, sweep, jobs, stores: { rules, endpoints, outbox }, start, stop };

  async function start(): Promise<void> {
    // The embedded database belongs to this process alone: the owner of anything still being sent is gone.
    if (database.embedded) await sweep.loseAll();
    sweep.start();
  }

  /** What is being sent may finish within the grace; then the calls are broken off, and count as unknown. */
  async function stop(graceMs = 30_000): Promise<void> {
    const late = setTimeout(() => stopping.abort(), graceMs);
    await Promise.all([sweep.stop(), sender.finish()]);
    clearTimeout(late);
  }
}
