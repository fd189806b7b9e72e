import type { ErrorActorEvent } from 'xstate';
import type { TextReceived } from '../flow-input.ts';

/** An action or a guard that reads its event: XState hands parameters, not events, to what `setup` declares. */
export const withEvent = <const Type extends string, Event>(type: Type) => ({
  type,
  params: ({ event }: { event: Event }) => event,
});

export const typed = <const Type extends string>(type: Type) => withEvent<Type, TextReceived>(type);

export const failed = <const Type extends string>(type: Type) => withEvent<Type, ErrorActorEvent>(type);
