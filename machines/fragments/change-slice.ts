import { assign, type EventObject, type MachineContext } from 'xstate';

/** How a fragment changes its part of a host's context: the host's types stay exact, the fragment sees its slice. */
export const sliceChange =
  <Slice extends MachineContext, Context extends Slice, Event extends EventObject>() =>
  <Params>(changed: (slice: Slice, params: Params) => Partial<Slice>) =>
    // `never`: it starts no actor.
    assign<Context, Event, Params, Event, never>(
      ({ context }, params) => changed(context, params) as Partial<Context>,
    );
