import type { Log } from '../log.ts';
import type { Link } from '../screens/kit/link.ts';
import type { Admission, createAdmission } from './admission.ts';
import { withDeadlines } from './deadlines.ts';
import type { Flows } from './flows.ts';
import { createKnownSessions } from './known-sessions.ts';
import { LEASE_MS } from './lease.ts';
import { parkedForSeconds } from './parking.ts';
import { parseSession, type Session } from './session.ts';
import type { Attention, Hold, ReleaseNote, SessionStore } from './session-store.ts';
import { readSituation, worksIn } from './situation.ts';

export type EngineSettings = {
  inactivityMs: number;
  ttlSeconds: number;
  throttlePerMinute: number;
  /** How often progress is told, and when work counts as late. */
  progress?: { gapMs: number; lateMs: number };
};

/** The time for which a person's lock is held, and what will be noted when it ends. */
export type Turn = {
  hold: Hold;
  note: TurnNote;
  log: Log;
  /** A change that was decided is stored with the session, and not done yet. */
  owesDeed: boolean;
};

export type TurnNote = Omit<ReleaseNote, 'attention'> & {
  /** When the screen should be tried again; null when it stands in the chat. */
  screen?: Attention | null;
  /** Who looks after the session's works from now on. */
  leases?: readonly Attention[];
};

/** The part of a session that is its screen; all other parts are runs. */
export const SCREEN = 'screen';
export type Turns = ReturnType<typeof createTurns>;

// A screen that was decided but not shown by then was lost with its process.
const SHOW_GRACE_MS = 12_000;

/** Reading and writing a session under its lock. */
export function createTurns({
  store,
  gate,
  flows,
  home,
  settings,
  owner,
  arm = async () => undefined,
  log,
  now,
}: {
  store: SessionStore;
  gate: ReturnType<typeof createAdmission>;
  flows: Flows;
  /** The first page of a person without a stored session. */
  home: Link;
  settings: EngineSettings;
  /** Names this process in the leases of its work. */
  owner: string;
  /** Notes the deadlines of a stored session where they are swept. */
  arm?: (userId: number, session: Session) => Promise<void>;
  log: Log;
  now: () => number;
}) {
  const known = createKnownSessions();
  return {
    home,
    take,
    takeIfFree,
    run,
    situationOf,
    awaitsSecret,
    save,
    saveBeside,
    isSeen,
    owesScreen,
    lease,
  };

  /** A turn of our own, without an update of the person's. */
  async function take(userId: number, act: (turn: Turn) => Promise<void>): Promise<void> {
    const admission: Admission = await gate.enter(userId);
    if (admission.outcome !== 'throttled') await run(admission.hold, log.child({ user: userId }), act);
  }

  /** Asks once. The holder of the lock looks after the session; if it dies, the next sweep comes. */
  async function takeIfFree(userId: number, act: (turn: Turn) => Promise<void>): Promise<void> {
    const hold = await gate.tryToEnter(userId);
    if (hold) await run(hold, log.child({ user: userId }), act);
  }

  async function run(hold: Hold, its: Log, act: (turn: Turn) => Promise<void>): Promise<void> {
    const turn: Turn = { hold, note: {}, log: its, owesDeed: false };
    try {
      await act(turn);
    } catch (error) {
      turn.note.isUncounted = true;
      throw error;
    } finally {
      // A failed release is not an error of the turn: the lock expires by itself, and the screen is shown again.
      await gate
        .leave(turn.hold, releaseNote(turn))
        .catch((error) => its.warn({ err: error }, 'a lock was not given back'));
    }
  }

  function situationOf({ hold, log: its }: { hold: Pick<Hold, 'userId' | 'session' | 'shown'>; log: Log }) {
    return readSituation(hold, flows, {
      parse: (text) => known.find(hold.userId, text) ?? parseSession(text),
      now: now(),
      home,
      inactivityMs: settings.inactivityMs,
      onUnusable(reason) {
        its.warn({ err: reason }, 'a stored session could not go on');
      },
    });
  }

  /** Read without the lock, for an update that is dropped by the throttle. */
  async function awaitsSecret(userId: number, its: Log): Promise<boolean> {
    const session = await store.peek(userId);
    return situationOf({ hold: { userId, session, shown: null }, log: its }).awaitsSecret;
  }

  /** False: another writer was first. The loser says nothing. */
  async function save(turn: Turn, decided: Session, updateId?: number): Promise<boolean> {
    const session = withDeadlines(decided, flows, now());
    const text = JSON.stringify(session);
    const saved = await store.save(turn.hold, {
      session: text,
      attention: [
        ...worksIn(session).map(({ run }) => leaseIn(turn.hold, run)),
        { of: SCREEN, at: now() + SHOW_GRACE_MS, owner: 'show:0' },
      ],
      ttlSeconds: Math.max(settings.ttlSeconds, parkedForSeconds(session, now())),
      ...(updateId !== undefined && { updateId }),
    });
    // Before the screen: a process that dies here leaves the session to a take-over, which arms the deadlines again.
    if (saved && session.wakes !== decided.wakes)
      await arm(turn.hold.userId, session).catch((error) =>
        turn.log.error({ err: error }, 'a deadline was not noted'),
      );
    if (saved) {
      turn.hold = saved;
      turn.owesDeed = session.doing !== null;
      known.keep(turn.hold.userId, text, session);
    } else turn.log.warn('another process was first: this one says nothing');
    return saved !== null;
  }

  /** Saves what changes nothing on the screen: one that the person has seen stays seen. */
  async function saveBeside(turn: Turn, session: Session, updateId?: number): Promise<boolean> {
    const shown = isSeen(turn) && (turn.note.shown ?? turn.hold.shown);
    if (!(await save(turn, session, updateId))) return false;
    if (shown) Object.assign(turn.note, { shown: { ...shown, revision: turn.hold.revision }, screen: null });
    return true;
  }

  function isSeen({ hold, note }: Turn): boolean {
    return ((note.shown ?? hold.shown)?.revision ?? 0) >= hold.revision;
  }

  /** Whether a decided screen still has to be shown. Not to a person who has blocked the bot. */
  function owesScreen(turn: Turn): boolean {
    return !isSeen(turn) && turn.hold.attention.some(({ of }) => of === SCREEN);
  }

  /** Work that another process looks after stays in its care. */
  function leaseIn({ attention }: Hold, run: string): Attention {
    return attention.find(({ of }) => of === run) ?? lease(run);
  }

  function lease(run: string): Attention {
    return { of: run, at: now() + LEASE_MS, owner };
  }
}

function releaseNote({ hold, note: { screen: next, leases, ...note }, owesDeed }: Turn): ReleaseNote {
  const { attention } = hold;
  // The sweep that looks for lost screens finds changes that were not done, too.
  const screen = owesDeed ? undefined : next;
  if (screen === undefined && leases === undefined) return note;
  const ofScreen =
    screen === undefined ? attention.filter(({ of }) => of === SCREEN) : screen ? [screen] : [];
  return { ...note, attention: [...(leases ?? attention.filter(({ of }) => of !== SCREEN)), ...ofScreen] };
}
