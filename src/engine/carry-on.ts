import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { sent } from './flow-moves.ts';
import type { FlowEvent, Flows } from './flows.ts';
import type { LiveFlow } from './live-flow.ts';
import { withParked } from './parking.ts';
import type { Progress } from './progress.ts';
import type { createReact } from './react.ts';
import type { Outlook, Transition } from './reaction.ts';
import type { FlowRun, Session } from './session.ts';
import type { createShow } from './show.ts';
import type { Turn, TurnNote, Turns } from './turns.ts';
import { UnusableFlow } from './unusable-flow.ts';
import type { createWork, Result } from './work.ts';

/** A decision that is stored, and how to show it. */
export type Decided = { session: Session } & Outlook;
export type CarryOn = ReturnType<typeof createCarryOn>;

// Work that ends within this time shows its result at once; slower work shows its progress first.
const QUICK_WORK_MS = 400;

/** From a stored decision to its screen, however long the work in between takes. */
export function createCarryOn({
  turns,
  work,
  flows,
  show,
  react: { advance, ended },
  log,
  now,
  track,
  progress,
  onTransition = () => {},
}: {
  turns: Turns;
  work: ReturnType<typeof createWork>;
  flows: Flows;
  show: ReturnType<typeof createShow>;
  react: Pick<ReturnType<typeof createReact>, 'advance' | 'ended'>;
  log: Log;
  now: () => number;
  /** Stopping the engine waits for everything tracked. */
  track<T>(promise: Promise<T>): Promise<T>;
  progress: Progress;
  onTransition?: ((flow: string, state: string) => void) | undefined;
}) {
  return { settle, moved, noteTransition, detach, tellEnds, tellProgress, goOnBehind, usable };

  /** Quick work is waited for, slow work goes on by itself. */
  async function settle(turn: Turn, decided: Decided): Promise<void> {
    const { userId } = turn.hold;
    // What becomes of the messages above belongs to the person's event, however many steps follow it at once.
    const { retire, discardsShown } = decided;
    const above = { ...(retire && { retire }), ...(discardsShown && { discardsShown }) };
    let current = decided;
    while (current.flow?.busy) {
      const results = work.begin(userId, current.flow);
      const first = await Promise.race([...results, delay(QUICK_WORK_MS, null, { ref: false })]);
      if (!first?.event) {
        detach(userId, current.flow, results);
        break;
      }
      progress.ended(first.run);
      const next = moved(turn, current.session, current.flow, first.event, current.replace);
      // What the person's event has to tell was not shown yet. A dialogue that is over at once tells its result alone.
      const untold = next.flow ? current.session.notice : null;
      const session = { ...next.session, notice: next.session.notice ?? untold };
      if (!(await turns.save(turn, { ...session, lastActivityAt: now() }))) return;
      noteTransition(turn, next.transition);
      current = { ...next, session, ...above };
    }
    Object.assign(turn.note, await show.view(turn, current));
    await tellEnds(turn, current.session);
  }

  function detach(userId: number, flow: LiveFlow, results: Promise<Result>[]): void {
    const { run } = flow.run;
    progress.begun(userId, run);
    for (const result of results) {
      void track(
        result
          .then(async (done) => {
            progress.ended(run);
            if (done.event) return deliver(userId, run, done.key, done.event);
            log.warn({ err: done.lost, user: userId }, 'work will be taken up again');
          })
          // The sweep finds the session again: the work is kept under the operation's key.
          .catch((error) => log.error({ err: error, user: userId }, 'a result could not be applied')),
      );
    }
  }

  /** A result is an event like any other, applied to the session as it is then. */
  function deliver(userId: number, run: string, key: string, event: FlowEvent): Promise<void> {
    return turns.take(userId, async (turn) => {
      const { session, flow } = turns.situationOf(turn);
      if (flow?.run.run === run) {
        if (!awaits(flow, key)) return turn.log.info({ key }, 'a late result belongs to work that is over');
        // A progress screen becomes the result's; without one, the last message is a question of another flow.
        const progress = turns.isSeen(turn) ? turn.hold.shown : null;
        const next = moved(turn, session, flow, event, progress?.messageId ?? null);
        if (!(await turns.save(turn, { ...next.session, lastActivityAt: now() }))) return;
        noteTransition(turn, next.transition);
        return settle(turn, next);
      }
      const left = session.background.find((candidate) => candidate.run === run);
      const behind = left && flows.restore(left);
      if (behind && awaits(behind, key)) await goOnBehind(turn, session, behind, event);
    });
  }

  /** Edits the progress message in place; skipped when the person has left or has not seen it yet. */
  function tellProgress(userId: number, run: string, event: FlowEvent): Promise<void> {
    return turns.take(userId, async (turn) => {
      const { session, flow } = turns.situationOf(turn);
      if (flow?.run.run !== run || !flow.can(event) || !turns.isSeen(turn)) return;
      const next = moved(turn, session, flow, event, turn.hold.shown?.messageId ?? null);
      if (!(await turns.save(turn, next.session))) return;
      noteTransition(turn, next.transition);
      Object.assign(turn.note, await show.view(turn, next));
    });
  }

  /** The flow was left meanwhile: it goes on, and ends, without disturbing what the person does now. */
  async function goOnBehind(
    turn: Turn,
    session: Session,
    flow: LiveFlow,
    event: FlowEvent,
  ): Promise<boolean> {
    const { next, transition } = sent(flow, event);
    // A run that is over is kept until the person was told of it.
    const background = session.background.map((run) => (run.run === flow.run.run ? next.run : run));
    if (!(await turns.saveBeside(turn, { ...session, background }))) return false;
    noteTransition(turn, transition);
    if (next.busy) detach(turn.hold.userId, next, work.begin(turn.hold.userId, next));
    else await tellEnds(turn, { ...session, background });
    return true;
  }

  /** A result belongs to the work that asked for it: of two attempts, the first may be the last to answer. */
  function awaits(flow: LiveFlow, key: string): boolean {
    return flow.work.some((asked) => asked.key === key);
  }

  function moved(
    turn: Turn,
    session: Session,
    flow: LiveFlow,
    event: FlowEvent,
    replace: Outlook['replace'],
  ): Decided {
    try {
      return advance(session, flow, event, replace);
    } catch (error) {
      if (!(error instanceof UnusableFlow)) throw error;
      turn.log.warn({ err: error }, 'a stored session could not go on');
      return { ...ended(session), replace };
    }
  }

  function noteTransition({ log: its }: Pick<Turn, 'log'>, transition: Transition | undefined): void {
    if (!transition) return;
    its.info(transition, 'transition');
    onTransition(transition.flow, transition.to);
  }

  /** Runs that ended after the person had left are told of, and then forgotten. */
  async function tellEnds(turn: Turn, session: Session): Promise<void> {
    let rest = session;
    let later: TurnNote = {};
    for (const run of session.background) {
      if (flows.isNewer(run)) continue;
      const flow = usable(run);
      if (flow?.busy) continue;
      const { told, note } = await show.push(turn, flow);
      if (!told) {
        later = note;
        continue;
      }
      rest = { ...rest, background: rest.background.filter((other) => other !== run) };
      // Where it waits for the person now, they can go on with it, unless they have begun another one in its place.
      const isTaken = rest.flow !== null && flows.slotOf(rest.flow.flow) === flow?.slot;
      if (flow?.parking && !isTaken) rest = withParked(rest, flow.parking);
    }
    if (rest !== session && !(await turns.saveBeside(turn, rest))) return;
    if (turns.isSeen(turn)) turn.note.screen = null;
    Object.assign(turn.note, later);
  }

  function usable(run: FlowRun): LiveFlow | null {
    try {
      return flows.restore(run);
    } catch (error) {
      if (!(error instanceof UnusableFlow)) throw error;
      log.warn({ err: error }, 'a stored session could not go on');
      return null;
    }
  }
}
