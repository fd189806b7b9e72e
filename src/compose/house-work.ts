import type { HouseWork } from '../http/house-calls.ts';
import type { Log } from '../log.ts';
import { awayScreen, digestScreen, lowBalanceScreen } from '../screens/pages/notices.ts';
import { makeNotifyPeople } from '../services/notify/notify-people.ts';
import type { TellPerson } from '../services/notify/tell-person.ts';
import type { PictureStore } from '../services/pictures/picture-store.ts';
import { makeCleanUp } from '../services/schedules/clean-up.ts';
import { houseCalls } from '../services/schedules/house-calls.ts';
import type { Schedules } from '../services/schedules/schedules.ts';
import { makeAdminStore } from '../store/admin.ts';
import type { Sql } from '../store/database.ts';
import { makeNotices } from '../store/notices.ts';
import { makeRetention } from '../store/retention.ts';
import { sweepDialogues } from '../store/sweep-dialogues.ts';

const texts = { lowBalance: lowBalanceScreen, digest: digestScreen, away: awayScreen };

/** What the product does by itself at fixed hours: cleanup and unprompted notices. */
export function composeHouseWork({
  sql,
  schedules,
  tell,
  files,
  expireDrafts,
  checkRanks,
  log,
  now = () => new Date(),
}: {
  sql: Sql;
  schedules: Schedules;
  tell: TellPerson;
  files: PictureStore;
  expireDrafts(): Promise<{ expired: number; refunds: number }>;
  checkRanks(): Promise<object>;
  log: Log;
  now?: () => Date;
}): HouseWork & { start(): Promise<void> } {
  const notifyPeople = makeNotifyPeople({ notices: makeNotices(sql), texts, tell, log, now });
  const { isAutomaticOn } = makeAdminStore(sql);
  return {
    cleanUp: makeCleanUp({
      ...{ expireDrafts, files, log, now },
      ...makeRetention(sql),
      sweepDialogues: () => sweepDialogues(sql),
    }),
    // The owner switches each kind off and on.
    notify: async (type) => ((await isAutomaticOn(type)) ? notifyPeople(type) : { type, sent: 0, failed: 0 }),
    checkRanks,
    start,
  };

  /** A scheduler that is away at the start has the calls of an earlier one, or gets them at the next. */
  async function start(): Promise<void> {
    try {
      for (const call of houseCalls) await schedules.set(call);
    } catch (err) {
      log.warn({ err }, 'the calls of the house could not be set');
    }
  }
}
