import type { AnyMachineSnapshot } from 'xstate';
import { type FlowId, registry } from '../../machines/registry.ts';
import type { FlowRun } from '../../src/engine/session.ts';
import { flowSamples } from './flow-events.ts';
import { type AnySamples, walkFlow } from './flow-walk.ts';

/** For every flow, and every state in which it can rest, one run as it is stored: the first that the walk comes to. */
export function storedRuns(): { id: FlowId; state: string; run: FlowRun }[] {
  return (Object.keys(registry) as FlowId[]).flatMap((id) => {
    const { machine, version } = registry[id];
    const firstIn = new Map<string, AnyMachineSnapshot>();
    for (const { snapshot } of walkFlow(machine, flowSamples[id] as AnySamples).stops)
      if (!firstIn.has(String(snapshot.value))) firstIn.set(String(snapshot.value), snapshot);
    return [...firstIn].map(([state, snapshot]) => ({
      id,
      state,
      run: { flow: id, version, release: 0, run: 'run-1', snapshot: packed(snapshot) },
    }));
  });
}

/** As the engine stores it: of work that is under way, no more than its port. */
function packed(snapshot: AnyMachineSnapshot): Record<string, unknown> {
  const { children = {}, ...rest } = JSON.parse(
    JSON.stringify(snapshot.machine.getPersistedSnapshot(snapshot)),
  ) as { children?: Record<string, { src: string }> };
  return {
    ...rest,
    children: Object.fromEntries(Object.entries(children).map(([id, { src }]) => [id, { src }])),
  };
}
