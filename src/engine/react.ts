import type { Link } from '../screens/kit/link.ts';
import { isRedirect, urlsIn } from '../screens/kit/screen.ts';
import { notices, toasts } from '../screens/kit/system.ts';
import { createFlowMoves, leave } from './flow-moves.ts';
import type { FlowEvent, Flows } from './flows.ts';
import type { Action, Incoming } from './incoming.ts';
import { inputIn, inputWanted } from './input.ts';
import type { LiveFlow } from './live-flow.ts';
import { isRestOfText, rememberText } from './long-text.ts';
import { mediaEvent, wantedInstead } from './media-event.ts';
import type { Asking, Menu, Visitor } from './menu.ts';
import { createMenuVisits } from './menu-visits.ts';
import { isAtOrBelow, isBelow, type MessageId } from './message-id.ts';
import type { ShowRequest } from './presenter.ts';
import { type Reaction, repeated, stay, withNotice } from './reaction.ts';
import type { Session } from './session.ts';
import type { Situation } from './situation.ts';
import { UnusableFlow } from './unusable-flow.ts';

/** Makes a secret unreadable for all but the run it was told to. */
export type Seal = (run: string, secret: string) => string;

export type Deps = { flows: Flows; menu: Menu; seal: Seal; looksLikeSecret: LooksLikeSecret };

/** Whether a text is a credential of somebody's: it must not stay in the chat, whatever was asked for. */
export type LooksLikeSecret = (text: string) => boolean;

/** What a person did, without the update that brought it. */
export type Deed = Pick<Incoming, 'userId' | 'person' | 'action' | 'log'>;

/** Turns what a person did into what happens next. Reads pages, changes nothing by itself but through the menu. */
export function createReact({ flows, menu, seal, looksLikeSecret }: Deps) {
  const moves = createFlowMoves(flows);
  const { advance } = moves;
  const { follow, goTo, decided, ...visits } = createMenuVisits(menu, moves);
  return { react, perform, advance, ended, isStraySecret };

  /** Does what was decided and stored; its answer is where the person goes on. */
  async function perform(...asked: Parameters<typeof visits.perform>): Promise<Reaction> {
    const [, , situation] = asked;
    return tidied(await visits.perform(...asked), situation);
  }

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
    // Otherwise a stale progress message stays in the chat.
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
      if (flow) return stay(session, notices.straySecret);
      const told = withNotice(session, notices.straySecret);
      return goTo(asked(situation) ? session.page : menu.home, visitor, told, null);
    }
    const link = linkIn(action, visitor);

    if (action.kind === 'command' && action.name === 'start') {
      const event = situation.farewell ? null : flow?.returnsBy(action.payload);
      // Followed a second time, or of another run: the person stays where they are.
      if (flow && event) return flow.can(event) ? advance(session, flow, event, null) : stay(session, null);
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
    // Decides only where the next screen stands. The mark of the button decides whether its press still counts.
    const current = messageId !== null && (shown === null || isAtOrBelow(messageId, shown.messageId));
    // Below what is on record: sent by a process that died before it noted so, or left behind when an older message
    // was edited. The present screen takes its place.
    const unnoted = current && shown !== null && isBelow(messageId, shown.messageId);
    const event = link && flow?.eventOf(link);
    if (flow && event && flow.can(event))
      return advance(session, flow, event, current && !flow.lasting ? messageId : null);
    if (flow) {
      // A double tap: the first press was already applied.
      if (current && link) return dead(flow.busy ? toasts.alreadyRunning : toasts.stale);
      // An older screen: what is asked now is shown again below.
      return repeated(session, messageId, toasts.stale);
    }
    // With nothing on record, not even a screen, their session has run out: they should not stay with a dead button.
    if (current && link && shown) return dead(toasts.stale);
    if (messageId !== null && session.repeatedFor === messageId) return { toast: toasts.stale };
    // Below a screen that we know of: the pressed message may hold the result of an earlier press by now.
    const replace = shown ? null : messageId;
    const base = { ...withNotice(session, null), repeatedFor: messageId };
    return { ...(await goTo(menu.nearest(link), visitor, base, replace)), toast: toasts.stale };

    function dead(toast: string): Reaction {
      return unnoted ? { toast, session: withNotice(session, null), replace: messageId } : { toast };
    }
  }

  /** The page of a person whose flow could not go on. */
  function ended(session: Session): { session: Session } {
    return { session: { ...session, flow: null, page: menu.home, notice: notices.ended } };
  }
}

/** Buttons of a flow's question die with the question; those of a page lead to the same page as before. */
function retired({ flow, shown }: Pick<Situation, 'flow' | 'shown'>): ShowRequest['retire'] {
  const screen = shown && flow?.screen();
  if (!screen || isRedirect(screen)) return undefined;
  return { messageId: shown.messageId, keep: urlsIn(screen.keyboard) };
}

const replaceable = (action: Action): MessageId | null => (action.kind === 'press' ? action.messageId : null);

/** The shape of a secret without its letters: enough to recognise a mistyped one. */
const shapeOf = (secret: string): string => secret.trim().replace(/\p{L}/gu, 'a').replace(/\p{N}/gu, '0');
