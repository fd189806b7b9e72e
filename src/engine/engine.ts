import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { notices, toasts } from '../screens/kit/system.ts';
import { createAdmission } from './admission.ts';
import { createCarryOn } from './carry-on.ts';
import { createDeeds, inWriting } from './deeds.ts';
import type { Actors, FlowEvent, Flows } from './flows.ts';
import { inTime } from './in-time.ts';
import type { Inbox, Letter } from './inbox.ts';
import type { Incoming } from './incoming.ts';
import { HEARTBEAT_MS } from './lease.ts';
import { createLetters, isPartOfAlbum } from './letters.ts';
import type { Menu } from './menu.ts';
import { NotAdmitted, NotApplied, Stopping, StoreAway } from './not-applied.ts';
import { createOwedUpdates } from './owed-updates.ts';
import type { Presenter } from './presenter.ts';
import { createProgress } from './progress.ts';
import { createReact, type LooksLikeSecret, type Seal } from './react.ts';
import type { Reaction } from './reaction.ts';
import { createRecovery } from './recovery.ts';
import type { Session } from './session.ts';
import type { SessionStore } from './session-store.ts';
import { createShow } from './show.ts';
import type { Situation } from './situation.ts';
import { createThrottleNotices } from './throttle-notices.ts';
import { createTurns, type EngineSettings, type Turn } from './turns.ts';
import { createWork } from './work.ts';

/** Registers a person at their first update; later updates refresh their row. */
export type People = {
  note(person: { id: number } & Incoming['person']): Promise<{ isRecent: boolean; isAdmin: boolean }>;
};

/** `person` is our own id. `run` names the flow too: when the run is gone, the flow says what becomes of the event. */
export type Injection = { person: number; run?: Letter['run']; event: FlowEvent; id: string };

export type Engine = ReturnType<typeof createEngine>;

const EMPTY_INBOX_EVERY_MS = 2_000;
const SWEEP_EVERY_MS = 2_000;
/** How often a decision that lost the compare-and-set is made again. */
const MOST_DECISIONS = 5;
const NOTE_PERSON_EVERY_MS = 5 * 60_000;

