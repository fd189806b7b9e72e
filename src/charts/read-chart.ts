import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

/** A flow as data: what every drawing and every count of transitions is made from. */
export type Chart = { id: string; states: readonly ChartState[]; edges: readonly ChartEdge[] };

export type ChartState = {
  name: string;
  initial: boolean;
  final: boolean;
  busy: boolean;
  /** Transient: left in the same step in which it is entered. */
  passing: boolean;
  invokes: readonly { id: string; src: string }[];
  entry: readonly string[];
  exit: readonly string[];
};

export type ChartEdge = {
  /** Unique in its chart, and the same for a transition of any copy of the machine: see `edgeId`. */
  id: string;
  /** `null`: the transition is the whole flow's, taken from whichever state it is in. */
  source: string | null;
  /** `null`: the state stays as it is. */
  target: string | null;
  /** XState's type of the event; empty for `always`. */
  event: string;
  /** How the event is written in a machine, and in a drawing: `onDone` for `xstate.done.actor.…`. */
  trigger: string;
  guard: string | null;
  /** Taken when the guards of the branches before it did not hold. */
  otherwise: boolean;
  actions: readonly string[];
};

export function readChart(machine: AnyStateMachine): Chart {
  const { root } = machine;
  const nodes = Object.values(root.states);
  return {
    id: machine.id,
    states: nodes.map((node) => readState(node, root.initial.target[0] === node)),
    edges: [root, ...nodes].flatMap(transitionsOf).map((transition) => readEdge(root, transition)),
  };
}

/** `name › text.received › 1`: the second branch of what `name` does with a text. */
export function edgeId(transition: AnyTransitionDefinition): string {
  const { source, eventType } = transition;
  return [
    source.path.join('.') || '*',
    eventType || 'always',
    branchesOf(transition).indexOf(transition),
  ].join(' › ');
}

function readState(node: AnyStateNode, initial: boolean): ChartState {
  // The states of a StatesGroup are a flat list, and so are the screens. A nested one must not vanish silently.
  if (node.type !== 'atomic' && node.type !== 'final') {
    throw new Error(`${node.id} is ${node.type}: the states of a flow are flat`);
  }
  return {
    name: node.key,
    initial,
    final: node.type === 'final',
    busy: node.tags.includes('busy'),
    passing: node.always?.some(({ guard }) => guard === undefined) ?? false,
    invokes: node.invoke.map(({ id, src }) => ({ id, src: nameOf(src, node) })),
    // As written in the config: XState adds the starting and stopping of timers to its own lists.
    entry: [node.config.entry ?? []].flat().map((action) => nameOf(action, node)),
    exit: [node.config.exit ?? []].flat().map((action) => nameOf(action, node)),
  };
}

const transitionsOf = (node: AnyStateNode): AnyTransitionDefinition[] => [
  ...(node.always ?? []),
  ...[...node.transitions.values()].flat(),
];

const branchesOf = ({ source, eventType }: AnyTransitionDefinition): readonly AnyTransitionDefinition[] =>
  (eventType === '' ? source.always : source.transitions.get(eventType)) ?? [];

function readEdge(root: AnyStateNode, transition: AnyTransitionDefinition): ChartEdge {
  const { source, target, eventType, guard, actions } = transition;
  return {
    id: edgeId(transition),
    source: source === root ? null : source.key,
    target: target?.[0]?.key ?? null,
    event: eventType,
    trigger: triggerOf(source, eventType),
    guard: guard === undefined ? null : nameOf(guard, source),
    otherwise: guard === undefined && branchesOf(transition).length > 1,
    actions: actions.map((action) => nameOf(action, source)),
  };
}

function triggerOf(source: AnyStateNode, eventType: string): string {
  const [, kind, subject] = /^xstate\.(done\.actor|error\.actor|after)\.(.+)$/u.exec(eventType) ?? [];
  if (kind === 'after') return `after ${subject!.split('.')[0]}`;
  // The state's box names its only actor; of several, the arrow says which one.
  const whose = source.invoke.length > 1 ? `${subject} ` : '';
  if (kind === 'done.actor') return `${whose}onDone`;
  if (kind === 'error.actor') return `${whose}onError`;
  return eventType || 'always';
}

/** A function would be missing from the exported chart: everything a chart refers to has a name in `setup`. */
function nameOf(reference: unknown, node: AnyStateNode): string {
  if (typeof reference === 'string') return reference;
  if (typeof reference === 'object' && reference !== null && 'type' in reference)
    return String(reference.type);
  throw new Error(
    `${node.id} has an inline ${typeof reference}: declare it in setup() and refer to it by name`,
  );
}
