import type { AnyActorLogic, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { FlowInput } from '../../machines/flow-input.ts';
import { type FlowId, isFlowId, registry } from '../../machines/registry.ts';
import type { AnyFlowScreens } from '../screens/kit/flow-screens.ts';
import type { Link } from '../screens/kit/link.ts';
import { isRedirect, type Redirect, type RichText, type Screen } from '../screens/kit/screen.ts';
import { inertScope } from './inert-scope.ts';
import type { FlowRun } from './session.ts';
import { stepMark } from './step-mark.ts';

export type FlowEvent = { type: string; [key: string]: unknown };

/** Work that a snapshot waits for: the invoked actor's id in the chart, its port and its input. */
export type Work = { id: string; src: string; input: unknown };

/** A restored run: what XState knows of it, and the questions the engine has. */
export type LiveFlow = {
  id: FlowId;
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
  /** Its own buttons carry the mark of this step. */
  screen(): Screen | Redirect;
  /** For a person who has left meanwhile; null where nothing special is to be said. */
  behind(): Screen | null;
  /** What to say of it to a person who goes elsewhere; null where nothing stays. */
  remains(): RichText | null;
  /** The event that a button stands for; undefined for one that was drawn for another run or another step. */
  eventOf(link: Link): FlowEvent | undefined;
};

/** Why a stored run cannot go on. The person is told; the log keeps the reason. */
export class UnusableFlow extends Error {
  override readonly name = 'UnusableFlow';
}

export type Flows = ReturnType<typeof createFlows>;

/**
 * Restores, moves and packs runs of flows. Decisions are XState's pure transitions, so an event costs no running
 * actor, and the work a new state asks for begins only after the decision was stored (see `work.ts`).
 */
export function createFlows(screens: Record<FlowId, AnyFlowScreens>) {
  const patterns = new Set(
    Object.values(screens).flatMap(({ presses }) => presses.map(({ pattern }) => pattern)),
  );
  return {
    start,
    restore,
    patterns,
    knows: (pattern: string) => patterns.has(pattern),
    titleOf: (id: FlowId) => screens[id].title,
  };

  function start(id: FlowId, input: FlowInput & Record<string, unknown>): LiveFlow {
    const machine = machineOf(id);
    const snapshot = machine.getInitialSnapshot(inertScope(machine), input);
    return live(id, input.run, machine, snapshot);
  }

  function restore(run: FlowRun): LiveFlow {
    if (!isFlowId(run.flow)) throw new UnusableFlow(`unknown flow "${run.flow}"`);
    const { version } = registry[run.flow];
    if (run.version !== version) {
      throw new UnusableFlow(`${run.flow} was stored as version ${run.version}, this is version ${version}`);
    }
    const machine = machineOf(run.flow);
    try {
      const snapshot = machine.restoreSnapshot(run.snapshot as never, inertScope(machine));
      if (snapshot.status === 'error') throw snapshot.error;
      const flow = live(run.flow, run.run, machine, snapshot);
      // XState takes a value it does not know without a word; the first question about it would throw later.
      if (!Object.hasOwn(screens[run.flow].states, flow.state))
        throw new Error(`unknown state "${flow.state}"`);
      // XState drops an actor it does not know, and nobody would ever bring the result.
      if (flow.busy && flow.work.length === 0) throw new Error(`"${flow.state}" waits for nothing`);
      return flow;
    } catch (error) {
      throw new UnusableFlow(`${run.flow} could not be restored`, { cause: error });
    }
  }

  function live(id: FlowId, runId: string, machine: AnyStateMachine, snapshot: AnyMachineSnapshot): LiveFlow {
    const face = screens[id];
    const state = String(snapshot.value);
    const pressOf = (link: Link) => face.presses.find(({ pattern }) => pattern === link.pattern);
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
          version: registry[id].version,
          run: runId,
          snapshot: machine.getPersistedSnapshot(snapshot) as Record<string, unknown>,
        };
        return packed;
      },
      get work() {
        const { children } = this.run.snapshot as Persisted;
        return Object.entries(children).map(
          ([
            child,
            {
              src,
              snapshot: { input },
            },
          ]) => ({ id: child, src, input }),
        );
      },
      can(event) {
        return snapshot.can(event);
      },
      send(event) {
        return live(id, runId, machine, machine.transition(snapshot, event, inertScope(machine)));
      },
      screen() {
        const show = face.states[state];
        if (!show) throw new Error(`${id} has no screen for "${state}"`);
        const screen = show(snapshot.context);
        return isRedirect(screen) ? screen : marked(screen);
      },
      behind() {
        return face.behind?.[state]?.(snapshot.context) ?? null;
      },
      remains() {
        return face.remains?.[state]?.(snapshot.context) ?? null;
      },
      eventOf(link) {
        return link.mark === markOfStep() ? pressOf(link)?.toEvent(link.params) : undefined;
      },
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
}

type Persisted = { children: Record<string, { src: string; snapshot: { input: unknown } }> };

const machineOf = (id: FlowId): AnyStateMachine => registry[id].machine as unknown as AnyStateMachine;

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
