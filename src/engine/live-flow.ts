import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { Parking } from '../../machines/flow-entry.ts';
import type { AnyFlowScreens, Press } from '../screens/kit/flow-screens.ts';
import type { Link } from '../screens/kit/link.ts';
import { isRedirect, type Redirect, type RichText, type Screen } from '../screens/kit/screen.ts';
import { expectShowable } from '../screens/kit/showable.ts';
import type { FlowEvent } from './flows.ts';
import { inertScope } from './inert-scope.ts';
import type { ParkingPlace } from './parking.ts';
import type { FlowRun } from './session.ts';
import { stepMark } from './step-mark.ts';
import { UnusableFlow } from './unusable-flow.ts';
import { type Work, worksOf } from './work-of-flow.ts';

/** What all runs of one flow share. */
export type FlowKind = {
  id: string;
  machine: AnyStateMachine;
  version: number;
  release: number;
  parking: Parking | undefined;
  face: AnyFlowScreens;
  load: ((context: never, state: string) => Promise<unknown>) | undefined;
};

const LIVE = Symbol('the run that this process packed');

/**
 * A run in one state: what XState knows of it, and the questions the engine has. Any of them may end in `UnusableFlow`.
 * Never changes: an event makes another one. A class, because two are made for every update: methods are shared where
 * closures would be made anew, and those cost a tenth of the update.
 */
export class LiveFlow {
  readonly state: string;
  readonly #kind: FlowKind;
  readonly #runId: string;
  readonly #snapshot: AnyMachineSnapshot;
  #packed: FlowRun | null = null;
  #mark: string | null = null;
  #drawn: Screen | Redirect | null = null;

  constructor(kind: FlowKind, runId: string, snapshot: AnyMachineSnapshot) {
    this.#kind = kind;
    this.#runId = runId;
    this.#snapshot = snapshot;
    this.state = String(snapshot.value);
  }

  /** The run as this process packed it, which needs neither restoring nor proof: see `known-sessions.ts`. */
  static of(packed: FlowRun & { [LIVE]?: LiveFlow }): LiveFlow | undefined {
    return packed[LIVE];
  }

  get id(): string {
    return this.#kind.id;
  }

  get title(): string {
    return this.#kind.face.title;
  }

  get titleGenitive(): string {
    return this.#kind.face.titleGenitive;
  }

  get busy(): boolean {
    return this.#snapshot.hasTag('busy');
  }

  get finished(): boolean {
    return this.#snapshot.status !== 'active';
  }

  /** What the person types now is sealed before the flow sees it. */
  get wantsSecret(): boolean {
    return this.#snapshot.hasTag('secret');
  }

  /** The message stays as it is when one of its buttons is pressed. */
  get lasting(): boolean {
    return this.#kind.face.lasting?.includes(this.state) ?? false;
  }

  /** Runs of flows with the same slot take each other's place; null for a flow that is never parked. */
  get slot(): string | null {
    return this.#kind.parking?.slot ?? null;
  }

  /** Where it is kept when the person leaves it now; null where it is not. */
  get parking(): ParkingPlace | null {
    const { parking } = this.#kind;
    if (!parking || this.busy || this.finished) return null;
    return (parking.states?.includes(this.state) ?? true) ? { slot: parking.slot, run: this.run } : null;
  }

