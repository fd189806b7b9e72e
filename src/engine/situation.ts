import type { RichText } from '../screens/screen.ts';
import { notices } from '../screens/system.ts';
import { type Flows, type LiveFlow, UnusableFlow } from './flows.ts';
import { type FlowRun, freshSession, parseSession, type Session } from './session.ts';
import type { Hold, Shown } from './session-store.ts';

/** How things stand when something happens. */
export type Situation = {
  session: Session;
  /** The restored flow of the session, if one runs. */
  flow: LiveFlow | null;
  /** Why the stored flow could not go on; it is already gone from the session. */
  farewell: RichText | null;
  shown: Shown | null;
};

/** Reads what is stored. Old or damaged state never stops the process: the person is told and starts anew. */
export function readSituation(
  hold: Hold,
  flows: Flows,
  { now, inactivityMs, onUnusable }: { now: number; inactivityMs: number; onUnusable(reason: unknown): void },
): Situation {
  const { shown } = hold;
  if (hold.session === null) return { session: freshSession(now), flow: null, farewell: null, shown };
  const session = parseSession(hold.session);
  if (!session) {
    onUnusable(new UnusableFlow('the stored session is damaged'));
    return { session: freshSession(now), flow: null, farewell: notices.ended, shown };
  }
  if (!session.flow) return { session, flow: null, farewell: null, shown };
  const without = { ...session, flow: null, notice: null };
  try {
    const flow = flows.restore(session.flow);
    const idle = now - session.lastActivityAt > inactivityMs;
    // Work in progress is not idleness: nobody can answer a question that was not asked yet.
    if (idle && !flow.busy) return { session: without, flow: null, farewell: notices.expired, shown };
    return { session, flow, farewell: null, shown };
  } catch (error) {
    if (!(error instanceof UnusableFlow)) throw error;
    onUnusable(error);
    return { session: without, flow: null, farewell: notices.ended, shown };
  }
}

/** Whether the stored run waits for an actor, told without restoring it. */
export const isWorking = (run: FlowRun | null): boolean =>
  run !== null && Object.keys((run.snapshot.children as object | undefined) ?? {}).length > 0;

export const worksIn = (session: Session): FlowRun[] =>
  [session.flow, ...session.background].filter((run): run is FlowRun => isWorking(run));
