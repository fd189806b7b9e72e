import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Log, withLogContext } from '../log.ts';
import { createAdmission } from './admission.ts';
import { type Actors, type Flows, UnusableFlow } from './flows.ts';
import { inTime } from './in-time.ts';
import type { Incoming } from './incoming.ts';
import type { Menu } from './menu.ts';
import type { Presenter } from './presenter.ts';
import { createReact, type Reaction } from './react.ts';
import { type FlowRun, menuPage, type Session } from './session.ts';
import type { Attention, Hold, ReleaseNote, SessionStore } from './session-store.ts';
import { createShow } from './show.ts';
import { readSituation, worksIn } from './situation.ts';
import { createWork, type Result } from './work.ts';

export type EngineSettings = { inactivityMs: number; ttlSeconds: number; throttlePerMinute: number };

/** Whoever writes to the bot is noted in the database: registered the first time, touched later. */
export type People = {
  note(person: { id: number } & Incoming['person']): Promise<{ isNew: boolean; isAdmin: boolean }>;
};

export type Engine = ReturnType<typeof createEngine>;

/** The process is going down: whoever brought the update should bring it to another one. */
export class Stopping extends Error {
  override readonly name = 'Stopping';
}

// Work that ends within this time shows its result at once; slower work shows its progress first.
const QUICK_WORK_MS = 400;
// Without a sign of life for this long, work counts as orphaned and another process takes it over.
const WORK_LEASE_MS = 10_000;
const WORK_HEARTBEAT_MS = 3_000;
// A screen that was decided but not shown by then was lost with its process.
const SHOW_GRACE_MS = 12_000;
const SWEEP_EVERY_MS = 4_000;
const SWEEP_BATCH = 100;
const A_DAY_MS = 24 * 60 * 60_000;
const NOTE_PERSON_EVERY_MS = 5 * 60_000;

type Turn = { hold: Hold; note: ReleaseNote };
type Decided = Extract<Reaction, { session: Session }>;

