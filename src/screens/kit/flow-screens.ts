import type { AnyStateMachine, ContextFrom, EventFromLogic, StateValueFrom } from 'xstate';
import { type FlowId, flowFileName, registry } from '../../../machines/registry.ts';
import type { LinkParams, ParamsOf } from './link.ts';
import type { Redirect, RichText, Screen } from './screen.ts';

/**
 * The face of a flow. Each `screens/<flow>.ts` exports one by the name `flow`; it is found by the flow's id,
 * so that a new flow is a machine, a screens file and a line in the registry.
 */
export type FlowScreens<Machine extends AnyStateMachine> = {
  /** What the person is doing: «Предыдущий процесс (…) прерван», and in the genitive «Вы в процессе …». */
  title: string;
  titleOf: string;
  /** One screen per state: the table stops compiling when a state lacks one. */
  states: Record<VisibleState<Machine>, (context: ContextFrom<Machine>) => Screen | Redirect>;
  /**
   * What is told to a person who had left when the work ended in this state. Without an entry: its own screen, with
   * a way to the menu instead of buttons of a flow that is over.
   */
  behind?: Partial<Record<VisibleState<Machine>, (context: ContextFrom<Machine>) => Screen>>;
  /** What stays of it for a person who goes elsewhere from this state. Without an entry: nothing worth a word. */
  remains?: Partial<Record<VisibleState<Machine>, (context: ContextFrom<Machine>) => RichText>>;
  /** Which button means which event. */
  presses: readonly Press<EventFromLogic<Machine>>[];
};

/** States that are left before anybody could look have no screen. */
type VisibleState<Machine extends AnyStateMachine> = Exclude<
  StateValueFrom<Machine> & string,
  'first_unanswered' | 'first_step'
>;

export type Press<Event> = { pattern: string; toEvent: (params: LinkParams) => Event };

export const press = <const Pattern extends string, const Event>(
  pattern: Pattern,
  toEvent: (params: ParamsOf<Pattern>) => Event,
): Press<Event> => ({ pattern, toEvent: toEvent as (params: LinkParams) => Event });

/** How the engine sees a flow's face: it cannot know the types of every machine. */
export type AnyFlowScreens = {
  title: string;
  titleOf: string;
  states: Record<string, (context: unknown) => Screen | Redirect>;
  behind?: Partial<Record<string, (context: unknown) => Screen>>;
  remains?: Partial<Record<string, (context: unknown) => RichText>>;
  presses: readonly Press<{ type: string }>[];
};

export async function loadFlowScreens(): Promise<Record<FlowId, AnyFlowScreens>> {
  const ids = Object.keys(registry) as FlowId[];
  const entries = await Promise.all(
    ids.map(async (id) => {
      const file = `../flows/${flowFileName(id)}.ts`;
      const { flow } = (await import(file)) as { flow?: AnyFlowScreens };
      if (!flow)
        throw new Error(`src/screens/flows/${flowFileName(id)}.ts must export its screens as "flow"`);
      return [id, flow] as const;
    }),
  );
  return Object.fromEntries(entries) as Record<FlowId, AnyFlowScreens>;
}
