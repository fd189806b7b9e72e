import { isRedirect, type RichText, type Screen } from '../screens/kit/screen.ts';
import { menuButton, notices } from '../screens/kit/system.ts';
import type { Flows } from './flows.ts';
import { inTime } from './in-time.ts';
import type { LiveFlow } from './live-flow.ts';
import type { Menu, Visitor } from './menu.ts';
import type { MessageId } from './message-id.ts';
import { checkpointsIn } from './parking.ts';
import { ChatClosed, type Presenter, ShowLater, type ShowRequest } from './presenter.ts';
import type { Outlook } from './reaction.ts';
import type { Session } from './session.ts';
import type { Attention, Hold } from './session-store.ts';
import { SCREEN, type Turn, type TurnNote } from './turns.ts';

// A screen that could not be shown is tried again after 5, 15, 45 and 135 seconds; then the person must write.
const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 5_000;
const PAUSE_GROWTH = 3;

type View = { session: Session } & Outlook;

/** Finds the screen that belongs to a session and hands it to the messenger. */
export function createShow({
  flows,
  menu,
  presenter,
  now,
}: {
  flows: Flows;
  menu: Menu;
  presenter: Presenter;
  now: () => number;
}) {
  return { view, push, beside, aside, meanwhile, message };

  /** Never throws: a decision that is stored stays, whatever becomes of its screen. Returns what to note of it. */
  async function view(
    { hold, log }: Pick<Turn, 'hold' | 'log'>,
    { session, flow, screen, replace, discardsShown, retire, repeats }: View,
  ): Promise<TurnNote> {
    const settled: TurnNote = { screen: null };
    try {
      const running = flow ?? (session.flow && flows.restore(session.flow));
      const content = running
        ? screenOf(running, await inTime('the screen', running.load()))
        : (screen ?? (await inTime('the page', pageOf(hold.userId, session))));
      const request = {
        userId: hold.userId,
        screen: available(repeats ? withoutAttachments(content) : content, log),
        notice: session.notice ?? content.complaint ?? null,
        replace,
      };
      const discard = discardsShown && hold.shown ? { discard: hold.shown.messageId } : {};
      const { messageId } = await presenter.show({ ...request, ...discard, ...(retire && { retire }) });
      return { ...settled, shown: { revision: hold.revision, messageId } };
    } catch (error) {
      if (error instanceof ChatClosed) {
        log.info('the person has blocked the bot');
        return settled;
      }
      log.warn({ err: error }, 'a screen was not shown');
      return { screen: nextTry(hold, error) };
    }
  }

  /**
   * The end of a flow that the person had left: a message of its own, beside whatever they do now. `null` is a
   * flow that could not go on. Never throws either: a person who was not reached is told later, as the note says.
   */
  async function push(
    { hold, log }: Pick<Turn, 'hold' | 'log'>,
    flow: LiveFlow | null,
  ): Promise<{ told: boolean; note: TurnNote }> {
    const { userId } = hold;
    try {
      const { screen, notice } = await endOf(userId, flow);
      await presenter.show({ userId, screen: available(screen, log), notice, replace: null });
      return { told: true, note: {} };
    } catch (error) {
      if (error instanceof ChatClosed) return { told: true, note: {} };
      log.warn({ err: error }, 'a result was not shown');
      return { told: false, note: { screen: nextTry(hold, error) } };
    }
  }

  /** A line of its own that belongs to no screen: the one that is shown stays the current one. */
  async function beside(userId: number, text: RichText): Promise<void> {
    await presenter.show({ userId, screen: { text, keyboard: [] }, notice: null, replace: null });
  }

  /** A page beside the flow that runs. One that could not be shown is asked for again by the person. */
  async function aside(
    { hold, log }: Pick<Turn, 'hold' | 'log'>,
    { screen, replace }: { screen: Screen; replace: MessageId | null },
  ): Promise<void> {
    const request = { userId: hold.userId, screen: available(screen, log), notice: null, replace };
    await presenter
      .show(request)
      .catch((error) => log.warn({ err: error }, 'a page beside the flow was not shown'));
  }

  /** What is going on, where the result will stand. Tells where that is. */
  async function meanwhile(
    { hold, log }: Pick<Turn, 'hold' | 'log'>,
    text: RichText,
    replace: MessageId | null,
  ): Promise<MessageId | null> {
    const request = { userId: hold.userId, screen: { text, keyboard: [] }, notice: null, replace };
    try {
      return (await presenter.show(request)).messageId;
    } catch (error) {
      log.warn({ err: error }, 'a person was not told what is going on');
      return replace;
    }
  }

  /** A message of its own, whatever the person looks at. A person who blocked the bot is told nothing. */
  async function message({ hold, log }: Pick<Turn, 'hold' | 'log'>, screen: Screen): Promise<void> {
    const request = { userId: hold.userId, screen: available(screen, log), notice: null, replace: null };
    await presenter.show(request).catch((error) => {
      if (!(error instanceof ChatClosed)) throw error;
    });
  }

  async function endOf(
    userId: number,
    flow: LiveFlow | null,
  ): Promise<Pick<ShowRequest, 'screen' | 'notice'>> {
    const data = flow && (await inTime('the screen', flow.load()));
    const behind = flow?.behind(data);
    if (behind) return { screen: behind, notice: null };
    const end = flow?.screen(data) ?? { text: notices.ended, keyboard: [] };
    if (isRedirect(end))
      return { screen: end.screen ?? (await pageAt(userId, end.open)), notice: end.notice ?? null };
    // Its own buttons belong to a flow that is over.
    return { screen: { text: end.text, keyboard: [[menuButton]] }, notice: null };
  }

  function nextTry({ attention }: Hold, error: unknown): Attention | null {
    const before = attention.find(({ of }) => of === SCREEN)?.owner;
    const tried = Number(before?.split('show:')[1] ?? 0);
    if (tried + 1 >= MOST_TRIES) return null;
    const asked = error instanceof ShowLater ? error.retryAfterMs : null;
    const pauseMs = asked ?? FIRST_PAUSE_MS * PAUSE_GROWTH ** tried;
    return { of: SCREEN, at: now() + pauseMs, owner: `show:${tried + 1}` };
  }

  function screenOf(flow: LiveFlow, data: unknown): Screen {
    const screen = flow.screen(data);
    if (isRedirect(screen))
      throw new Error(`${flow.id}.${flow.state} opens a page but the flow has not ended`);
    return screen;
  }

  async function pageOf(userId: number, session: Session): Promise<Screen> {
    return pageAt(userId, session.page, session.isAdmin, checkpointsIn(session));
  }

  async function pageAt(
    userId: number,
    page: Session['page'],
    isAdmin = false,
    parked: NonNullable<Visitor['parked']> = {},
  ): Promise<Screen> {
    const visitor: Visitor = { userId, firstName: null, isAdmin, parked };
    for (const link of [page, menu.home]) {
      const answer = menu.has(link.pattern) ? await menu.visit(link, visitor) : null;
      if (answer && 'show' in answer) return answer.show;
    }
    throw new Error(`"${page.pattern}" is no page`);
  }

  /** Leaves out buttons whose feature is not there. */
  function available(screen: Screen, log: Turn['log']): Screen {
    const keyboard = screen.keyboard
      .map((row) => row.filter((button) => !('link' in button) || leadsSomewhere(button.link.pattern, log)))
      .filter((row) => row.length > 0);
    return { ...screen, keyboard };
  }

  /** Left out as well when it is a mistake: a press that does nothing is worse than a button that is not there. */
  function leadsSomewhere(pattern: string, log: Turn['log']): boolean {
    const isKnown = menu.has(pattern) || flows.knows(pattern);
    if (!isKnown && !menu.isOff(pattern)) log.error({ pattern }, 'a button leads nowhere');
    return isKnown;
  }
}

/** A file or a whole article sent again with its screen would look like a new one, and keys stay where they are. */
const withoutAttachments = ({ file: _, article: __, keys: ___, ...screen }: Screen): Screen => screen;
