import { randomUUID } from 'node:crypto';
import { type Link, packLink } from '../screens/kit/link.ts';
import { isRedirect, lines, paragraphs, type RichText, type Screen, urlsIn } from '../screens/kit/screen.ts';
import { notices, toasts } from '../screens/kit/system.ts';
import type { FlowEvent, Flows } from './flows.ts';
import type { Action, Incoming } from './incoming.ts';
import { inputIn, inputWanted } from './input.ts';
import type { LiveFlow } from './live-flow.ts';
import { isRestOfText, rememberText } from './long-text.ts';
import { mediaEvent, wantedInstead } from './media-event.ts';
import type { Asking, FlowStart, Menu, RouteAnswer, Visitor } from './menu.ts';
import { isAtOrBelow, isBelow, type MessageId } from './message-id.ts';
import { checkpointsIn, withoutParked, withParked } from './parking.ts';
import type { ShowRequest } from './presenter.ts';
import type { FlowRun, Session } from './session.ts';
import type { Situation } from './situation.ts';
import { UnusableFlow } from './unusable-flow.ts';

/** What an event comes to: the next session to store and show, or nothing but a toast. */
export type Reaction =
  | ({ session: Session } & Outlook & Toast)
  | ({ session?: undefined } & Toast)
  | ({ session: Session; aside: Aside } & Toast);
/** A page beside the flow that runs, which stays as it is. */
export type Aside = { screen: Screen; replace: MessageId | null };
export type Outlook = {
  /** The flow that runs now, or the screen of the page, where it is at hand already. */
  flow?: LiveFlow;
  screen?: Screen;
  replace: MessageId | null;
  discardsShown?: boolean;
  /** The question before this one, where it stands in a message of its own. */
  retire?: ShowRequest['retire'];
  /** For the log, where a flow moved. */
  transition?: Transition;
};
type Toast = { toast?: string };

/** `from` is null where a flow begins. */
export type Transition = { flow: string; from: string | null; event: string; to: string; ms: number };

/** Makes a secret unreadable for all but the run it was told to. */
export type Seal = (run: string, secret: string) => string;

export type Deps = { flows: Flows; menu: Menu; seal: Seal; looksLikeSecret: LooksLikeSecret };

/** Whether a text is a credential of somebody's: it must not stay in the chat, whatever was asked for. */
export type LooksLikeSecret = (text: string) => boolean;

/** What a person did, without the update that brought it. */
export type Deed = Pick<Incoming, 'userId' | 'person' | 'action' | 'log'>;

// A page may send on to another page, never in a circle.
const MOST_REDIRECTS = 5;

