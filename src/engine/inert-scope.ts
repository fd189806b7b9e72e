import { type AnyActorScope, type AnyStateMachine, createActor } from 'xstate';

const scopes = new WeakMap<AnyStateMachine, AnyActorScope>();

/**
 * Where a machine decides without doing: nothing it asks for is started, deferred or sent.
 *
 * XState's own `transition` makes one for every event, and for it an actor, whose initial state is worked out and
 * thrown away: half the cost of a decision. A decision leaves nothing behind in it, so one per machine is enough.
 */
export function inertScope(machine: AnyStateMachine): AnyActorScope {
  const known = scopes.get(machine);
  if (known) return known;
  const self = createActor(machine);
  const scope: AnyActorScope = {
    self,
    system: self.system,
    id: self.id,
    sessionId: self.sessionId,
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    actionExecutor: nothing,
  };
  scopes.set(machine, scope);
  return scope;
}

const nothing = (): void => undefined;
