import type { Presenter } from '../engine/presenter.ts';
import type { Log } from '../log.ts';
import type { BroadcastData } from '../menu/broadcast.ts';
import { broadcastMessage, endedScreen, progressScreen } from '../screens/pages/broadcast.ts';
import { makeSendBroadcasts } from '../services/notify/send-broadcasts.ts';
import type { AdminStore } from '../store/admin.ts';
import { makeBroadcasts, type Outcome } from '../store/broadcasts.ts';
import type { Database } from '../store/database.ts';

const LATEST = 5;
const texts = { message: broadcastMessage, progress: progressScreen, ended: endedScreen };

/** The owner's messages to many: the pages that make them, and the work that sends them. */
export function composeBroadcasts({
  database: { sql, embedded },
  note,
  settings,
  ...ground
}: {
  database: Pick<Database, 'sql' | 'embedded'>;
  presenter: Presenter;
  setBlocked(userId: number, isBlocked: boolean): Promise<void>;
  note: AdminStore['note'];
  counted?: (outcome: Outcome) => void;
  stopping: AbortSignal;
  settings?: Parameters<typeof makeBroadcasts>[1];
  log: Log;
}) {
  const broadcasts = makeBroadcasts(sql, settings);
  const pages: BroadcastData = {
    sizes: broadcasts.sizes,
    reach: broadcasts.reach,
    latest: () => broadcasts.latest(LATEST),
    broadcast: broadcasts.byId,
    draftBroadcast: broadcasts.draft,
    markImportant: broadcasts.setImportant,
    async beginBroadcast(adminId, id, isImportant) {
      const found = await broadcasts.byId(id);
      if (!found) return false;
      const isBegun = (await broadcasts.begin(found, isImportant)) || found.status !== 'draft';
      if (!isBegun) return false;
      const { audience, content } = found;
      await note({
        adminId,
        action: 'broadcast',
        details: { id, audience, isImportant, text: content.text },
        key: `broadcast:${id}`,
      });
      return true;
    },
    async stopBroadcast(adminId, id, key) {
      if ((await broadcasts.byId(id))?.status !== 'sending') return false;
      await note({ adminId, action: 'stop-broadcast', details: { id }, key });
      return broadcasts.stop(id);
    },
    async resumeBroadcast(adminId, id, key) {
      if ((await broadcasts.byId(id))?.status !== 'stopped') return false;
      await note({ adminId, action: 'resume-broadcast', details: { id }, key });
      return broadcasts.resume(id);
    },
  };
  return {
    pages,
    send: makeSendBroadcasts({ ...ground, broadcasts, texts }),
    purge: broadcasts.purge,
    /** The embedded database has one process: what was under way belongs to an earlier one. */
    start: () => (embedded ? broadcasts.releaseLost({ all: true }) : Promise.resolve()),
  };
}
