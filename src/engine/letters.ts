import type { Log } from '../log.ts';
import { apology, menuButton } from '../screens/kit/system.ts';
import type { CarryOn } from './carry-on.ts';
import { deadlineLetters, isStillWanted } from './deadlines.ts';
import type { Deeds } from './deeds.ts';
import type { Flows } from './flows.ts';
import { inTime } from './in-time.ts';
import type { Inbox, Letter, OpenLetter } from './inbox.ts';
import type { Action, Incoming } from './incoming.ts';
import { NotApplied } from './not-applied.ts';
import { type Parked, withoutParked } from './parking.ts';
import { ShowLater } from './presenter.ts';
import type { createReact } from './react.ts';
import type { FlowRun, Session } from './session.ts';
import type { createShow } from './show.ts';
import type { Turn, Turns } from './turns.ts';

// Telegram brings the pictures of an album within a second of each other.
const ALBUM_QUIET_MS = 1_200;
const CLAIM_MS = 30_000;
const BATCH = 100;
// A working flow cannot take the letter yet. Longer than any of our work takes, it is given up.
const MOST_WAITING_MS = 15 * 60_000;
/** Letters are settled one by one, so the last one alone may be applied and not settled; a few more cost nothing. */
const REMEMBERED = 5;

/** Brings events from outside to sessions: durably, in their order, once. */
export function createLetters({
  inbox,
  turns,
  flows,
  show,
  carryOn,
  deeds,
  react,
  isAway,
  log,
  now,
}: {
  inbox: Inbox;
  turns: Turns;
  flows: Flows;
  show: ReturnType<typeof createShow>;
  carryOn: CarryOn;
  deeds: Deeds;
  react: ReturnType<typeof createReact>;
  isAway(error: unknown): boolean | Promise<boolean>;
  log: Log;
  now: () => number;
}) {
  return { inject, collect, deliver, sweep, arm };

  /** Durable when it resolves. Delivered at once where that is possible, else by a sweep, here or elsewhere. */
  async function inject(letter: Letter): Promise<void> {
    await inbox.put(letter);
    await deliver(letter.userId).catch((error) =>
      log.warn({ err: error, user: letter.userId }, 'a letter waits for the next sweep'),
    );
  }

  /** Notes the deadlines of a session that was just stored. Idempotent, so a take-over does it again. */
  async function arm(userId: number, session: Session): Promise<void> {
    for (const { letter, dueAt } of deadlineLetters(userId, session)) await inbox.put(letter, dueAt);
  }

  /** One picture of several. False: the rest of its album is past, and it stands for itself. */
  async function collect(userId: number, action: PartOfAlbum): Promise<boolean> {
    const { album, caption } = action;
    const item =
      action.kind === 'photo'
        ? { kind: action.kind, photo: action.photo }
        : { kind: action.kind, file: action.file };
    const letter = { id: `album:${album.id}`, userId, run: null, event: { type: 'album.received' } };
    const dueAt = now() + ALBUM_QUIET_MS;
    const outcome = await inbox.collect(letter, { item, place: album.place, caption }, dueAt);
    if (outcome !== 'collected') return outcome === 'repeat';
    setTimeout(() => {
      deliver(userId).catch((error) =>
        log.warn({ err: error, user: userId }, 'an album waits for the next sweep'),
      );
    }, ALBUM_QUIET_MS + 50).unref();
    return true;
  }

  /** Never throws: the next sweep comes soon. */
  async function sweep(): Promise<void> {
    try {
      const due = await inbox.due(now(), BATCH, CLAIM_MS);
      const outcomes = await Promise.allSettled(due.map(deliver));
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          log.warn({ err: outcome.reason }, 'letters wait for the next sweep');
    } catch (error) {
      log.error({ err: error }, 'the inbox could not be swept');
    }
  }

  async function deliver(userId: number): Promise<void> {
    for (;;) {
      const [first] = await inbox.open(userId, now());
      if (!first) return;
      let goesOn = false;
      await turns.take(userId, async (turn) => {
        // Left by a process that died in the middle of it: the person did that before the letter came.
        await deeds.resume(turn, turns.situationOf(turn));
        // Read again under the lock: another process may have been here.
        const [letter] = await inbox.open(userId, now());
        if (letter) goesOn = await apply(turn, letter).catch((error) => givenUp(turn, letter, error));
      });
      if (!goesOn) return;
    }
  }

  /** A letter that fails by a mistake of ours would fail for ever, and those behind it would never be heard. */
  async function givenUp(turn: Turn, letter: OpenLetter, error: unknown): Promise<boolean> {
    if (error instanceof NotApplied || error instanceof ShowLater || (await isAway(error))) throw error;
    turn.log.error({ err: error, letter: letter.id, event: letter.event.type }, 'a letter is given up');
    if (letter.parts.length > 0) await show.message(turn, { text: apology, keyboard: [[menuButton]] });
    return settled(letter, 'missed');
  }

  /** False: the letter has to wait, and so do the later ones. */
  async function apply(turn: Turn, letter: OpenLetter): Promise<boolean> {
    const { session, flow } = turns.situationOf(turn);
    if (session.letters.includes(letter.id)) return settled(letter, 'applied');
    if (letter.parts.length > 0) return heard(turn, letter);
    const { run, event } = letter;
    const isCurrent = flow !== null && (run === null || flow.run.run === run.run);
    if (isCurrent && flow.can(event) && isStillWanted(letter, session)) {
      const place = turns.isSeen(turn) ? (turn.hold.shown?.messageId ?? null) : null;
      const next = carryOn.moved(turn, noting(session, letter), flow, event, place);
      if (!(await turns.save(turn, next.session))) return false;
      carryOn.noteTransition(turn, next.transition);
      await settled(letter, 'applied');
      await carryOn.settle(turn, next);
      return true;
    }
    const parked = session.parked.find((each) => isFor(letter, each.run));
    if (parked) return wokenUp(turn, letter, session, parked);
    if (isCurrent && flow.busy && isStillWanted(letter, session) && now() - letter.since < MOST_WAITING_MS)
      return false;
    const left = session.background.find((each) => each.run === run?.run);
    if (left) {
      const behind = carryOn.usable(left);
      if (behind?.can(event)) {
        if (!(await carryOn.goOnBehind(turn, noting(session, letter), behind, event))) return false;
        return settled(letter, 'applied');
      }
    }
    return missed(turn, letter);
  }

  /** Whether a parked run takes the letter: the one it names, or any where it names none. */
  function isFor({ run, event }: OpenLetter, parked: FlowRun): boolean {
    if (run && run.run !== parked.run) return false;
    return !flows.isNewer(parked) && (carryOn.usable(parked)?.can(event) ?? false);
  }

  /** A parked run goes on in its place; where it waits for them again they are told, and it is parked again. */
  async function wokenUp(
    turn: Turn,
    letter: OpenLetter,
    session: Session,
    { slot, run }: Parked,
  ): Promise<boolean> {
    const flow = carryOn.usable(run);
    const behind = { ...withoutParked(session, slot), background: [...session.background, run] };
    if (!flow || !(await carryOn.goOnBehind(turn, noting(behind, letter), flow, letter.event))) return false;
    return settled(letter, 'applied');
  }

  /** An album is what the person did: answered like any other message of theirs. */
  async function heard(turn: Turn, letter: OpenLetter): Promise<boolean> {
    const items = letter.parts.map(({ item }) => item);
    const caption = letter.parts.find((part) => part.caption !== '')?.caption ?? '';
    const incoming = {
      userId: letter.userId,
      person: nameless,
      log: turn.log,
      action: { kind: 'album', items, caption },
    } as const;
    const situation = turns.situationOf(turn);
    const reaction = await inTime('the answer', react.react(incoming, situation, false));
    // An album is no link: no page stands beside the flow because of it.
    if (reaction.session && !('aside' in reaction)) {
      const decided = {
        ...reaction,
        session: { ...noting(reaction.session, letter), lastActivityAt: now() },
      };
      if (!(await turns.save(turn, decided.session))) return false;
      await settled(letter, 'applied');
      if (decided.session.doing)
        await deeds.perform(turn, { ...situation, session: decided.session }, null, () => false);
      else await carryOn.settle(turn, decided);
      return true;
    }
    return settled(letter, 'applied');
  }

  /** The flow's own table says what becomes of an event for a run that is gone; without an entry it is dropped. */
  async function missed(turn: Turn, letter: OpenLetter): Promise<boolean> {
    const screen = letter.run && flows.missed(letter.run.flow, letter.event);
    turn.log.info(
      { letter: letter.id, event: letter.event.type, told: screen !== null },
      'a letter found no run',
    );
    if (screen) await show.message(turn, screen);
    return settled(letter, 'missed');
  }

  async function settled(letter: Letter, outcome: 'applied' | 'missed'): Promise<true> {
    await inbox.settle(letter.id, outcome);
    return true;
  }
}

type PartOfAlbum = Extract<Action, { kind: 'photo' | 'file' }> & {
  album: NonNullable<Extract<Action, { kind: 'photo' }>['album']>;
};

export const isPartOfAlbum = (action: Action): action is PartOfAlbum =>
  (action.kind === 'photo' || action.kind === 'file') && action.album !== null;

const nameless: Incoming['person'] = { username: null, firstName: null, lastName: null };

const noting = (session: Session, { id }: Letter): Session => ({
  ...session,
  letters: [...session.letters, id].slice(-REMEMBERED),
});
