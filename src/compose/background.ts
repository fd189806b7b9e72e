import { randomUUID } from 'node:crypto';
import { makeJobs } from '../autopost/store/jobs.ts';
import type { Config } from '../config.ts';
import type { Operations } from '../engine/operations.ts';
import type { Log } from '../log.ts';
import type { Screen } from '../screens/kit/screen.ts';
import type { Sql, TransactionSql } from '../store/database.ts';
import { createJobs, type JobHandler } from '../store/jobs.ts';
import type { Ledger } from '../store/ledger.ts';
import { createSchemaWatch } from '../store/schema-watch.ts';
import { sweepDialogues } from '../store/sweep-dialogues.ts';
import { sweepExpired } from '../store/sweep-expired.ts';
import { makeEndAbandoned } from './abandoned-work.ts';
import type { composeArticles } from './articles.ts';
import { createRecurring } from './create-recurring.ts';
import type { composeMedia } from './media.ts';
import type { composeMoney } from './money.ts';
import type { composeOwner } from './owner.ts';
import type { composePosts } from './posts.ts';
import { recurringJobs } from './recurring-jobs.ts';
import type { composeRefreshes } from './refreshes.ts';
import type { composeShopBot } from './shop-bot.ts';

type Ground = {
  config: Config;
  sql: Sql;
  operations: Operations<TransactionSql>;
  ledger: Ledger;
  /** Which handler runs which kind of job. A kind that is missing here waits for a process that has it. */
  handlers: Readonly<Record<string, JobHandler>>;
  articles: ReturnType<typeof composeArticles>;
  posts: ReturnType<typeof composePosts>;
  refreshes: ReturnType<typeof composeRefreshes>;
  media: ReturnType<typeof composeMedia>;
  money: ReturnType<typeof composeMoney>;
  owner: ReturnType<typeof composeOwner>;
  shopBot: ReturnType<typeof composeShopBot> | null;
  tell(userId: number, screen: Screen): Promise<void>;
  stopping: AbortSignal;
  log: Log;
};

/** What is done without a person asking: jobs that wait in the database, and what recurs. */
export function composeBackground(ground: Ground) {
  const { config, sql, operations, ledger, handlers, articles, posts, refreshes, log } = ground;
  const { media, money, owner, shopBot, tell, stopping } = ground;
  const jobs = createJobs({ sql, operations, handlers, log });
  const schema = createSchemaWatch(sql);
  const recurring = createRecurring(
    recurringJobs({
      finishPublications: () =>
        Promise.all([articles.finishPublications(stopping), posts.finishPosts(stopping)]),
      expireDrafts: () =>
        Promise.all([articles.expireDrafts(), posts.expirePosts(), refreshes.expireRefreshes()]),
      endAbandonedWork: makeEndAbandoned({ sql, ledger, drafts: articles.drafts, tell, log }),
      removeExpired: () => sweepExpired(sql, config.engine.ttlSeconds),
      sweepDialogues: () => sweepDialogues(sql),
      sweepMedia: media.sweep,
      // Not waited for: a job that takes long must not keep the others from beginning.
      runJobs: async () => void jobs.sweep(),
      money: money.jobs,
      owner: owner.jobs,
      lookAtSchema: schema.look,
      shops: shopBot?.jobs ?? null,
    }),
    { turns: makeJobs(sql), by: randomUUID(), log },
  );
  return { jobs, recurring, outdated: schema.outdated };
}
