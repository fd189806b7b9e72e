import { makeKeepTrying } from '../autopost/queue/keep-trying.ts';
import { makeOpenToken } from '../autopost/queue/open-token.ts';
import type { Workspaces } from '../autopost/store/workspaces.ts';
import { createInTurn } from '../engine/in-turn.ts';
import type { Log } from '../log.ts';
import type { MaxAdapter } from '../platforms/max/publish.ts';
import { makeReceive } from '../shop-bot/receive.ts';
import { makeSender } from '../shop-bot/sender.ts';
import { makeShops } from '../shop-bot/shops.ts';
import { makeBotEndpoints } from '../shop-bot/store/endpoints.ts';
import { makeMessageStore } from '../shop-bot/store/messages.ts';
import { makeOutbox } from '../shop-bot/store/outbox.ts';
import { makeRuleStore } from '../shop-bot/store/rules.ts';
import { makeSweep } from '../shop-bot/sweep.ts';
import type { Database } from '../store/database.ts';

type Ground = {
  database: Pick<Database, 'sql' | 'embedded'>;
  workspaces: Workspaces;
  /** The one that autoposting sends with: there is no second way out. */
  max: MaxAdapter;
  log: Log;
  settings?: { graceMs?: number; leaseMs?: number; sweepEveryMs?: number; concurrency?: number };
};

export type ShopBot = ReturnType<typeof composeShopBot>;

/** The bot of a shop in MAX: from the webhook to the answer. */
export function composeShopBot({ database, workspaces, max, log, settings = {} }: Ground) {
  const { sql } = database;
  const { graceMs, leaseMs, sweepEveryMs, concurrency } = settings;
  const stopping = new AbortController();
  const rules = makeRuleStore(sql);
  const endpoints = makeBotEndpoints(sql);
  const outbox = makeOutbox(sql);
  const sender = makeSender({
    ...{ outbox, max, log },
    openToken: makeOpenToken({ workspaces }),
    keepTrying: makeKeepTrying({ log, signal: stopping.signal }),
    signal: stopping.signal,
    ...(concurrency !== undefined && { concurrency }),
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
    log,
  });
  return { receive, sender, sweep, stores: { rules, endpoints, outbox }, start, stop };

  async function start(): Promise<void> {
    // Nobody else has the embedded database: whatever was being sent, its process is gone.
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
