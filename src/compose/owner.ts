import type { Config } from '../config.ts';
import type { Presenter } from '../engine/presenter.ts';
import type { Log } from '../log.ts';
import type { CheckServices } from '../services/monitor/check-services.ts';
import type { TellPerson } from '../services/notify/tell-person.ts';
import { makeAdminStore } from '../store/admin.ts';
import type { Database } from '../store/database.ts';
import type { Ledger } from '../store/ledger.ts';
import type { Payments } from '../store/payments.ts';
import { composeAdmin, type GiveBack } from './admin.ts';
import { composeBroadcasts } from './broadcasts.ts';
import { composeMonitor } from './monitor.ts';
import { composeOwnerWatch, type WatchGround } from './owner-watch.ts';

type Ground = {
  config: Pick<Config, 'adminId' | 'usdRate' | 'sentry'>;
  database: Pick<Database, 'sql' | 'embedded'>;
  users: {
    isAdmin(userId: number): Promise<boolean>;
    setBlocked(userId: number, isBlocked: boolean): Promise<void>;
  };
  checkServices: CheckServices;
  ledger: Pick<Ledger, 'credit' | 'balance'>;
  presenter: Presenter;
  tellPerson: TellPerson;
  money: { payments: Pick<Payments, 'latest' | 'byId'>; giveBack: GiveBack };
  /** Dialogues that work this moment. */
  busy(): number;
  /** Notes what became of a message of a broadcast. */
  counted?: (outcome: string) => void;
  stopping: AbortSignal;
  watch: WatchGround;
  log: Log;
};

/** The owner's eyes and voice: the panel, and messages to everybody. */
export function composeOwner(ground: Ground) {
  const { config, database, users, checkServices, ledger, presenter, tellPerson, money, stopping, log } =
    ground;
  const store = makeAdminStore(database.sql);
  const broadcasts = composeBroadcasts({
    ...{ database, presenter, stopping, log },
    setBlocked: users.setBlocked,
    ...(ground.counted && { counted: ground.counted }),
    note: store.note,
  });
  const monitor = composeMonitor({
    ...{ sql: database.sql, checkServices, log },
    note: store.note,
    busy: ground.busy,
    sentry: config.sentry,
  });
  const watch = composeOwnerWatch({ sql: database.sql, checkServices, ...ground.watch });
  const { pages } = composeAdmin({
    ...{ store, checkServices, ledger, tellPerson, log },
    isAdmin: async (userId) => userId === config.adminId && (await users.isAdmin(userId)),
    payments: money.payments,
    giveBack: money.giveBack,
    usdRate: config.usdRate,
    broadcasts: broadcasts.pages,
    monitor: monitor.pages,
  });
  return {
    pages,
    jobs: {
      sendBroadcasts: broadcasts.send,
      beat: monitor.beat,
      writeErrors: monitor.writeErrors,
      purge: () => Promise.all([broadcasts.purge(), monitor.purge()]),
      ...watch,
    },
    start: () => Promise.all([broadcasts.start(), monitor.beat()]),
    close: monitor.close,
  };
}
