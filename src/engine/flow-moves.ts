import { randomUUID } from 'node:crypto';
import { type Link, packLink } from '../screens/kit/link.ts';
import { isRedirect, lines } from '../screens/kit/screen.ts';
import { notices } from '../screens/kit/system.ts';
import type { FlowEvent, Flows } from './flows.ts';
import type { LiveFlow } from './live-flow.ts';
import type { FlowStart } from './menu.ts';
import type { MessageId } from './message-id.ts';
import { withoutParked, withParked } from './parking.ts';
import type { Outlook, Transition } from './reaction.ts';
import type { FlowRun, Session } from './session.ts';
import { UnusableFlow } from './unusable-flow.ts';

export type FlowMoves = ReturnType<typeof createFlowMoves>;

/** How a flow begins, goes on, is taken up again and is left. Decides; the caller stores and shows. */
export function createFlowMoves(flows: Flows) {
  return { begin, advance, resume };

  function begin(start: FlowStart, origin: Link, userId: number, session: Session, old: LiveFlow | null) {
    const input = { ...start.input, run: randomUUID(), userId, origin: packLink(origin) };
    const started = performance.now();
    const flow = flows.start(start.flow, input);
    const transition = {
      flow: flow.id,
      from: null,
      event: 'flow.started',
      to: flow.state,
      ms: since(started),
    };
    const stayed = leave(session, old);
    const left = flow.slot === null ? stayed : withoutParked(stayed, flow.slot);
    const notice =
      old && !old.busy ? lines(notices.conflict(old.title, flow.title), left.notice) : left.notice;
    const begun = { ...left, flow: flow.run, notice, repeatedFor: null };
    return { flow, session: begun, transition };
  }

  /** Sends the event; a flow that has ended hands over to the page it names. */
  function advance(
    session: Session,
    flow: LiveFlow,
    event: FlowEvent,
    replace: MessageId | null,
  ): { session: Session } & Outlook {
    const { next, transition } = sent(flow, event);
    if (!next.finished) {
      next.screen(); // what could not be shown is not stored
      const moved = { ...session, flow: next.run, notice: null, repeatedFor: null };
      return { session: moved, flow: next, replace, transition };
    }
    const end = next.screen();
    if (!isRedirect(end)) throw new Error(`${next.id} ended in "${next.state}", which opens no page`);
    return {
      session: { ...session, flow: null, page: end.open, notice: end.notice ?? null },
      ...(end.screen && { screen: end.screen }),
      replace,
      transition,
    };
  }

  /** The parked run as it stood. One that takes `resumed` gets it: what it knows may have changed meanwhile. */
  function resume(
    run: FlowRun,
    session: Session,
    replace: MessageId | null,
  ): ({ session: Session } & Outlook) | null {
    const live = restored(run);
    if (!live) return null;
    const resumed = { type: 'resumed' };
    const base: Session = { ...session, flow: live.run, notice: null, repeatedFor: null };
    if (live.can(resumed)) return advance(base, live, resumed, replace);
    const screen = live.screen(); // throws for a screen that cannot be drawn, before the present one is given up
    // The complaint belongs to the last answer before the run was parked: it is not shown again.
    if ('complaint' in screen && screen.complaint) base.notice = notices.resumed(live.title);
    const transition = { flow: live.id, from: null, event: 'flow.resumed', to: live.state, ms: 0 };
    return { session: base, flow: live, replace, transition };
  }

  function restored(run: FlowRun): LiveFlow | null {
    try {
      return flows.restore(run);
    } catch (error) {
      if (error instanceof UnusableFlow) return null;
      throw error;
    }
  }
}

/** Moves a flow, and tells of it in the words of the log. */
export function sent(flow: LiveFlow, event: FlowEvent): { next: LiveFlow; transition: Transition } {
  const started = performance.now();
  const next = flow.send(event);
  const transition = {
    flow: flow.id,
    from: flow.state,
    event: event.type,
    to: next.state,
    ms: since(started),
  };
  return { next, transition };
}

const since = (started: number): number => Number((performance.now() - started).toFixed(2));

/** Out of the flow, with a word on what stays of it; one that is working goes on by itself. */
export function leave(session: Session, flow: LiveFlow | null): Session {
  if (!flow) return { ...session, notice: null };
  if (!flow.busy) {
    const left = { ...session, flow: null, notice: flow.remains() };
    return flow.parking ? withParked(left, flow.parking) : left;
  }
  const background = [...session.background, flow.run];
  return { ...session, flow: null, background, notice: flow.remains() ?? notices.goesOn(flow.title) };
}