export function createEngine({
  store,
  flows,
  menu,
  actors,
  people,
  presenter,
  settings,
  log,
  now = Date.now,
}: {
  store: SessionStore;
  flows: Flows;
  menu: Menu;
  actors: Actors;
  people: People;
  presenter: Presenter;
  settings: EngineSettings;
  log: Log;
  now?: () => number;
}) {
  const owner = randomUUID();
  const gate = createAdmission(store, settings.throttlePerMinute);
  const work = createWork(actors);
  const inFlight = new Set<Promise<unknown>>();
  const { react, advance, sent } = createReact({
    flows,
    menu,
    onTransition: (transition) => log.info(transition, 'transition'),
  });
  const show = createShow({ flows, menu, presenter, log, now });
  const timers = [
    setInterval(heartbeat, WORK_HEARTBEAT_MS),
    setInterval(() => void track(sweep(now())), SWEEP_EVERY_MS),
  ];
  let stopping = false;
  return { handle, recover, stop, busy: work.size };

  /** Resolves when the event is durably applied and its screen shown, or on its way to be shown again. */
  async function handle(incoming: Incoming): Promise<void> {
    if (stopping) throw new Stopping('no new work is taken');
    await track(withLogContext({ user: incoming.userId }, () => take(incoming)));
  }

  async function take(incoming: Incoming): Promise<void> {
    const { userId, updateId } = incoming;
    const admission = await gate.enter(userId, updateId);
    if (admission.outcome === 'throttled') {
      log.warn('throttled');
      incoming.acknowledge();
      return;
    }
    await inTurn(admission.hold, async (turn) => {
      if (admission.outcome === 'held') return answer(turn, incoming);
      incoming.acknowledge();
      await showIfLost(turn);
    });
  }

  async function answer(turn: Turn, incoming: Incoming): Promise<void> {
    const situation = situationOf(turn.hold);
    const { isNew, ...noted } = await inTime('noting the person', notePerson(situation.session, incoming));
    const reaction = await inTime(
      'the answer',
      react(incoming, { ...situation, session: { ...situation.session, ...noted } }, isNew),
    );
    if (!reaction.session) {
      turn.note.updateId = incoming.updateId;
      incoming.acknowledge(reaction.toast);
      return;
    }
    const applied = await save(turn, { ...reaction.session, lastActivityAt: now() }, incoming.updateId);
    const heard = incoming.acknowledge(reaction.toast);
    if (applied) await carryOn(turn, heard ? reaction : inWriting(reaction));
  }

  async function notePerson(session: Session, { userId, person, action }: Incoming) {
    const starts = action.kind === 'command' && action.name === 'start';
    if (!starts && now() - session.notedAt < NOTE_PERSON_EVERY_MS) return { isNew: false };
    const { isNew, isAdmin } = await people.note({ id: userId, ...person });
    return { isNew, isAdmin, notedAt: now() };
  }

  /** From the stored decision to the screen: quick work is waited for, slow work goes on by itself. */
  async function carryOn(turn: Turn, decided: Decided): Promise<void> {
    const { userId } = turn.hold;
    let reaction = decided;
    while (reaction.flow?.busy) {
      const results = work.begin(userId, reaction.flow);
      const first = await Promise.race([...results, delay(QUICK_WORK_MS, null)]);
      if (!first) {
        detach(userId, results);
        break;
      }
      const next = advance(reaction.session, reaction.flow, first.event, reaction.replace);
      if (!next.session || !(await save(turn, { ...next.session, lastActivityAt: now() }))) return;
      reaction = next;
    }
    Object.assign(turn.note, await show.view(turn.hold, reaction));
    await tellEnds(turn, reaction.session);
  }

  function detach(userId: number, results: Promise<Result>[]): void {
    for (const result of results) {
      void track(
        result
          .then((done) => withLogContext({ user: userId }, () => deliver(userId, done)))
          // The sweep finds the session again: its result is kept under the operation's key.
          .catch((error) => log.error({ err: error, user: userId }, 'a result could not be applied')),
      );
    }
  }

  /** A result is an event like any other, applied to the session as it is then. */
  async function deliver(userId: number, { run, event }: Result): Promise<void> {
    const admission = await gate.enter(userId);
    if (admission.outcome === 'throttled') return;
    await inTurn(admission.hold, async (turn) => {
      const { session, flow } = situationOf(turn.hold);
      if (flow?.run.run === run && flow.can(event)) {
        const reaction = advance(session, flow, event, turn.hold.shown?.messageId ?? null);
        if (!reaction.session || !(await save(turn, { ...reaction.session, lastActivityAt: now() }))) return;
        return carryOn(turn, reaction);
      }
      const left = session.background.find((candidate) => candidate.run === run);
      if (left) await finishInBackground(turn, session, flows.restore(left), event);
    });
  }

  async function finishInBackground(
    turn: Turn,
    session: Session,
    flow: ReturnType<Flows['restore']>,
    event: Result['event'],
  ): Promise<void> {
    if (!flow.can(event)) return;
    const next = sent(flow, event);
    // One that is over stays until the person was told of it.
    const background = session.background.map((run) => (run.run === flow.run.run ? next.run : run));
    if (!(await saveBeside(turn, { ...session, background }))) return;
    if (next.busy) detach(turn.hold.userId, work.begin(turn.hold.userId, next));
    else await tellEnds(turn, { ...session, background });
  }

  /** Runs that ended after the person had left are told of, and then forgotten. */
  async function tellEnds(turn: Turn, session: Session): Promise<void> {
    let rest = session;
    let later: ReleaseNote = {};
    for (const run of session.background) {
      const flow = usable(run);
      if (flow?.busy) continue;
      const { told, note } = await show.push(turn.hold, flow);
      if (told) rest = { ...rest, background: rest.background.filter((other) => other !== run) };
      else later = note;
    }
    if (rest !== session && !(await saveBeside(turn, rest))) return;
    if (worksIn(rest).length > 0) return;
    if (isSeen(turn)) turn.note.attention = null;
    Object.assign(turn.note, later);
  }

  function usable(run: FlowRun): ReturnType<Flows['restore']> | null {
    try {
      return flows.restore(run);
    } catch (error) {
      if (!(error instanceof UnusableFlow)) throw error;
      log.warn({ err: error }, 'a stored session could not go on');
      return null;
    }
  }

  /** Saves what changes nothing on the screen: one that the person has seen stays seen. */
  async function saveBeside(turn: Turn, session: Session): Promise<boolean> {
    const shown = isSeen(turn) && (turn.note.shown ?? turn.hold.shown);
    if (!(await save(turn, session))) return false;
    if (shown) turn.note.shown = { ...shown, revision: turn.hold.revision };
    return true;
  }

  function isSeen({ hold, note }: Turn): boolean {
    return ((note.shown ?? hold.shown)?.revision ?? 0) >= hold.revision;
  }

  /** At the start: sessions whose process has died. `exclusive`: no other process can be their owner. */
  async function recover({ exclusive }: { exclusive: boolean }): Promise<void> {
    await sweep(exclusive ? now() + A_DAY_MS : now());
  }

  async function sweep(until: number): Promise<void> {
    try {
      const mine = new Set(work.users());
      const due = (await store.due(until, SWEEP_BATCH)).filter((userId) => !mine.has(userId));
      const outcomes = await Promise.allSettled(due.map((userId) => takeOver(userId, until)));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected')
          log.error({ err: outcome.reason }, 'a session could not be taken over');
      }
    } catch (error) {
      log.error({ err: error }, 'the sweep failed');
    }
  }

  async function takeOver(userId: number, until: number): Promise<void> {
    const admission = await gate.enter(userId);
    if (admission.outcome === 'throttled') return;
    await inTurn(admission.hold, async (turn) => {
      // Another process was faster, or the person came back by themselves.
      if ((turn.hold.attention?.at ?? Number.POSITIVE_INFINITY) > until) return;
      const { session, flow, farewell } = situationOf(turn.hold);
      if (farewell) {
        const ended = { ...session, page: menuPage, notice: farewell };
        if (await save(turn, ended)) {
          Object.assign(turn.note, await show.view(turn.hold, { session: ended, replace: null }));
        }
        return;
      }
      const works = worksIn(session);
      turn.note.attention = works.length > 0 ? leaseOf() : null;
      for (const run of works) {
        const live = run.run === flow?.run.run ? flow : usable(run);
        if (!live) continue;
        log.info({ flow: run.flow, run: run.run }, 'work taken over');
        detach(userId, work.begin(userId, live));
      }
      await showIfLost(turn);
      await tellEnds(turn, session);
    });
  }

  async function showIfLost(turn: Turn): Promise<void> {
    const { hold } = turn;
    if (isSeen(turn)) return;
    const { session, flow } = situationOf(hold);
    Object.assign(turn.note, await show.view(hold, { session, ...(flow && { flow }), replace: null }));
  }

  async function inTurn(hold: Hold, act: (turn: Turn) => Promise<void>): Promise<void> {
    const turn: Turn = { hold, note: {} };
    try {
      await act(turn);
    } finally {
      // What was done stays done, and what failed has its own error: the lock expires, the screen comes again.
      await gate
        .leave(turn.hold, turn.note)
        .catch((error) => log.warn({ err: error }, 'a lock was not given back'));
    }
  }

  function situationOf(hold: Hold) {
    return readSituation(hold, flows, {
      now: now(),
      inactivityMs: settings.inactivityMs,
      onUnusable: (reason) =>
        log.warn({ err: reason, user: hold.userId }, 'a stored session could not go on'),
    });
  }

  /** False: another writer was first. The loser says nothing. */
  async function save(turn: Turn, session: Session, updateId?: number): Promise<boolean> {
    const attention =
      worksIn(session).length > 0 ? leaseIn(turn.hold) : { at: now() + SHOW_GRACE_MS, owner: 'show:0' };
    const saved = await store.save(turn.hold, {
      session: JSON.stringify(session),
      attention,
      ttlSeconds: settings.ttlSeconds,
      ...(updateId !== undefined && { updateId }),
    });
    if (saved) turn.hold = saved;
    else log.warn('another process was first: this one says nothing');
    return saved !== null;
  }

  /** Work that another process looks after stays in its care. */
  function leaseIn({ attention }: Hold): Attention {
    return attention && !attention.owner.startsWith('show:') ? attention : leaseOf();
  }

  function leaseOf(): Attention {
    return { at: now() + WORK_LEASE_MS, owner };
  }

  function heartbeat(): void {
    for (const userId of work.users()) {
      store
        .postpone(userId, leaseOf())
        .catch((error) => log.warn({ err: error, user: userId }, 'a sign of life was not taken'));
    }
  }

  async function track<T>(promise: Promise<T>): Promise<T> {
    inFlight.add(promise);
    try {
      return await promise;
    } finally {
      inFlight.delete(promise);
    }
  }

  /** No new work; what runs may finish within the grace. What does not is taken over by whoever comes next. */
  async function stop(graceMs: number): Promise<void> {
    stopping = true;
    for (const timer of timers.slice(1)) clearInterval(timer);
    const deadline = delay(graceMs, 'late', { ref: false });
    const finished = (async () => {
      while (inFlight.size > 0 || work.size() > 0) {
        await Promise.allSettled([...inFlight]);
        await work.settled();
      }
    })();
    if ((await Promise.race([finished, deadline])) === 'late')
      log.warn({ busy: work.size() }, 'stopping with work left');
    for (const timer of timers) clearInterval(timer);
    work.abort();
    gate.close();
  }
}

/** A toast that came too late for its button stands above the screen instead. */
function inWriting(reaction: Decided): Decided {
  if (!reaction.toast) return reaction;
  return { ...reaction, session: { ...reaction.session, notice: [{ value: reaction.toast }] } };
}
