import type { AnyActorLogic, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { FlowRegistry } from '../../machines/flow-entry.ts';
import type { FlowInput } from '../../machines/flow-input.ts';
import type { AnyFlowScreens } from '../screens/kit/flow-screens.ts';
import { isRedirect, type Screen } from '../screens/kit/screen.ts';
import { type Deadline, deadlinesIn } from './deadlines.ts';
import { inertScope } from './inert-scope.ts';
import { type FlowKind, LiveFlow, usably } from './live-flow.ts';
import { migrated, releaseOf } from './migrated.ts';
import type { FlowRun } from './session.ts';
import { UnusableFlow } from './unusable-flow.ts';
import type { Work } from './work-of-flow.ts';

export type FlowEvent = { type: string; [key: string]: unknown };

/** What the screens of a flow show beside its context, by the flow's id. */
type Loaders = Readonly<Record<string, (context: never, state: string) => Promise<unknown>>>;

export type Flows = ReturnType<typeof createFlows>;

const CANCELLED = { type: 'cancelled' } as const;

/**
 * Restores, moves and packs runs of flows. Decisions are XState's pure transitions, so an event costs no running
 * actor, and the work a new state asks for begins only after the decision was stored (see `work.ts`).
 */
export function createFlows<Registry extends FlowRegistry>(
  registry: Registry,
  screens: Readonly<Record<keyof Registry & string, AnyFlowScreens>>,
  loaders: Loaders = {},
) {
  const release = releaseOf(registry);
  const faces: Readonly<Record<string, AnyFlowScreens>> = screens;
  const kinds = new Map<string, FlowKind>();
  const patterns = new Set(
    Object.values(faces).flatMap(({ presses }) => presses.map(({ pattern }) => pattern)),
  );
  return {
    start,
    restore,
    isNewer,
    titleFor: (id: string) => faces[id]?.title,
    slotOf: (id: string): string | null => registry[id]?.parking?.slot ?? null,
    deadlinesOf,
    missed,
    patterns,
    knows: (pattern: string) => patterns.has(pattern),
  };

  function start(id: string, input: FlowInput & Record<string, unknown>): LiveFlow {
    const kind = kindOf(id);
    const snapshot = kind.machine.getInitialSnapshot(inertScope(kind.machine), input);
    return new LiveFlow(kind, input.run, snapshot as AnyMachineSnapshot);
  }

  /** Fails with `NewerState` for what a later release has stored, and with `UnusableFlow` for what cannot go on. */
  function restore(stored: FlowRun): LiveFlow {
    const known = LiveFlow.of(stored);
    if (known) return known;
    const run = migrated(stored, registry);
    const kind = kindOf(run.flow);
    const { machine } = kind;
    return usably(
      () => `${run.flow} could not be restored`,
      () => {
        // Work is found by the state, not by XState's children: see `work-of-flow.ts`.
        const idle = { ...run.snapshot, children: {} };
        const snapshot = machine.restoreSnapshot(idle as never, inertScope(machine));
        if (snapshot.status === 'error') throw snapshot.error;
        const flow = new LiveFlow(kind, run.run, snapshot as AnyMachineSnapshot);
        prove(flow);
        return flow;
      },
    );
  }

  /** What the stored run waits for, told without restoring it. */
  function deadlinesOf({ flow, snapshot }: FlowRun): Deadline[] {
    if (!Object.hasOwn(registry, flow)) return [];
    const machine: AnyStateMachine = entryOf(flow).machine;
    return deadlinesIn(machine.states[String(snapshot.value)]?.tags ?? [], snapshot.context);
  }

  /** What to tell of an event whose run is gone; null where nothing is to be told. */
  function missed(flow: string, event: FlowEvent): Screen | null {
    return faces[flow]?.missed?.[event.type]?.(event) ?? null;
  }

  /** Stored by a later release: it is that release's to continue, to end and to tell of. */
  function isNewer({ flow, version, release: its }: FlowRun): boolean {
    return Object.hasOwn(registry, flow) ? version > entryOf(flow).version : its > release;
  }

  /** A person must always be able to look, to leave and to cancel: what cannot be worked out now never will be. */
  function prove(flow: LiveFlow): void {
    // XState takes a value it does not know without a word; the first question about it would throw later.
    if (!Object.hasOwn(faces[flow.id]!.states, flow.state)) throw new Error(`unknown state "${flow.state}"`);
    // A run that is over opens a page, and only such a one does.
    if (isRedirect(flow.screen()) !== flow.finished) throw new Error(`"${flow.state}" is over, or is not`);
    flow.behind();
    flow.remains();
    if (flow.busy && flow.work.length === 0) throw new Error(`"${flow.state}" waits for nothing`);
    if (flow.busy || flow.finished) return;
    if (!flow.can(CANCELLED)) throw new Error(`"${flow.state}" cannot be cancelled`);
    flow.send(CANCELLED).screen();
  }

  function kindOf(id: string): FlowKind {
    const known = kinds.get(id);
    if (known) return known;
    const { machine, version, parking } = entryOf(id);
    const kind = { id, machine, version, release, parking, face: faces[id]!, load: loaders[id] };
    kinds.set(id, kind);
    return kind;
  }

  function entryOf(id: string) {
    const entry = Object.hasOwn(registry, id) ? registry[id] : undefined;
    if (!entry) throw new UnusableFlow(`unknown flow "${id}"`);
    return entry;
  }
}

/** The services behind the ports, by the port's name. */
export type Actors = Record<string, AnyActorLogic>;

export const doneEvent = (work: Work, output: unknown): FlowEvent => ({
  type: `xstate.done.actor.${work.id}`,
  output,
  actorId: work.id,
});

export const errorEvent = (work: Work, error: unknown): FlowEvent => ({
  type: `xstate.error.actor.${work.id}`,
  error,
  actorId: work.id,
});
