import type { AnyActorLogic, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { FlowRegistry } from '../../machines/flow-entry.ts';
import type { FlowInput } from '../../machines/flow-input.ts';
import type { AnyFlowScreens } from '../screens/kit/flow-screens.ts';
import type { Link } from '../screens/kit/link.ts';
import { isRedirect, type Redirect, type RichText, type Screen } from '../screens/kit/screen.ts';
import { expectShowable } from '../screens/kit/showable.ts';
import { type Deadline, deadlinesIn } from './deadlines.ts';
import { inertScope } from './inert-scope.ts';
import { migrated, releaseOf } from './migrated.ts';
import type { FlowRun } from './session.ts';
import { stepMark } from './step-mark.ts';
import { UnusableFlow } from './unusable-flow.ts';
import { type Work, worksOf } from './work-of-flow.ts';

export type FlowEvent = { type: string; [key: string]: unknown };

/** A restored run: what XState knows of it, and the questions the engine has. Any of them may end in `UnusableFlow`. */
export type LiveFlow = {
  id: string;
  run: FlowRun;
  title: string;
  titleOf: string;
  state: string;
  busy: boolean;
  finished: boolean;
  /** What the person types now is sealed before the flow sees it. */
  wantsSecret: boolean;
  work: Work[];
  can(event: FlowEvent): boolean;
  /** Decides only: nothing is started, nothing outside changes. */
  send(event: FlowEvent): LiveFlow;
  /** What its screens show beside the context: read whenever one is drawn, so that no snapshot carries it. */
  load(): Promise<unknown>;
  /** Its own buttons carry the mark of this step. */
  screen(data?: unknown): Screen | Redirect;
  /** For a person who has left meanwhile; null where nothing special is to be said. */
  behind(data?: unknown): Screen | null;
  /** The message stays as it is when one of its buttons is pressed. */
  lasting: boolean;
  /** Whether a command that leads to this page is followed. */
  yieldsTo(pattern: string): boolean;
  /** What to say of it to a person who goes elsewhere; null where nothing stays. */
  remains(): RichText | null;
  /** The event that a button stands for; undefined for one that was drawn for another run or another step. */
  eventOf(link: Link): FlowEvent | undefined;
};

/** What the screens of a flow show beside its context, by the flow's id. */
export type Loaders = Readonly<Record<string, (context: never, state: string) => Promise<unknown>>>;

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
  const patterns = new Set(
    Object.values(faces).flatMap(({ presses }) => presses.map(({ pattern }) => pattern)),
  );
  return {
    start,
    restore,
    isNewer,
    titleOf: (id: string) => faces[id]?.title,
    deadlinesOf,
    missed,
    patterns,
    knows: (pattern: string) => patterns.has(pattern),
  };

  function start(id: string, input: FlowInput & Record<string, unknown>): LiveFlow {
    const { machine } = entryOf(id);
    const snapshot = machine.getInitialSnapshot(inertScope(machine), input);
    return live(id, input.run, machine, snapshot);
  }

  /** Fails with `NewerState` for what a later release has stored, and with `UnusableFlow` for what cannot go on. */
  function restore(stored: FlowRun): LiveFlow {
    const run = migrated(stored, registry);
    const { machine } = entryOf(run.flow);
    return usably(`${run.flow} could not be restored`, () => {
      // Work is found by the state, not by XState's children: see `work-of-flow.ts`.
      const idle = { ...run.snapshot, children: {} };
      const snapshot = machine.restoreSnapshot(idle as never, inertScope(machine));
      if (snapshot.status === 'error') throw snapshot.error;
      const flow = live(run.flow, run.run, machine, snapshot);
      prove(flow);
      return flow;
    });
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

  function live(id: string, runId: string, machine: AnyStateMachine, snapshot: AnyMachineSnapshot): LiveFlow {
    const face = faces[id]!;
    const state = String(snapshot.value);
    const pressOf = (link: Link) => face.presses.find(({ pattern }) => pattern === link.pattern);
    const here = <Answer>(question: () => Answer) => usably(`${id} failed in "${state}"`, question);
    let packed: FlowRun | null = null;
    let mark: string | null = null;
    return {
      id,
      title: face.title,
      titleOf: face.titleOf,
      state,
      busy: snapshot.hasTag('busy'),
      finished: snapshot.status !== 'active',
      wantsSecret: snapshot.hasTag('secret'),
      get run() {
        packed ??= {
          flow: id,
          version: entryOf(id).version,
          release,
          run: runId,
          snapshot: {
            ...(machine.getPersistedSnapshot(snapshot) as Record<string, unknown>),
            children: Object.fromEntries(this.work.map((work) => [work.id, { src: work.src }])),
          },
        };
        return packed;
      },
      get work() {
        return here(() => worksOf(snapshot));
      },
      can: (event) => here(() => snapshot.can(event)),
      send: (event) =>
        here(() => live(id, runId, machine, machine.transition(snapshot, event, inertScope(machine)))),
      lasting: face.lasting?.includes(state) ?? false,
      yieldsTo: (pattern) => face.yieldsTo?.(pattern) ?? false,
      async load() {
        return loaders[id]?.(snapshot.context as never, state);
      },
      screen: (data) =>
        here(() => {
          const show = face.states[state];
          if (!show) throw new Error(`${id} has no screen for "${state}"`);
          const screen = expectShowable(show(snapshot.context, data));
          return isRedirect(screen) ? screen : marked(screen);
        }),
      behind: (data) =>
        here(() => {
          const screen = face.behind?.[state]?.(snapshot.context, data);
          return screen ? expectShowable(screen) : null;
        }),
      remains: () => here(() => face.remains?.[state]?.(snapshot.context) ?? null),
      eventOf: (link) =>
        here(() => (link.mark === markOfStep() ? pressOf(link)?.toEvent(link.params) : undefined)),
    };

    function markOfStep(): string {
      mark ??= stepMark(runId, state, snapshot.context);
      return mark;
    }

    function marked(screen: Screen): Screen {
      const keyboard = screen.keyboard.map((row) =>
        row.map((button) =>
          'link' in button && pressOf(button.link)
            ? { ...button, link: { ...button.link, mark: markOfStep() } }
            : button,
        ),
      );
      return { ...screen, keyboard };
    }
  }

  function entryOf(id: string) {
    const entry = Object.hasOwn(registry, id) ? registry[id] : undefined;
    if (!entry) throw new UnusableFlow(`unknown flow "${id}"`);
    return entry;
  }
}

/** Whatever a machine or a screen throws is about this run alone, and ends it. */
function usably<Answer>(complaint: string, question: () => Answer): Answer {
  try {
    return question();
  } catch (error) {
    if (error instanceof UnusableFlow) throw error;
    throw new UnusableFlow(complaint, { cause: error });
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
