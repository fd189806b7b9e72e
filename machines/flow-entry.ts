import type { AnyStateMachine } from 'xstate';

/** What a registry says of a flow. */
export type FlowEntry = {
  machine: AnyStateMachine;
  /** Of the stored shape. Raised when a snapshot that was stored before could no longer be continued. */
  version: number;
  /** How a run that was stored as version N becomes one of version N + 1. */
  migrate?: Readonly<Record<number, Migration>>;
};

/** Where a stored run stands. Its context has the shape of an earlier version, so the compiler knows nothing of it. */
export type StoredStep = { state: string; context: Readonly<Record<string, unknown>> };

/** Null: a run in this state cannot be carried forward. The person is told and starts anew. */
export type Migration = (step: StoredStep) => StoredStep | null;

export type FlowRegistry = Readonly<Record<string, FlowEntry>>;
