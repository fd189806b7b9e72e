import type { Log } from '../log.ts';
import type { CarryOn } from './carry-on.ts';
import type { Deeds } from './deeds.ts';
import { NewerState } from './not-applied.ts';
import type { Session } from './session.ts';
import type { SessionStore } from './session-store.ts';
import type { createShow } from './show.ts';
import { worksIn } from './situation.ts';
import type { Turn, Turns } from './turns.ts';
import type { createWork } from './work.ts';

const BATCH = 100;
/** How long a swept session belongs to this sweep alone. Longer than a take-over lasts: later its process counts as dead. */
const CLAIM_MS = 5_000;

const A_DAY_MS = 24 * 60 * 60_000;

/** Finishes what a process that has died left behind, without waiting for the person's next message. */
export function createRecovery({
  store,
  turns,
  work,
  show,
  carryOn,
  deeds,
  arm = async () => undefined,
  log,
  now,
}: {
  store: SessionStore;
  turns: Turns;
  work: ReturnType<typeof createWork>;
  show: ReturnType<typeof createShow>;
  carryOn: CarryOn;
  deeds: Deeds;
  arm?: (userId: number, session: Session) => Promise<void>;
  log: Log;
  now: () => number;
}) {
  let sweeping: Promise<void> | null = null;
  return { sweep, sweepAll, showIfLost, heartbeat };

  /**
   * Looks after every session that wants attention by now. One at a time: on a slow store, sweeps that start by the
   * clock would pile up. Never throws: the next one comes soon.
   */
  function sweep(): Promise<void> {
    sweeping ??= sweepUntil(now(), turns.takeIfFree).finally(() => {
      sweeping = null;
    });
    return sweeping;
  }

  /** For a process that is alone on its data: every other holder of a lock or lease is dead. */
  function sweepAll(): Promise<void> {
    return sweepUntil(now() + A_DAY_MS, turns.take);
  }

  async function sweepUntil(until: number, take: Turns['take']): Promise<void> {
    const given = new Set<number>();
    try {
      for (;;) {
        const due = await store.due({ until, limit: BATCH, claimUntil: now() + CLAIM_MS });
        const fresh = due.filter((userId) => !given.has(userId));
        if (fresh.length === 0) return;
        for (const userId of fresh) given.add(userId);
        const outcomes = await Promise.allSettled(fresh.map((userId) => takeOver(userId, until, take)));
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled' || outcome.reason instanceof NewerState) continue;
          log.error({ err: outcome.reason }, 'a session could not be taken over');
        }
        if (due.length < BATCH) return;
      }
    } catch (error) {
      log.error({ err: error }, 'the sweep failed');
    }
  }

  function takeOver(userId: number, until: number, take: Turns['take']): Promise<void> {
    return take(userId, async (turn) => {
      // Another process was faster, or the person came back by themselves.
      if (!turn.hold.attention.some(({ at }) => at <= until)) return;
      // First, because it may begin work, which then has a lease of its own.
      await deeds.resume(turn, turns.situationOf(turn));
      const { attention } = turn.hold;
      const { session, flow, farewell } = turns.situationOf(turn);
      if (farewell) {
        const ended = { ...session, page: turns.home, notice: farewell };
        if (!(await turns.save(turn, ended))) return;
        Object.assign(turn.note, await show.view(turn, { session: ended, replace: null }));
        return;
      }
      const leaseOf = (run: string) => attention.find(({ of, at }) => of === run && at > until);
      turn.note.leases = worksIn(session).map((run) => leaseOf(run.run) ?? turns.lease(run.run));
      for (const run of worksIn(session)) {
        if (leaseOf(run.run)) continue;
        const live = run.run === flow?.run.run ? flow : carryOn.usable(run);
        if (!live) continue;
        turn.log.info({ flow: run.flow, run: run.run }, 'work taken over');
        carryOn.detach(userId, live, work.begin(userId, live));
      }
      if (turns.isSeen(turn)) turn.note.screen = null;
      await arm(userId, session);
      await showIfLost(turn);
      await carryOn.tellEnds(turn, session);
    });
  }

  async function showIfLost(turn: Turn): Promise<void> {
    if (turns.isSeen(turn)) return;
    const situation = turns.situationOf(turn);
    if (await deeds.resume(turn, situation)) return;
    const { session, flow } = situation;
    Object.assign(turn.note, await show.view(turn, { session, ...(flow && { flow }), replace: null }));
  }

  /** Work that runs in this process is not orphaned. */
  function heartbeat(): void {
    for (const { userId, run } of work.runs()) {
      store
        .postpone(userId, turns.lease(run))
        .catch((error) => log.warn({ err: error, user: userId }, 'a sign of life was not taken'));
    }
  }
}