/** Turns what a person did into what happens next. Reads pages, changes nothing by itself but through the menu. */
export function createReact({ flows, menu, seal, looksLikeSecret }: Deps) {
  return { react, perform, advance, ended, isStraySecret };

  async function react(incoming: Deed, situation: Situation, isNew: boolean): Promise<Reaction> {
    const reaction = tidied(await answerTo(incoming, situation, isNew), situation);
    if (!reaction.session) return reaction;
    const longText = rememberText(incoming.action, situation, reaction.session);
    return longText === reaction.session.longText
      ? reaction
      : { ...reaction, session: { ...reaction.session, longText } };
  }

  function answerTo(incoming: Deed, situation: Situation, isNew: boolean): Reaction | Promise<Reaction> {
    // One text gets one answer. What was refused is refused as a whole; of what was taken, the rest is missing.
    if (isRestOfText(incoming.action, situation))
      return situation.session.longText === 'refused' ? {} : stay(situation.session, notices.textCut);
    return usableReaction(incoming, situation, isNew);
  }

  function tidied(reaction: Reaction, situation: Pick<Situation, 'flow' | 'shown'>): Reaction {
    if ('aside' in reaction) return reaction;
    // Nobody would edit the progress above any more: it would stand there as if the work had stuck.
    const leavesProgress = situation.flow?.busy && reaction.session && reaction.replace === null;
    if (leavesProgress) return { ...reaction, discardsShown: true };
    const retire = reaction.session && retired(situation);
    return retire ? { ...reaction, retire } : reaction;
  }

  /** A flow whose machine or screen fails at this event would fail at every other: it ends, and the person goes on. */
  async function usableReaction(incoming: Deed, situation: Situation, isNew: boolean): Promise<Reaction> {
    try {
      return await reactionTo(incoming, situation, isNew);
    } catch (error) {
      if (!(error instanceof UnusableFlow)) throw error;
      incoming.log.warn({ err: error }, 'a stored session could not go on');
      const session = { ...situation.session, flow: null, notice: null };
      return reactionTo(incoming, { ...situation, session, flow: null, farewell: notices.ended }, isNew);
    }
  }

  async function reactionTo(incoming: Deed, situation: Situation, isNew: boolean): Promise<Reaction> {
    const { action } = incoming;
    const { session, flow } = situation;
    const visitor = {
      userId: incoming.userId,
      firstName: incoming.person.firstName,
      isAdmin: session.isAdmin,
    };
    if (isStraySecret(action, situation)) {
      const told = withNotice(session, notices.straySecret);
      if (flow) return { session: told, replace: null };
      return goTo(asked(situation) ? session.page : menu.home, visitor, told, null);
    }
    const link = linkIn(action, visitor);

    if (action.kind === 'command' && action.name === 'start') {
      const event = situation.farewell ? null : flow?.returnsBy(action.payload);
      // Followed a second time, or of another run: the person stays where they are.
      if (flow && event)
        return flow.can(event)
          ? advance(session, flow, event, null)
          : { session: withNotice(session, null), replace: null };
      const page = await menu.start(action.payload, visitor, isNew);
      if (menu.acts(page.pattern)) return decided(session, { link: page, input: null }, null);
      const left = leave(session, flow);
      return goTo(page, visitor, withNotice(left, situation.farewell ?? left.notice), null);
    }
    if (link && menu.has(link.pattern)) return follow(link, visitor, situation, replaceable(action));
    if (action.kind === 'command') {
      const command = menu.linkOf(`/${action.name}`, visitor);
      if (command && (!flow || flow.yieldsTo(command.pattern) || menu.standsBeside(command.pattern)))
        return follow(command, visitor, situation, null);
    }
    if (situation.farewell)
      return goTo(menu.home, visitor, withNotice(session, situation.farewell), replaceable(action));
    if (action.kind === 'press') return pressed(action, visitor, situation);
    return flow ? inFlow(action, session, flow) : inMenu(action, visitor, situation);
  }

  /** A credential at a step that asks for none: not taken as the answer, and removed from the chat. */
  function isStraySecret(action: Action, { awaitsSecret }: Situation): boolean {
    return !awaitsSecret && action.kind === 'text' && looksLikeSecret(action.text);
  }

  function linkIn(action: Action, visitor: Visitor): Link | null {
    if (action.kind === 'press') return action.link;
    if (action.kind === 'text') return menu.linkOf(action.text, visitor) ?? null;
    return null;
  }

  async function inMenu(action: Action, visitor: Visitor, situation: Situation): Promise<Reaction> {
    const { session } = situation;
    const page = asked(situation);
    if (page) return onAskingPage(action, visitor, session, page);
    if (menu.asks(session.page) && inputIn(action))
      return goTo(menu.home, visitor, withNotice(session, notices.expired), null);
    if (action.kind !== 'command') return goTo(menu.home, visitor, withNotice(session, notices.hint), null);
    const notice = action.name === 'cancel' ? notices.nothingToCancel : notices.unknownCommand;
    return goTo(menu.home, visitor, withNotice(session, notice), null);
  }

  /** What the page the person is on waits for. Navigation changes the page, and with it what is waited for. */
  function asked({ session, flow, idle }: Situation): Asking | null {
    return flow || idle ? null : menu.asks(session.page);
  }

  function onAskingPage(
    action: Action,
    visitor: Visitor,
    session: Session,
    { kinds, back }: Asking,
  ): Reaction | Promise<Reaction> {
    if (action.kind === 'command')
      return action.name === 'cancel'
        ? goTo(back, visitor, withNotice(session, notices.cancelled), null)
        : goTo(session.page, visitor, withNotice(session, notices.unknownCommand), null);
    const input = inputIn(action);
    if (!input || !kinds.includes(input.kind))
      return goTo(session.page, visitor, withNotice(session, inputWanted(kinds)), null);
    return decided(session, { link: session.page, input }, null);
  }

  /** Nothing is changed yet: another process may be first to store its decision, and this one is then made anew. */
  function decided(
    session: Session,
    change: Omit<NonNullable<Session['doing']>, 'key'>,
    replace: MessageId | null,
  ): Reaction {
    return { session: { ...session, doing: { ...change, key: `deed:${randomUUID()}` } }, replace };
  }

  function inFlow(action: Exclude<Action, { kind: 'press' }>, session: Session, flow: LiveFlow): Reaction {
    if (action.kind === 'command') {
      if (action.name !== 'cancel') return stay(session, notices.inProgress(flow.titleGenitive));
      if (flow.busy || flow.staysWhenCancelled)
        return { session: { ...leave(session, flow), page: menu.home }, replace: null };
      return advance(session, flow, { type: 'cancelled' }, null);
    }
    const event = eventOf(action, flow);
    if (event && flow.can(event)) return advance(session, flow, event, null);
    if (flow.busy) return stay(session, notices.alreadyRunning);
    if (flow.wantsSecret) return stay(session, notices.secretWanted);
    return stay(session, wantedInstead(flow));
  }

  function eventOf(action: Action, flow: LiveFlow): FlowEvent | null {
    if (action.kind !== 'text') return mediaEvent(action);
    if (!flow.wantsSecret) return { type: 'text.received', text: action.text };
    return {
      type: 'secret.received',
      sealed: seal(flow.run.run, action.text),
      shape: shapeOf(action.text),
    };
  }

  async function pressed(
    { link, messageId }: Extract<Action, { kind: 'press' }>,
    visitor: Visitor,
    { session, flow, shown }: Situation,
  ): Promise<Reaction> {
    // Says only where the next screen stands. Whether a press still counts is told by the mark of its button.
    const current = messageId !== null && (shown === null || isAtOrBelow(messageId, shown.messageId));
    // Below what is on record: sent by a process that died before it noted so, or left behind when an older message
    // was edited. The present screen takes its place.
    const unnoted = current && shown !== null && isBelow(messageId, shown.messageId);
    const event = link && flow?.eventOf(link);
    if (flow && event && flow.can(event))
      return advance(session, flow, event, current && !flow.lasting ? messageId : null);
    if (flow) {
      // Twice within a blink: the first press has been heard.
      if (current && link) return dead(flow.busy ? toasts.alreadyRunning : toasts.stale);
      // An older screen: what is asked now is shown again below.
      return repeated(session, messageId, toasts.stale);
    }
    // With nothing on record, not even a screen, their session has run out: they should not stay with a dead button.
    if (current && link && shown) return dead(toasts.stale);
    return {
      ...(await goTo(menu.nearest(link), visitor, withNotice(session, null), messageId)),
      toast: toasts.stale,
    };

    function dead(toast: string): Reaction {
      return unnoted ? { toast, session: withNotice(session, null), replace: messageId } : { toast };
    }
  }

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

  /** Does what was decided and stored; its answer is where the person goes on. */
  async function perform(
    { link, key, input }: NonNullable<Session['doing']>,
    visitor: Visitor,
    situation: Pick<Situation, 'session' | 'flow' | 'farewell' | 'shown'>,
    replace: MessageId | null,
  ): Promise<Reaction> {
    const knowing = leaving(visitor, situation.session, situation.flow);
    const answer = input ? menu.take(link, input, knowing, key) : menu.visit(link, knowing, key);
    return tidied(await answered(link, await answer, visitor, situation, replace), situation);
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
      const started = begin(answer.start, answer.origin, visitor.userId, session, flow);
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

  /** The parked run as it stood. One that takes `resumed` gets it: what it knows may have changed meanwhile. */
  async function goOn(
    slot: string,
    visitor: Visitor,
    { session, flow }: Pick<Situation, 'session' | 'flow'>,
    replace: MessageId | null,
  ): Promise<Reaction> {
    const parked = session.parked.find((each) => each.slot === slot);
    // They are in it already: what it asks is shown again.
    if (!parked && flow?.slot === slot) return { session: withNotice(session, null), replace: null };
    const rest = withoutParked(session, slot);
    const live = parked && restored(parked.run);
    if (!live) {
      const base = withNotice(leave(rest, flow), session.notice);
      return { ...(await goTo(menu.home, visitor, base, replace)), toast: toasts.notFound };
    }
    const resumed = { type: 'resumed' };
    const base = { ...leave(rest, flow), flow: live.run, notice: null, repeatedFor: null };
    if (live.can(resumed)) return advance(base, live, resumed, replace);
    live.screen(); // what cannot be shown does not take the place of what can
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

  /** Where a person is whose flow could not go on. */
  function ended(session: Session): { session: Session } {
    return { session: { ...session, flow: null, page: menu.home, notice: notices.ended } };
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

/** Buttons of a flow's question die with the question; those of a page lead to the same page as before. */
function retired({ flow, shown }: Pick<Situation, 'flow' | 'shown'>): ShowRequest['retire'] {
  const screen = shown && flow?.screen();
  if (!screen || isRedirect(screen)) return undefined;
  return { messageId: shown.messageId, keep: urlsIn(screen.keyboard) };
}

/** Out of the flow, with a word on what stays of it; one that is working goes on by itself. */
function leave(session: Session, flow: LiveFlow | null): Session {
  if (!flow) return { ...session, notice: null };
  if (!flow.busy) {
    const left = { ...session, flow: null, notice: flow.remains() };
    return flow.parking ? withParked(left, flow.parking) : left;
  }
  const background = [...session.background, flow.run];
  return { ...session, flow: null, background, notice: flow.remains() ?? notices.goesOn(flow.title) };
}

/** What a page may know of a person who comes from this flow. */
const leaving = (visitor: Visitor, session: Session, flow: LiveFlow | null): Visitor => ({
  ...visitor,
  ...(flow && { leaves: flow.id }),
  parked: checkpointsIn(flow?.parking ? withParked(session, flow.parking) : session),
});

const withNotice = (session: Session, notice: RichText | null): Session => ({ ...session, notice });

const stay = (session: Session, notice: RichText): Reaction => ({
  session: withNotice(session, notice),
  replace: null,
});

/** What is asked now, once more below; for one old message once, however often it is pressed. */
const repeated = (session: Session, pressed: MessageId | null, toast: string): Reaction =>
  pressed !== null && session.repeatedFor === pressed
    ? { toast }
    : { toast, session: { ...withNotice(session, null), repeatedFor: pressed }, replace: null };

const replaceable = (action: Action): MessageId | null => (action.kind === 'press' ? action.messageId : null);

/** What a secret looks like, without what it is: enough to tell a mistyped one. */
const shapeOf = (secret: string): string => secret.trim().replace(/\p{L}/gu, 'a').replace(/\p{N}/gu, '0');
