import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  type EventObject,
  fromPromise,
  type InspectionEvent,
} from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import { edgeId, readChart } from '../../src/charts/read-chart.ts';
import { anyText } from './flow-events.ts';

/** `FlowSamples`, as a walk over any flow sees them. */
export type AnySamples = {
  inputs: Readonly<Record<string, unknown>>;
  texts: Readonly<Partial<Record<string, readonly string[]>>>;
  presses: readonly EventObject[];
  actors: Readonly<Record<string, { outputs: readonly unknown[]; errors: readonly unknown[] }>>;
  enough?: (context: never) => boolean;
  alike?: (context: never, state: string) => unknown;
  data?: Readonly<Partial<Record<string, unknown>>>;
};

/** Numbers that decide what a flow does next, or under which key it asks. */
const COUNTERS = new Set([
  'attempts',
  'regenerations',
  'round',
  'offerChanges',
  'page',
  'starts',
  'quantity',
  'writtenIn',
]);

export type Walk = {
  stops: Stop[];
  /** Ids of the chart's edges, as they were taken. */
  taken: Set<string>;
};

/** A point at which the flow rests. */
export type Stop = {
  key: string;
  /** How it was reached, for the message of a failing test. */
  way: string;
  snapshot: AnyMachineSnapshot;
  /** The same, after it was put away as JSON and taken out again. */
  restored: AnyMachineSnapshot;
  steps: Step[];
};

export type Step = {
  event: EventObject;
  next: AnyMachineSnapshot;
  nextAfterRestore: AnyMachineSnapshot;
  nextKey: string;
};

/** XState's adjacency map, in the order of the walk. */
type Places = Record<
  string,
  {
    state: AnyMachineSnapshot;
    transitions: Record<string, { event: EventObject; state: AnyMachineSnapshot }>;
  }
>;

/**
 * Breadth first through everything that the samples can make happen. Services are silent here: their answers
 * are events of the walk, like a person's.
 */
export function walkFlow(flow: AnyStateMachine, samples: AnySamples): Walk {
  const machine = withSilentActors(flow);
  const eventsAt = sampleEvents(machine, samples);
  const { alike = shapeOf, enough } = samples;
  const isTooFar = memoized(({ context }) => enough?.(context as never) ?? false);
  const serializeState = memoized((snapshot) => {
    const { value, context } = snapshot;
    // While something is tried again, the earlier failure decides nothing but the wording of the next. The pipelines,
    // which say for themselves what is alike, also carry one through a step that looks around.
    const isTrying = snapshot.hasTag('busy') && samples.alike === undefined;
    const decisive = isTrying ? { ...context, failure: null } : context;
    return JSON.stringify([value, alike(decisive as never, String(value))]);
  });
  // Where the walk stops is a place of its own, so that no place before it counts as visited.
  const placeOf = (snapshot: AnyMachineSnapshot) =>
    `${isTooFar(snapshot) ? 'too far ' : ''}${serializeState(snapshot)}` as never;
  const taken = new Set<string>();
  const stops = Object.entries(samples.inputs).flatMap(([inputName, input]) => {
    const keyOf = (snapshot: AnyMachineSnapshot) =>
      `${inputName} ${snapshot.status} ${serializeState(snapshot)}`;
    beginWatched(machine, input, taken);
    // One map for the places, the steps between them and the shortest ways: `getShortestPaths` would draw it again.
    const places = getAdjacencyMap(machine, {
      input,
      events: eventsAt,
      filterEvents: (snapshot, event) => snapshot.can(event),
      serializeState: placeOf,
      stopWhen: isTooFar,
    }) as Places; // its keys are branded strings, which `Object.values` does not read
    const ways = new Map<string, string>([[Object.keys(places)[0]!, inputName]]);
    return Object.entries(places).flatMap(([place, { state: snapshot, transitions }]): Stop[] => {
      if (isTooFar(snapshot)) return [];
      const json = JSON.stringify(machine.getPersistedSnapshot(snapshot));
      const way = ways.get(place)!;
      const steps = Object.values(transitions)
        .filter(({ state }) => !isTooFar(state))
        .map(({ event, state: next }): Step => {
          // The map is in the order of the walk: the first to lead somewhere is the shortest way there.
          if (!ways.has(placeOf(next))) ways.set(placeOf(next), `${way} → ${event.type}`);
          const nextAfterRestore = continueWatched(machine, json, event, taken);
          return { event, next, nextAfterRestore, nextKey: keyOf(next) };
        });
      const restored = createActor(machine, { snapshot: JSON.parse(json) }).getSnapshot();
      return [{ key: keyOf(snapshot), way, snapshot, restored, steps }];
    });
  });
  return { stops, taken };
}

