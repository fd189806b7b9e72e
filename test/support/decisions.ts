import { type FlowId, registry } from '../../machines/registry.ts';
import { inertScope } from '../../src/engine/inert-scope.ts';
import { watch } from './flow-walk.ts';

/**
 * What the bot in this process decides, edge by edge. Its decisions pass through one scope per machine, which XState
 * lets anybody look into: so two branches between the same states count separately, and so do states that are only passed through.
 */
export function watchDecisions() {
  const taken = Object.fromEntries(Object.keys(registry).map((id) => [id, new Set<string>()])) as Record<
    FlowId,
    Set<string>
  >;
  const watching = Object.entries(registry).map(([id, { machine }]) =>
    inertScope(machine as never).system.inspect(watch(taken[id as FlowId])),
  );
  return { taken, stop };

  function stop(): void {
    for (const subscription of watching) subscription.unsubscribe();
  }
}
