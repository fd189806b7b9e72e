import type { RecurringJob } from './create-recurring.ts';

type Work = {
  finishPublications(): Promise<unknown>;
  expireDrafts(): Promise<unknown>;
  endAbandonedWork(): Promise<unknown>;
  removeExpired(): Promise<unknown>;
  sweepDialogues(): Promise<unknown>;
  sweepMedia(): Promise<unknown>;
  runJobs(): Promise<unknown>;
  money: {
    pauseUnrenewed(): Promise<unknown>;
    lookAtCardPayments(): Promise<unknown>;
    announceRenewals(): Promise<unknown>;
    renewSubscriptions(): Promise<unknown>;
  };
  owner: {
    sendBroadcasts(): Promise<unknown>;
    beat(): Promise<unknown>;
    writeErrors(): Promise<unknown>;
    purge(): Promise<unknown>;
    watchServices(): Promise<unknown>;
    watchWork(): Promise<unknown>;
    watchDisk(): Promise<unknown>;
  };
  lookAtSchema(): Promise<unknown>;
  /** Null: the bots of shops are switched off. */
  shops: {
    look(): Promise<unknown>;
    checkSubscriptions(): Promise<unknown>;
    purge(): Promise<unknown>;
  } | null;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * Everything that is done now and then without a person asking. Not here: the sweep for sessions, which belongs to the
 * engine and its heartbeats, and the watchman of autoposting, which keeps a list of its own.
 */
export const recurringJobs = (work: Work): RecurringJob[] => [
  { name: 'finish publications', everyMs: MINUTE, runsIn: 'every process', run: work.finishPublications },
  { name: 'expire drafts', everyMs: 10 * MINUTE, runsIn: 'one process', run: work.expireDrafts },
  { name: 'end abandoned work', everyMs: 5 * MINUTE, runsIn: 'one process', run: work.endAbandonedWork },
  { name: 'remove expired rows', everyMs: 5 * MINUTE, runsIn: 'one process', run: work.removeExpired },
  { name: 'sweep dialogues', everyMs: 10 * MINUTE, runsIn: 'one process', run: work.sweepDialogues },
  { name: 'sweep photos', everyMs: 6 * 60 * MINUTE, runsIn: 'one process', run: work.sweepMedia },
  { name: 'run jobs', everyMs: 2 * SECOND, runsIn: 'every process', run: work.runJobs },
  ...moneyJobs(work.money),
  ...ownerJobs(work.owner),
  { name: 'look at the schema', everyMs: 15 * SECOND, runsIn: 'every process', run: work.lookAtSchema },
  ...(work.shops ? shopJobs(work.shops) : []),
];

const shopJobs = ({ look, checkSubscriptions, purge }: NonNullable<Work['shops']>): RecurringJob[] => [
  { name: 'look after shops', everyMs: MINUTE, runsIn: 'one process', run: look },
  { name: 'check webhooks of shops', everyMs: 60 * MINUTE, runsIn: 'one process', run: checkSubscriptions },
  { name: 'forget what customers said', everyMs: 60 * MINUTE, runsIn: 'one process', run: purge },
];

const ownerJobs = (owner: Work['owner']): RecurringJob[] => [
  { name: 'send broadcasts', everyMs: SECOND, runsIn: 'every process', run: owner.sendBroadcasts },
  { name: 'say that this process lives', everyMs: 15 * SECOND, runsIn: 'every process', run: owner.beat },
  { name: 'write errors', everyMs: 2 * SECOND, runsIn: 'every process', run: owner.writeErrors },
  { name: 'watch the services', everyMs: 15 * SECOND, runsIn: 'every process', run: owner.watchServices },
  { name: 'watch the work', everyMs: MINUTE, runsIn: 'one process', run: owner.watchWork },
  { name: 'watch the disk', everyMs: 5 * MINUTE, runsIn: 'every process', run: owner.watchDisk },
  { name: 'forget what the owner saw', everyMs: 60 * MINUTE, runsIn: 'one process', run: owner.purge },
];

const moneyJobs = (money: Work['money']): RecurringJob[] => [
  { name: 'pause subscriptions', everyMs: 10 * MINUTE, runsIn: 'one process', run: money.pauseUnrenewed },
  { name: 'look at card payments', everyMs: MINUTE, runsIn: 'one process', run: money.lookAtCardPayments },
  { name: 'announce renewals', everyMs: 60 * MINUTE, runsIn: 'one process', run: money.announceRenewals },
  { name: 'renew subscriptions', everyMs: MINUTE, runsIn: 'one process', run: money.renewSubscriptions },
];