  /** Whether `/cancel` leaves it parked instead of ending it. */
  get staysWhenCancelled(): boolean {
    return this.parking !== null && (this.#kind.parking?.cancelParks?.includes(this.state) ?? false);
  }

  get run(): FlowRun {
    if (this.#packed) return this.#packed;
    const { id, machine, version, release } = this.#kind;
    const snapshot = machine.getPersistedSnapshot(this.#snapshot) as Record<string, unknown>;
    const children = Object.fromEntries(this.work.map((work) => [work.id, { src: work.src }]));
    const packed = { flow: id, version, release, run: this.#runId, snapshot: { ...snapshot, children } };
    // Not enumerable: neither stored nor copied with the rest.
    this.#packed = Object.defineProperty(packed, LIVE, { value: this });
    return this.#packed;
  }

  get work(): Work[] {
    return this.#usably(() => worksOf(this.#snapshot));
  }

  can(event: FlowEvent): boolean {
    return this.#usably(() => this.#snapshot.can(event));
  }

  /** Decides only: nothing is started, nothing outside changes. */
  send(event: FlowEvent): LiveFlow {
    const { machine } = this.#kind;
    return this.#usably(
      () =>
        new LiveFlow(
          this.#kind,
          this.#runId,
          machine.transition(this.#snapshot, event, inertScope(machine)) as AnyMachineSnapshot,
        ),
    );
  }

  /** What its screens show beside the context: read whenever one is drawn, so that no snapshot carries it. */
  async load(): Promise<unknown> {
    return this.#kind.load?.(this.#snapshot.context as never, this.state);
  }

  /** Its own buttons carry the mark of this step. */
  screen(data?: unknown): Screen | Redirect {
    if (data !== undefined) return this.#usably(() => this.#draw(data));
    this.#drawn ??= this.#usably(() => this.#draw(undefined));
    return this.#drawn;
  }

  /** For a person who has left meanwhile; null where nothing special is to be said. */
  behind(data?: unknown): Screen | null {
    return this.#usably(() => {
      const screen = this.#kind.face.behind?.[this.state]?.(this.#snapshot.context, data);
      return screen ? expectShowable(screen) : null;
    });
  }

  /** The event that this `/start` is to the flow; null where it is the start of everything, as usual. */
  returnsBy(payload: string): FlowEvent | null {
    return this.#kind.face.returns?.(payload) ?? null;
  }

  /** Whether a command that leads to this page is followed. */
  yieldsTo(pattern: string): boolean {
    return this.#kind.face.yieldsTo?.(pattern) ?? false;
  }

  /** What to say of it to a person who goes elsewhere; null where nothing stays. */
  remains(): RichText | null {
    const { remains, kept } = this.#kind.face;
    const words = remains?.[this.state] ?? (this.parking ? kept : undefined);
    return this.#usably(() => words?.(this.#snapshot.context) ?? null);
  }

  /** The event that a button stands for; undefined for one that was drawn for another run or another step. */
  eventOf(link: Link): FlowEvent | undefined {
    return this.#usably(() => {
      const press = this.#pressOf(link);
      return press && link.mark === this.#markOf(press) ? press.toEvent(link.params) : undefined;
    });
  }

  #draw(data: unknown): Screen | Redirect {
    const show = this.#kind.face.states[this.state];
    if (!show) throw new Error(`${this.id} has no screen for "${this.state}"`);
    const screen = expectShowable(show(this.#snapshot.context, data));
    return isRedirect(screen) ? screen : this.#marked(screen);
  }

  #marked(screen: Screen): Screen {
    const keyboard = screen.keyboard.map((row) =>
      row.map((button) => {
        const press = 'link' in button && this.#pressOf(button.link);
        return press ? { ...button, link: { ...button.link, mark: this.#markOf(press) } } : button;
      }),
    );
    return { ...screen, keyboard };
  }

  #pressOf({ pattern }: Link): Press<{ type: string }> | undefined {
    return this.#kind.face.presses.find((press) => press.pattern === pattern);
  }

  #markOf({ ticks }: Press<{ type: string }>): string {
    if (ticks) return stepMark(this.#runId, this.state, null);
    this.#mark ??= stepMark(this.#runId, this.state, this.#snapshot.context);
    return this.#mark;
  }

  #usably<Answer>(question: () => Answer): Answer {
    return usably(() => `${this.id} failed in "${this.state}"`, question);
  }
}

/** Whatever a machine or a screen throws is about this run alone, and ends it. */
export function usably<Answer>(complaint: () => string, question: () => Answer): Answer {
  try {
    return question();
  } catch (error) {
    if (error instanceof UnusableFlow) throw error;
    throw new UnusableFlow(complaint(), { cause: error });
  }
}
