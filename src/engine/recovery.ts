import type { Log } from '../log.ts';
import type { CarryOn } from './carry-on.ts';
import { NewerState } from './not-applied.ts';
import type { SessionStore } from './session-store.ts';
import type { createShow } from './show.ts';
import { worksIn } from './situation.ts';
import type { Turn, Turns } from './turns.ts';
import type { createWork } from './work.ts';

const BATCH = 100;

/** Finishes what a process that has died left behind, without waiting for the person's next message. */
export function createRecovery({
  store,
  turns,
  work,
  show,
  carryOn,
  log,
}: {
  store: SessionStore;
  turns: Turns;
  work: ReturnType<typeof createWork>;
  show: ReturnType<typeof createShow>;
  carryOn: CarryOn;
  log: Log;
}) {
  return { sweep, showIfLost, heartbeat };

  /** Looks after every session that wanted attention by then. Never throws: the next sweep comes soon. */
  async function sweep(until: number): Promise<void> {
    try {
      const mine = new Set(work.users());
      const due = (await store.due(until, BATCH)).filter((userId) => !mine.has(userId));
      const outcomes = await Promise.allSettled(due.map((userId) => takeOver(userId, until)));
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled' || outcome.reason instanceof NewerState) continue;
        log.error({ err: outcome.reason }, 'a session could not be taken over');
      }
    } catch (error) {
      log.error({ err: error }, 'the sweep failed');
    }
  }

  function takeOver(userId: number, until: number): Promise<void> {
    return turns.take(userId, async (turn) => {
      // Another process was faster, or the person came back by themselves.
      if ((turn.hold.attention?.at ?? Number.POSITIVE_INFINITY) > until) return;
      const { session, flow, farewell } = turns.situationOf(turn);
      if (farewell) {
        const ended = { ...session, page: turns.home, notice: farewell };
        if (!(await turns.save(turn, ended))) return;
        Object.assign(turn.note, await show.view(turn, { session: ended, replace: null }));
        return;
      }
      const works = worksIn(session);
      turn.note.attention = works.length > 0 ? turns.lease() : null;
      for (const run of works) {
        const live = run.run === flow?.run.run ? flow : carryOn.usable(run);
        if (!live) continue;
        turn.log.info({ flow: run.flow, run: run.run }, 'work taken over');
        carryOn.detach(userId, live, work.begin(userId, live));
      }
      await showIfLost(turn);
      await carryOn.tellEnds(turn, session);
    });
  }

  async function showIfLost(turn: Turn): Promise<void> {
    if (turns.isSeen(turn)) return;
    const { session, flow } = turns.situationOf(turn);
    Object.assign(turn.note, await show.view(turn, { session, ...(flow && { flow }), replace: null }));
  }

  /** Work that runs in this process is not orphaned. */
  function heartbeat(): void {
    for (const userId of work.users()) {
      store
        .postpone(userId, turns.lease())
        .catch((error) => log.warn({ err: error, user: userId }, 'a sign of life was not taken'));
    }
  }
}
