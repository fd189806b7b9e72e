import { setTimeout as delay } from 'node:timers/promises';
import { ChatClosed, type Presenter, ShowLater } from '../../engine/presenter.ts';
import type { Log } from '../../log.ts';
import type { Screen } from '../../screens/kit/screen.ts';
import type { Broadcast, BroadcastContent } from '../../screens/pages/broadcast.ts';
import type { Batch, Broadcasts, Outcome } from '../../store/broadcasts.ts';

// A second's worth: what a dying process had claimed and not begun waits for its lease.
const BATCH = 20;
// While the messenger cannot be reached.
const REST_MS = 5_000;

type Deps = {
  broadcasts: Broadcasts;
  presenter: Presenter;
  setBlocked(userId: number, isBlocked: boolean): Promise<void>;
  /** What people get, and what the owner reads meanwhile. */
  texts: {
    message(content: BroadcastContent): Screen;
    progress(broadcast: Broadcast): Screen;
    ended(broadcast: Broadcast): Screen;
  };
  counted?: (outcome: Outcome) => void;
  stopping: AbortSignal;
  log: Log;
};

/**
 * Sends what broadcasts owe, together with all other processes, at a pace that they share. A person is marked before
 * the call: a process that dies in mid-call leaves one `unknown` behind, and never a second message.
 */
export function makeSendBroadcasts(deps: Deps) {
  const { broadcasts, presenter, texts, counted = () => {}, stopping, log } = deps;
  return async (): Promise<void> => {
    await broadcasts.releaseLost();
    while (!stopping.aborted) {
      const batch = await broadcasts.claim(BATCH);
      if (!batch) break;
      await sendBatch(batch);
      await tellProgress(batch.broadcastId);
    }
    await broadcasts.finish();
    for (let ended = await next(); ended; ended = await next()) await tellEnd(ended);
  };

  function next(): Promise<Broadcast | null> {
    return stopping.aborted ? Promise.resolve(null) : broadcasts.takeReport();
  }

  /** Each leaves at its own moment, however long the answers before it take. */
  async function sendBatch(batch: Batch): Promise<void> {
    const screen = texts.message(batch.content);
    const begunAt = Date.now() + batch.waitMs;
    const sends: Promise<void>[] = [];
    let isOver = false;
    for (const [i, userId] of batch.userIds.entries()) {
      await delay(Math.max(0, begunAt + i * batch.gapMs - Date.now()));
      if (isOver || stopping.aborted) break;
      sends.push(
        sendOne(batch, userId, screen).then((goesOn) => {
          isOver ||= !goesOn;
        }),
      );
    }
    const failed = (await Promise.allSettled(sends)).filter(({ status }) => status === 'rejected');
    await broadcasts.giveBack(batch);
    // A store was away: what was being sent is `unknown` when its lease ends. The next turn goes on.
    if (failed[0]?.status === 'rejected') throw failed[0].reason;
  }

  /** False: the rest of the batch has to wait. */
  async function sendOne(batch: Batch, userId: number, screen: Screen): Promise<boolean> {
    if (!(await broadcasts.startSending(batch, userId))) return false;
    const outcome = await bring(userId, screen);
    if (typeof outcome === 'string') {
      await broadcasts.settle(batch, userId, outcome);
      counted(outcome);
      if (outcome === 'blocked') await deps.setBlocked(userId, true);
      return true;
    }
    await broadcasts.giveBack(batch, userId);
    await broadcasts.rest(outcome.restMs);
    return false;
  }

  async function bring(userId: number, screen: Screen): Promise<Outcome | { restMs: number }> {
    try {
      await presenter.show({ userId, screen, notice: null, replace: null });
      return 'sent';
    } catch (error) {
      if (error instanceof ChatClosed) return 'blocked';
      if (!(error instanceof ShowLater)) {
        log.warn({ err: error, user: userId }, 'a message of a broadcast was refused');
        return 'failed';
      }
      if (error.mayHaveArrived) return 'unknown';
      log.warn({ err: error, user: userId }, 'a broadcast waits for the messenger');
      return { restMs: error.retryAfterMs ?? REST_MS };
    }
  }

  async function tellProgress(id: number): Promise<void> {
    const broadcast = await broadcasts.takeProgress(id);
    if (!broadcast) return;
    const messageId = await tellOwner(broadcast, texts.progress(broadcast), broadcast.progressMessage);
    if (messageId !== null && messageId !== broadcast.progressMessage)
      await broadcasts.keepProgressMessage(id, messageId);
  }

  /** In a message of its own: an edited one makes no sound. The progress goes. */
  async function tellEnd(broadcast: Broadcast): Promise<void> {
    const { id, adminId, progressMessage } = broadcast;
    const screen = texts.ended(broadcast);
    const discard = progressMessage === null ? {} : { discard: progressMessage };
    await presenter
      .show({ userId: adminId, screen, notice: null, replace: null, ...discard })
      .catch((err) => log.warn({ err, broadcast: id }, 'the end of a broadcast was not told'));
    await broadcasts.noteReported(id);
    log.info({ broadcast: id, ...countsOf(broadcast) }, 'a broadcast ended');
  }

  async function tellOwner({ id, adminId }: Broadcast, screen: Screen, replace: string | null) {
    try {
      return (await presenter.show({ userId: adminId, screen, notice: null, replace })).messageId;
    } catch (err) {
      log.warn({ err, broadcast: id }, 'the progress of a broadcast was not told');
      return null;
    }
  }
}

const countsOf = ({ recipients, sent, blocked, failed, unknown, unwanted }: Broadcast) => ({
  ...{ recipients, sent, blocked, failed, unknown, unwanted },
});
