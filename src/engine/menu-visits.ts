import { randomUUID } from 'node:crypto';
import type { Link } from '../screens/kit/link.ts';
import { lines, paragraphs, type Screen } from '../screens/kit/screen.ts';
import { notices, toasts } from '../screens/kit/system.ts';
import { type FlowMoves, leave } from './flow-moves.ts';
import type { LiveFlow } from './live-flow.ts';
import type { Menu, RouteAnswer, Visitor } from './menu.ts';
import type { MessageId } from './message-id.ts';
import { checkpointsIn, withoutParked, withParked } from './parking.ts';
import { type Reaction, repeated, stay, withNotice } from './reaction.ts';
import type { Session } from './session.ts';
import type { Situation } from './situation.ts';

// A page may send on to another page, never in a circle.
const MOST_REDIRECTS = 5;

/** Where links of the menu lead: to a page, to a page beside the flow, into a flow, or to a change decided and done. */
export function createMenuVisits(menu: Menu, moves: FlowMoves) {
  return { follow, perform, goTo, decided };

  /** Follows a link of the menu; a flow that runs is left only when the link leads somewhere. */
  async function follow(
    link: Link,
    visitor: Visitor,
    { session, flow, farewell, shown }: Situation,
    replace: MessageId | null,
  ): Promise<Reaction> {
    if (menu.acts(link.pattern)) {
      const { pattern, params } = link;
      return decided(session, { link: { pattern, params }, input: null }, replace);
    }
    return answered(
      link,
      await menu.visit(link, leaving(visitor, session, flow)),
      visitor,
      { session, flow, farewell, shown },
      replace,
    );
  }

  /** Nothing is changed yet: another process may be first to store its decision, and this one is then made anew. */
  function decided(
    session: Session,
    change: Omit<NonNullable<Session['doing']>, 'key'>,
    replace: MessageId | null,
  ): Reaction {
    return { session: { ...session, doing: { ...change, key: `deed:${randomUUID()}` } }, replace };
  }

  /** Does what was decided and stored; its answer is where the person goes on. */
  async function perform(
    { link, key, input }: NonNullable<Session['doing']>,
    visitor: Visitor,
    situation: Pick<Situation, 'session' | 'flow' | 'farewell' | 'shown'>,
    replace: MessageId | null,
  ): Promise<Reaction> {
    const knowing = leaving(visitor, situation.session, situation.flow);
    const answer = input ? menu.take(link, input, knowing, key) : menu.visit(link, knowing, key);
    return answered(link, await answer, visitor, situation, replace);
  }

  async function answered(
    link: Link,
    answer: RouteAnswer,
    visitor: Visitor,
    { session, flow, farewell, shown }: Pick<Situation, 'session' | 'flow' | 'farewell' | 'shown'>,
    replace: MessageId | null,
  ): Promise<Reaction> {
    if ('missing' in answer) {
      if (flow) return repeated(session, replace, toasts.notFound);
      // Pressed twice: what the first press deleted is told of in this very message.
      if (session.notice && replace !== null && replace === shown?.messageId)
        return { toast: toasts.notFound };
      const base = withNotice(session, farewell);
      return { ...(await goTo(answer.nearest, visitor, base, replace)), toast: toasts.notFound };
    }
    if ('nothing' in answer) {
      const toast = answer.toast ? { toast: answer.toast } : {};
      return answer.notice ? { session: withNotice(session, answer.notice), replace, ...toast } : toast;
    }
    if ('start' in answer) {
      const started = moves.begin(answer.start, answer.origin, visitor.userId, session, flow);
      return {
        ...started,
        session: withNotice(started.session, farewell ?? started.session.notice),
        replace,
      };
    }
    if ('first' in answer) return decided(session, { link: answer.first, input: null }, replace);
    if ('resume' in answer)
      return goOn(answer.resume, visitor, { session: withNotice(session, farewell), flow }, replace);
    const toast = answer.toast === undefined ? {} : { toast: answer.toast };
    const aside = flow && (await asideOf(link, answer, leaving(visitor, session, flow)));
    if (aside)
      return {
        session,
        aside: { screen: aside, replace: replace === shown?.messageId ? null : replace },
        ...toast,
      };
    const drops = 'drops' in answer ? answer.drops : undefined;
    const stayed = leave(session, flow);
    const left = drops === undefined ? stayed : withoutParked(stayed, drops);
    const gone = withNotice(
      left,
      farewell ??
        (flow && !flow.busy && !('quietly' in answer)
          ? lines(notices.interrupted(flow.title), left.notice)
          : left.notice),
    );
    if ('open' in answer) {
      const base = withNotice(gone, answer.notice ?? gone.notice);
      return { ...(await goTo(answer.open, visitor, base, replace)), ...toast };
    }
    return { ...shownPage(link, answer.show, gone, session, replace), ...toast };
  }

  /** Takes up the run that is parked in the slot; the menu where there is none that can be used. */
  async function goOn(
    slot: string,
    visitor: Visitor,
    { session, flow }: Pick<Situation, 'session' | 'flow'>,
    replace: MessageId | null,
  ): Promise<Reaction> {
    const parked = session.parked.find((each) => each.slot === slot);
    // They are in it already: what it asks is shown again.
    if (!parked && flow?.slot === slot) return stay(session, null);
    const left = leave(withoutParked(session, slot), flow);
    const resumed = parked && moves.resume(parked.run, left, replace);
    if (resumed) return resumed;
    const base = withNotice(left, session.notice);
    return { ...(await goTo(menu.home, visitor, base, replace)), toast: toasts.notFound };
  }

  /** The page to show beside the flow that runs; null for one that it is left for. */
  async function asideOf(
    link: Link,
    answer: Extract<RouteAnswer, { show: Screen } | { open: Link }>,
    visitor: Visitor,
  ): Promise<Screen | null> {
    if ('show' in answer) return menu.standsBeside(link.pattern) ? answer.show : null;
    if (!menu.standsBeside(answer.open.pattern)) return null;
    const opened = await menu.visit(answer.open, visitor);
    if (!('show' in opened)) return null;
    return { ...opened.show, text: paragraphs(answer.notice ?? null, opened.show.text) };
  }

  async function goTo(
    link: Link,
    visitor: Visitor,
    session: Session,
    replace: MessageId | null,
  ): Promise<Reaction> {
    let target = link;
    for (let step = 0; step < MOST_REDIRECTS; step += 1) {
      const answer = await menu.visit(target, { ...visitor, parked: checkpointsIn(session) });
      if ('show' in answer) return shownPage(target, answer.show, session, session, replace);
      if ('first' in answer) return decided(session, { link: answer.first, input: null }, replace);
      if ('open' in answer) target = answer.open;
      else if ('missing' in answer) target = answer.nearest;
      else break;
    }
    throw new Error(`"${link.pattern}" leads to no page`);
  }

  function shownPage(
    link: Link,
    screen: Screen,
    next: Session,
    before: Session,
    replace: MessageId | null,
  ): Reaction {
    const session = { ...next, flow: null, page: link };
    // The menu asked for again moves down instead of standing twice.
    const discardsShown =
      replace === null &&
      before.flow === null &&
      before.page.pattern === menu.home.pattern &&
      link.pattern === menu.home.pattern;
    return { session, screen, replace, discardsShown };
  }
}

/** What a page may know of a person who comes from this flow. */
const leaving = (visitor: Visitor, session: Session, flow: LiveFlow | null): Visitor => ({
  ...visitor,
  ...(flow && { leaves: flow.id }),
  parked: checkpointsIn(flow?.parking ? withParked(session, flow.parking) : session),
});
