import type { Link } from '../screens/kit/link.ts';
import { lines, type RichText } from '../screens/kit/screen.ts';
import { notices } from '../screens/kit/system.ts';
import type { Flows } from './flows.ts';
import type { LiveFlow } from './live-flow.ts';
import { withLivingParked, withParked } from './parking.ts';
import { type FlowRun, freshSession, type Session } from './session.ts';
import type { Hold, Shown } from './session-store.ts';
import { UnusableFlow } from './unusable-flow.ts';

/** How things stand when something happens. */
export type Situation = {
  session: Session;
  /** The restored flow of the session, if one runs. */
  flow: LiveFlow | null;
  /** Why the stored flow could not go on; it is already gone from the session. */
  farewell: RichText | null;
  shown: Shown | null;
  /** Nothing was heard of the person for longer than a question stays open. */
  idle: boolean;
  /** Since the person's last word. */
  silentMs: number;
  /** What is sent now may be a secret that was asked for, also when the question has just run out. */
  awaitsSecret: boolean;
};

/** Reads what is stored. Old or damaged state never stops the process: the person is told and starts anew. */
export function readSituation(
  hold: Pick<Hold, 'session' | 'shown'>,
  flows: Flows,
  {
    parse,
    now,
    home,
    inactivityMs,
    onUnusable,
  }: {
    parse(stored: string): Session | null;
    now: number;
    home: Link;
    inactivityMs: number;
    onUnusable(reason: unknown): void;
  },
): Situation {
  const { shown } = hold;
  const atRest = { flow: null, farewell: null, shown, awaitsSecret: false, idle: false, silentMs: 0 };
  if (hold.session === null) return { ...atRest, session: freshSession(now, home) };
  const stored = parse(hold.session);
  const session = stored && withLivingParked(stored, now);
  if (!session) {
    onUnusable(new UnusableFlow('the stored session is damaged'));
    return { ...atRest, session: freshSession(now, home), farewell: notices.ended };
  }
  const silentMs = now - session.lastActivityAt;
  const idle = silentMs > inactivityMs;
  if (!session.flow) return { ...atRest, session, idle, silentMs };
  const without = { ...session, flow: null, notice: null };
  try {
    const flow = flows.restore(session.flow);
    const awaitsSecret = flow.wantsSecret;
    // Work in progress is not idleness: the person has no question to answer yet.
    if (idle && !flow.busy) {
      const left = flow.parking ? withParked(without, flow.parking) : without;
      return { ...atRest, session: left, farewell: lines(notices.expired, flow.remains()), awaitsSecret };
    }
    return { ...atRest, session, flow, awaitsSecret, silentMs };
  } catch (error) {
    if (!(error instanceof UnusableFlow)) throw error;
    onUnusable(error);
    return { ...atRest, session: without, farewell: notices.ended };
  }
}

/** Whether the stored run waits for an actor, told without restoring it. */
const isWorking = (run: FlowRun | null): boolean =>
  run !== null && Object.keys((run.snapshot.children as object | undefined) ?? {}).length > 0;

export const worksIn = (session: Session): FlowRun[] =>
  [session.flow, ...session.background].filter((run): run is FlowRun => isWorking(run));
