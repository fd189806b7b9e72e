import type { CarryOn, Decided } from './carry-on.ts';
import { inTime } from './in-time.ts';
import type { Incoming } from './incoming.ts';
import { settleText } from './long-text.ts';
import type { Menu } from './menu.ts';
import { NotAdmitted, NotApplied } from './not-applied.ts';
import type { createReact } from './react.ts';
import type { Reaction } from './reaction.ts';
import type { createShow } from './show.ts';
import type { Situation } from './situation.ts';
import type { Turn, Turns } from './turns.ts';

// A file that a person sent is fetched meanwhile, and its client gives up before this.
const FILE_PATIENCE_MS = 70_000;
// Those who are asked have time limits of their own, a minute at most each.
const SLOW_PATIENCE_MS = 120_000;

export type Deeds = ReturnType<typeof createDeeds>;

/**
 * Changes that a press, or an answer to a page, makes outside of flows: they run after the decision to make them is stored, and under its key.
 * Done before, they would be done twice when another process stores its decision first.
 */
export function createDeeds({
  turns,
  react,
  carryOn,
  show,
  menu,
  isAway,
  now,
}: {
  turns: Turns;
  react: Pick<ReturnType<typeof createReact>, 'perform'>;
  carryOn: CarryOn;
  show: Pick<ReturnType<typeof createShow>, 'aside' | 'meanwhile'>;
  menu: Pick<Menu, 'meanwhile'>;
  isAway(error: unknown): boolean | Promise<boolean>;
  now: () => number;
}) {
  return { perform, resume };

  /** Finishes the deed of a process that died. False: there was none. True: the session has changed, read it again. */
  async function resume(turn: Turn, situation: Situation): Promise<boolean> {
    if (!situation.session.doing) return false;
    await perform(turn, situation, null, () => false);
    return true;
  }

  async function perform(
    turn: Turn,
    situation: Situation,
    pressed: Decided['replace'],
    acknowledge: Incoming['acknowledge'],
    firstName: string | null = null,
  ): Promise<void> {
    const doing = situation.session.doing!;
    const session = { ...situation.session, doing: null };
    const { shown } = turn.hold;
    const meanwhile = menu.meanwhile(doing.link.pattern);
    if (meanwhile) acknowledge();
    const replace = meanwhile ? await show.meanwhile(turn, meanwhile, pressed) : pressed;
    const reaction = await done(turn, { ...situation, session }, doing, replace, firstName);
    if ('aside' in reaction) {
      const beside = { ...reaction.session, lastActivityAt: now() };
      if (!(await turns.save(turn, beside))) throw new NotAdmitted('another writer was first');
      // The flow's own screen stands as before: the deed was stored on its way, and changed nothing of it.
      if (shown)
        Object.assign(turn.note, { shown: { ...shown, revision: turn.hold.revision }, screen: null });
      acknowledge(reaction.toast);
      return show.aside(turn, reaction.aside);
    }
    const decided = reaction.session
      ? { ...reaction, session: { ...settleText(reaction.session, doing.link), lastActivityAt: now() } }
      : { session, replace };
    if (!(await turns.save(turn, decided.session))) throw new NotAdmitted('another writer was first');
    if ('transition' in decided) carryOn.noteTransition(turn, decided.transition);
    const heard = acknowledge(reaction.toast);
    await carryOn.settle(turn, heard ? decided : inWriting(decided, reaction.toast));
  }

  function patienceFor({ link, input }: NonNullable<Situation['session']['doing']>): number | undefined {
    if (menu.meanwhile(link.pattern)) return SLOW_PATIENCE_MS;
    return input && input.kind !== 'text' ? FILE_PATIENCE_MS : undefined;
  }

  async function done(
    turn: Turn,
    situation: Situation,
    doing: NonNullable<Situation['session']['doing']>,
    replace: Decided['replace'],
    firstName: string | null,
  ): Promise<Reaction> {
    const { session } = situation;
    const visitor = { userId: turn.hold.userId, firstName, isAdmin: session.isAdmin };
    try {
      return await inTime('the deed', react.perform(doing, visitor, situation, replace), patienceFor(doing));
    } catch (error) {
      // It stays on record while a store is away. A mistake of ours would stand in the person's way for ever.
      if (!(error instanceof NotApplied) && !(await isAway(error))) await turns.save(turn, session);
      throw error;
    }
  }
}

/** A toast that came too late for its button stands above the screen instead. */
export function inWriting(decided: Decided, toast: string | undefined): Decided {
  return toast ? { ...decided, session: { ...decided.session, notice: [{ value: toast }] } } : decided;
}
