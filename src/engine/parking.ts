import type { FlowRun, Session } from './session.ts';

/** A run that was left while it waited for the person, to be gone on with from where it stood. */
export type Parked = Session['parked'][number];

/** What pages and services may know of a parked run. */
export type Checkpoint = {
  flow: string;
  run: string;
  state: string;
  context: Readonly<Record<string, unknown>>;
  /** Unix ms. */
  parkedAt: number;
};

/** Where runs of a flow are parked, as its registry entry says. */
export type ParkingPlace = { slot: string; run: FlowRun };

const PARKED_FOR_MS = 24 * 60 * 60_000;

/**
 * Checkpoints are part of the session, not a key `pipeline:{user_id}:state` of their own: leaving a run and keeping it are
 * one compare-and-set, so no crash comes between and no late writer brings an old one back. A day from the person's last
 * activity: the session lives as long as what is parked in it, and the inactivity limit ends only the flow that runs. A
 * later run takes the place of the earlier in its slot.
 */
export function withParked(session: Session, { slot, run }: ParkingPlace): Session {
  const parked = { slot, at: session.lastActivityAt, run };
  return { ...session, parked: [...session.parked.filter((each) => each.slot !== slot), parked] };
}

export const withoutParked = (session: Session, slot: string): Session =>
  session.parked.some((each) => each.slot === slot)
    ? { ...session, parked: session.parked.filter((each) => each.slot !== slot) }
    : session;

/** The session without what has been parked for longer than a day. */
export function withLivingParked(session: Session, now: number): Session {
  const living = session.parked.filter(({ at }) => now - at < PARKED_FOR_MS);
  return living.length === session.parked.length ? session : { ...session, parked: living };
}

/** How long the session has to be kept at least for what is parked in it. */
export const parkedForSeconds = ({ parked }: Session, now: number): number =>
  Math.max(0, ...parked.map(({ at }) => (at + PARKED_FOR_MS - now) / 1_000));

export const checkpointsIn = ({ parked }: Session): Readonly<Record<string, Checkpoint>> =>
  Object.fromEntries(
    parked.map(({ slot, at, run }) => [
      slot,
      {
        flow: run.flow,
        run: run.run,
        state: String(run.snapshot.value),
        context: (run.snapshot.context ?? {}) as Checkpoint['context'],
        parkedAt: at,
      },
    ]),
  );