export function createEngine({
  store,
  flows,
  menu,
  actors,
  people,
  presenter,
  inbox,
  seal,
  looksLikeSecret,
  isAway,
  settings,
  log,
  now = Date.now,
  onTransition,
}: {
  store: SessionStore;
  flows: Flows;
  menu: Menu;
  actors: Actors;
  people: People;
  presenter: Presenter;
  inbox: Inbox;
  seal: Seal;
  looksLikeSecret: LooksLikeSecret;
  /** Whether an error comes from a store that is away, and not from a mistake of ours. */
  isAway(error: unknown): boolean | Promise<boolean>;
  settings: EngineSettings;
  log: Log;
  now?: () => number;
  onTransition?: ((flow: string, state: string) => void) | undefined;
}) {
  const gate = createAdmission(store, settings.throttlePerMinute);
  const progress = createProgress((userId, run, event) => {
    const told = carryOn.tellProgress(userId, run, event);
    void track(told.catch((error) => log.warn({ err: error, user: userId }, 'progress was not told')));
  }, settings.progress);
  const work = createWork(actors, progress.made);
  const arm = (userId: number, session: Session) => letters.arm(userId, session);
  const turns = createTurns({
    store,
    gate,
    flows,
    home: menu.home,
    settings,
    owner: randomUUID(),
    arm,
    log,
    now,
  });
  const show = createShow({ flows, menu, presenter, now });
  const react = createReact({ flows, menu, seal, looksLikeSecret });
  const throttleNotices = createThrottleNotices(now);
  const owed = createOwedUpdates(store.hasSeen, now);
  const inFlight = new Set<Promise<unknown>>();
  const carryOn = createCarryOn({ turns, work, flows, show, react, log, now, track, progress, onTransition });
  const deeds = createDeeds({ turns, react, carryOn, show, menu, isAway, now });
  const letters = createLetters({ inbox, turns, flows, show, carryOn, deeds, react, isAway, log, now });
  const recovery = createRecovery({ store, turns, work, show, carryOn, deeds, arm, log, now });
  const sweeping = setInterval(() => void track(recovery.sweep()), SWEEP_EVERY_MS);
  const emptying = setInterval(() => void track(letters.sweep()), EMPTY_INBOX_EVERY_MS);
  const beating = setInterval(recovery.heartbeat, HEARTBEAT_MS);
  let stopping = false;
  return { handle, inject, recover, stop, busy: work.size };

  /** Resolves when the event is durably applied and its screen shown, or on its way to be shown again. */
  async function handle(incoming: Incoming): Promise<void> {
    if (stopping) throw new Stopping('no new work is taken');
    await track(applied(incoming));
  }

  /** An event from outside, for a run of the person's or for whatever they are in. Durable when it resolves, applied once per id. */
  async function inject({ person, run, event, id }: Injection): Promise<void> {
    await track(letters.inject({ id, userId: person, run: run ?? null, event }));
  }

  /** Fails with `NotApplied` when the update has to come again, and with anything else for a mistake of our own. */
  async function applied(incoming: Incoming): Promise<void> {
    const { userId, updateId } = incoming;
    try {
      await admit(incoming);
      owed.settled(userId, updateId);
    } catch (error) {
      owed.owe(userId, updateId);
      if (error instanceof NotApplied) throw error;
      if (await isAway(error)) throw new StoreAway('an update was not applied', { cause: error });
      owed.settled(userId, updateId);
      throw error;
    }
  }

  async function admit(incoming: Incoming): Promise<void> {
    if (await isCollected(incoming)) return;
    for (let decisions = 1; ; decisions += 1) {
      try {
        return await enter(incoming);
      } catch (error) {
        if (!(error instanceof Overtaken) || decisions === MOST_DECISIONS) throw error;
      }
    }
  }

  async function enter(incoming: Incoming): Promise<void> {
    const admission = await gate.enter(incoming.userId, incoming.updateId);
    if (admission.outcome === 'throttled') return drop(incoming);
    await turns.run(admission.hold, incoming.log, async (turn) => {
      if (admission.outcome === 'held') return answerInOrder(turn, incoming);
      incoming.acknowledge();
      await recovery.showIfLost(turn);
    });
  }

  /** Not heard, and the person is told so; a secret does not stay in the chat for that. */
  async function drop(incoming: Incoming): Promise<void> {
    const { userId, action, log: its } = incoming;
    its.warn('throttled');
    incoming.acknowledge(toasts.tooFast);
    if (action.kind !== 'press' && throttleNotices.isDue(userId))
      await show
        .beside(userId, notices.tooFast)
        .catch((error) => its.warn({ err: error }, 'not told of the limit'));
    if (mayShowSecret(incoming) && (await turns.awaitsSecret(userId, its))) incoming.erase();
  }

  /** A picture of an album waits for the others, unless it may show a password: then it goes the usual way, and away. */
  async function isCollected({ action, userId, log: its }: Incoming): Promise<boolean> {
    if (!isPartOfAlbum(action) || (await turns.awaitsSecret(userId, its))) return false;
    return letters.collect(userId, action);
  }

  async function answerInOrder(turn: Turn, incoming: Incoming): Promise<void> {
    const { userId, updateId } = incoming;
    if (await owed.isBehind(userId, updateId))
      throw new NotAdmitted('an earlier update of this person is not applied yet');
    try {
      await answer(turn, incoming);
    } catch (error) {
      if (!(error instanceof Overtaken)) owed.owe(userId, updateId); // before the lock is released: the next update is waiting for it
      throw error;
    }
  }

  async function answer(turn: Turn, incoming: Incoming): Promise<void> {
    let situation = turns.situationOf(turn);
    // Left by a process that died in the middle of it.
    if (await deeds.resume(turn, situation)) situation = turns.situationOf(turn);
    else situation = await behindLostEnd(turn, situation, incoming);
    // Before anything else: a secret must not stand in the chat longer than it takes to read it.
    const isSecret = situation.awaitsSecret && mayShowSecret(incoming);
    if (isSecret || react.isStraySecret(incoming.action, situation)) incoming.erase();
    const reaction = await inTime('the answer', decide(incoming, situation));
    if (!reaction.session) {
      turn.note.updateId = incoming.updateId;
      incoming.acknowledge(reaction.toast);
      return;
    }
    const session = { ...reaction.session, lastActivityAt: now() };
    if ('aside' in reaction) {
      if (!(await turns.saveBeside(turn, session, incoming.updateId)))
        throw new Overtaken('another writer was first');
      incoming.acknowledge(reaction.toast);
      return show.aside(turn, reaction.aside);
    }
    const decided = { ...reaction, session, repeats: reaction.repeats === true && turns.isSeen(turn) };
    if (!(await turns.save(turn, decided.session, incoming.updateId))) {
      // Decided for a revision that is out of date, or ahead of an earlier update that has yet to be applied.
      throw new Overtaken('another writer or an earlier update was first');
    }
    if (decided.session.doing) {
      await deeds.perform(
        turn,
        { ...situation, session: decided.session },
        decided.replace,
        incoming.acknowledge,
        incoming.person.firstName,
      );
      return;
    }
    carryOn.noteTransition(incoming, decided.transition);
    const heard = incoming.acknowledge(decided.toast);
    await carryOn.settle(turn, heard ? decided : inWriting(decided, decided.toast));
  }

  /**
   * The page on which a run has ended comes before whatever the person does now, if its process could not show it:
   * nothing else would tell them of the result.
   */
  async function behindLostEnd(turn: Turn, situation: Situation, { action }: Incoming): Promise<Situation> {
    if (situation.flow || situation.farewell || !turns.owesScreen(turn)) return situation;
    await recovery.showIfLost(turn);
    const { shown } = turn.note;
    if (!shown) return situation;
    // A dead button above it needs no other answer.
    const repeatedFor = action.kind === 'press' ? action.messageId : null;
    return { ...situation, shown, session: { ...situation.session, repeatedFor } };
  }

  async function decide(incoming: Incoming, situation: Situation): Promise<Reaction> {
    const { isNew, ...noted } = await notePerson(situation.session, incoming);
    return react.react(incoming, { ...situation, session: { ...situation.session, ...noted } }, isNew);
  }

  async function notePerson(session: Session, { userId, person, action }: Incoming) {
    const starts = action.kind === 'command' && action.name === 'start';
    if (!starts && now() - session.notedAt < NOTE_PERSON_EVERY_MS) return { isNew: false };
    const { isRecent, isAdmin } = await people.note({ id: userId, ...person });
    // Not by the registration alone: a process may have died between it and the welcome.
    return { isNew: isRecent && session.notedAt === 0, isAdmin, notedAt: now() };
  }

  /** At the start: sessions whose process has died. `exclusive`: no other process can be their owner. */
  async function recover({ exclusive }: { exclusive: boolean }): Promise<void> {
    await (exclusive ? recovery.sweepAll() : recovery.sweep());
    await letters.sweep();
  }

  async function track<T>(promise: Promise<T>): Promise<T> {
    inFlight.add(promise);
    try {
      return await promise;
    } finally {
      inFlight.delete(promise);
    }
  }

  /** No new work; what runs may finish within the grace. The rest is taken over by another process. */
  async function stop(graceMs: number): Promise<void> {
    stopping = true;
    clearInterval(sweeping);
    clearInterval(emptying);
    const late = delay(graceMs, 'late', { ref: false });
    if ((await Promise.race([allDone(), late])) === 'late') {
      log.warn({ busy: work.size() }, 'stopping with work left');
    }
    clearInterval(beating);
    work.abort();
    gate.close();
  }

  async function allDone(): Promise<void> {
    while (inFlight.size > 0 || work.size() > 0) {
      await Promise.allSettled([...inFlight]);
      await work.settled();
    }
  }
}

/** The decision lost the compare-and-set: decide again on what is stored now. */
class Overtaken extends NotAdmitted {}

/** A photo or a file cannot be read as the answer, and shows the secret all the same. */
const mayShowSecret = ({ action }: Incoming): boolean => action.kind !== 'press' && action.kind !== 'command';