/** Most snapshots are asked for again as the end of a step. */
export function memoized<Result>(of: (snapshot: AnyMachineSnapshot) => Result) {
  const known = new WeakMap<AnyMachineSnapshot, Result>();
  return (snapshot: AnyMachineSnapshot): Result => {
    if (!known.has(snapshot)) known.set(snapshot, of(snapshot));
    return known.get(snapshot)!;
  };
}

/** Changes what is said, never what can be done. */
const WORDING = new Set(['again', 'tried']);

/** Words that decide what can be done next. */
const TOLD_APART = new Set(['code', 'cardField']);

/**
 * What guards and screens look at: whether something is there, why it failed, how often it was tried. Without this
 * every sum of money would be a point of its own, and the walk would fill gigabytes.
 */
function shapeOf(context: object): unknown {
  const decisive = Object.entries(context).filter(([name]) => !WORDING.has(name));
  return decisive.map(([name, value]) => {
    if (typeof value === 'number') return COUNTERS.has(name) ? value : Math.sign(value);
    if (typeof value === 'string') return TOLD_APART.has(name) ? value : value !== '';
    if (Array.isArray(value)) return value.length > 0;
    return typeof value === 'object' && value !== null ? shapeOf(value) : value;
  });
}

/** Every event that the samples name for a state, whether or not it is taken there. */
export function sampleEvents(machine: AnyStateMachine, { texts, presses, actors }: AnySamples) {
  const { states } = readChart(machine);
  const answers = new Map(
    states.map(({ name, invokes }) => [
      name,
      invokes.flatMap(({ id, src }): EventObject[] => [
        ...actors[src]!.outputs.map((output) => ({ type: `xstate.done.actor.${id}`, actorId: id, output })),
        ...actors[src]!.errors.map((error) => ({ type: `xstate.error.actor.${id}`, actorId: id, error })),
      ]),
    ]),
  );
  return ({ value }: Pick<AnyMachineSnapshot, 'value'>): EventObject[] => [
    ...(texts[String(value)] ?? [anyText]).map((text) => ({ type: 'text.received', text })),
    ...presses,
    ...(answers.get(String(value)) ?? []),
  ];
}

const withSilentActors = (machine: AnyStateMachine): AnyStateMachine =>
  machine.provide({
    actors: Object.fromEntries(
      Object.keys(machine.implementations.actors).map((src) => [
        src,
        fromPromise(() => new Promise(() => {})),
      ]),
    ),
  });

function beginWatched(machine: AnyStateMachine, input: unknown, taken: Set<string>): void {
  createActor(machine, { input, inspect: watch(taken) })
    .start()
    .stop();
}

/** As the product does it: what was stored comes alive, takes one event and stops. */
function continueWatched(
  machine: AnyStateMachine,
  json: string,
  event: EventObject,
  taken: Set<string>,
): AnyMachineSnapshot {
  const actor = createActor(machine, { snapshot: JSON.parse(json), inspect: watch(taken) }).start();
  actor.send(event);
  const snapshot = actor.getSnapshot();
  actor.stop();
  return snapshot;
}

/** Notes every edge of the chart that is taken. */
export const watch = (taken: Set<string>) => (inspected: InspectionEvent) => {
  if (inspected.type !== '@xstate.microstep') return;
  for (const step of inspected._transitions) taken.add(edgeId(step));
};
