import type { AnyStateMachine, ContextFrom, EventFromLogic, StateValueFrom } from 'xstate';
import type { LinkParams, ParamsOf } from './link.ts';
import type { Redirect, RichText, Screen } from './screen.ts';

/**
 * The face of a flow. Each `screens/<flow>.ts` exports one by the name `flow`; it is found by the flow's id,
 * so that a new flow is a machine, a screens file and a line in the registry.
 */
export type FlowScreens<Machine extends AnyStateMachine, Data = undefined> = {
  /** What the person is doing: «Предыдущий процесс (…) прерван», and in the genitive «Вы в процессе …». */
  title: string;
  titleGenitive: string;
  /**
   * One screen per state: the table stops compiling when a state lacks one. `data` comes from the flow's loader; a
   * screen can also be drawn without it, because the engine proves that it can before anything is loaded.
   */
  states: Record<VisibleState<Machine>, (context: ContextFrom<Machine>, data?: Data) => Screen | Redirect>;
  /**
   * What is told to a person who had left when the work ended in this state. Without an entry: its own screen, with
   * a way to the menu instead of buttons of a flow that is over.
   */
  behind?: Partial<Record<VisibleState<Machine>, (context: ContextFrom<Machine>, data?: Data) => Screen>>;
  /** What stays of it for a person who goes elsewhere from this state. Without an entry: `kept`, or nothing worth a word. */
  remains?: Partial<Record<VisibleState<Machine>, (context: ContextFrom<Machine>) => RichText>>;
  /** The same for every state in which a run that is left is kept to be gone on with. */
  kept?: (context: ContextFrom<Machine>) => RichText;
  /** States whose message stays as it is when one of its buttons is pressed: what follows is sent below it. */
  lasting?: readonly VisibleState<Machine>[];
  /** Links whose commands are followed from here; all other commands are answered with «Вы в процессе …». */
  yieldsTo?: (pattern: string) => boolean;
  /** What `/start` with this payload means to a run that waits for it, as for a way back from a browser. Null: nothing. */
  returns?: (payload: string) => EventFromLogic<Machine> | null;
  /** What is told of an event from outside that came when its run was gone, by the event's type. Without an entry: nothing. */
  missed?: Record<string, (event: { type: string; [key: string]: unknown }) => Screen>;
  /** Which button means which event. */
  presses: readonly Press<EventFromLogic<Machine>>[];
};

/** Transient states have no screen; their names begin with `first_`. */
type VisibleState<Machine extends AnyStateMachine> = Exclude<
  StateValueFrom<Machine> & string,
  `first_${string}`
>;

export type Press<Event> = {
  pattern: string;
  toEvent: (params: LinkParams) => Event;
  /** Counts for the whole state, not for one step of it: see `tick`. */
  ticks?: true;
};

export const press = <const Pattern extends string, const Event>(
  pattern: Pattern,
  toEvent: (params: ParamsOf<Pattern>) => Event,
): Press<Event> => ({ pattern, toEvent: toEvent as (params: LinkParams) => Event });

/**
 * One box of several that are ticked on one screen. People tick faster than a message is redrawn, so such a button
 * counts as long as its state lasts. It must say what it leads to («on», «off»), not turn it round.
 */
export const tick = <const Pattern extends string, const Event>(
  pattern: Pattern,
  toEvent: (params: ParamsOf<Pattern>) => Event,
): Press<Event> => ({ ...press(pattern, toEvent), ticks: true });

/** How the engine sees a flow's face: it cannot know the types of every machine. */
export type AnyFlowScreens = {
  title: string;
  titleGenitive: string;
  states: Record<string, (context: unknown, data?: unknown) => Screen | Redirect>;
  behind?: Partial<Record<string, (context: unknown, data?: unknown) => Screen>>;
  remains?: Partial<Record<string, (context: unknown) => RichText>>;
  kept?: (context: unknown) => RichText;
  lasting?: readonly string[];
  yieldsTo?: (pattern: string) => boolean;
  returns?: (payload: string) => { type: string } | null;
  missed?: Record<string, (event: { type: string; [key: string]: unknown }) => Screen>;
  presses: readonly Press<{ type: string }>[];
};
