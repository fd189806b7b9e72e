import type { AnyActorLogic, InputFrom, OutputFrom, StateMachine } from 'xstate';
import type { FlowRegistry } from '../../machines/flow-entry.ts';

/** What a machine invokes. Long work reports the stage it has come to. */
export type Service<Input = never, Output = unknown> = (
  input: Input,
  signal: AbortSignal,
  report: (stage: string) => void,
) => Promise<Output>;

/**
 * The services that the machines of a registry ask for, by the names of their ports. Where two flows use one name, the
 * service has to serve both: two ports that only share the name cannot be filled.
 */
export type PortsOf<Registry extends FlowRegistry> = {
  [Name in ActorIn<Registry>['src']]: Both<ServiceFor<Extract<ActorIn<Registry>, { src: Name }>['logic']>>;
};

type ActorIn<Registry extends FlowRegistry> = ActorOf<Registry[keyof Registry]['machine']>;

/** Distributes over the flows that use the name. */
type ServiceFor<Logic extends AnyActorLogic> = Logic extends AnyActorLogic
  ? Service<InputFrom<Logic>, OutputFrom<Logic>>
  : never;

type Both<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The actors that a machine declares in its `setup`. */
export type ActorOf<Machine> =
  Machine extends StateMachine<
    infer _Context,
    infer _Event,
    infer _Children,
    infer Actor,
    infer _Action,
    infer _Guard,
    infer _Delay,
    infer _Value,
    infer _Tag,
    infer _Input,
    infer _Output,
    infer _Emitted,
    infer _Meta,
    infer _Schema
  >
    ? Actor
    : never;
