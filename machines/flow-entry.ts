import type { AnyStateMachine } from 'xstate';

/** What a registry says of a flow. */
type FlowEntry = {
  machine: AnyStateMachine;
  /** Of the stored shape. Raised when a snapshot that was stored before could no longer be continued. */
  version: number;
  /**
   * A run of this flow that is left while it waits for the person is kept for a day and can be gone on with. Without it, a
   * run that is left is over.
   */
  parking?: Parking;
  /** How a run that was stored as version N becomes one of version N + 1. */
  migrate?: Readonly<Record<number, Migration>>;
};

export type Parking = {
  /** Flows that name the same slot share one place: a run that begins there takes it over. */
  slot: string;
  /** States in which a run that is left is worth keeping. Absent: every state that waits for the person. */
  states?: readonly string[];
  /** States in which `/cancel` leaves the run parked. In all others it ends the run. */
  cancelParks?: readonly string[];
};

/** Where a stored run stands. Its context has the shape of an earlier version, so the compiler knows nothing of it. */
export type StoredStep = { state: string; context: Readonly<Record<string, unknown>> };

/** Null: a run in this state cannot be carried forward. The person is told and starts anew. */
export type Migration = (step: StoredStep) => StoredStep | null;

export type FlowRegistry = Readonly<Record<string, FlowEntry>>;
