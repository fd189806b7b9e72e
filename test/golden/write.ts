import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyMachineSnapshot } from 'xstate';
import { type FlowId, flowFileName, registry } from '../../machines/registry.ts';
import type { FlowRun } from '../../src/engine/session.ts';
import { flowSamples } from '../support/flow-events.ts';
import { type AnySamples, walkFlow } from '../support/flow-walk.ts';

/**
 * `npm run golden`: keeps a stored run of every state of the present version of every flow. What is there already is
 * never written again: it stands for what people have in their sessions, whatever the machine looks like today.
 */
const folder = import.meta.dirname;
for (const id of Object.keys(registry) as FlowId[]) {
  const file = join(folder, `${flowFileName(id)}.v${registry[id].version}.json`);
  const kept = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Record<string, FlowRun>,
    () => ({}) as Record<string, FlowRun>,
  );
  const added = [...firstRuns(id)].filter(([state]) => !Object.hasOwn(kept, state));
  for (const [state, snapshot] of added)
    kept[state] = {
      flow: id,
      version: registry[id].version,
      release: 0,
      run: 'run-1',
      snapshot: packed(snapshot),
    };
  if (added.length > 0) await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`);
  console.log(`${id}: ${added.length} added, ${Object.keys(kept).length} kept`);
}

/** Every state in which the flow can rest, as the walk first comes to it. */
function firstRuns(id: FlowId): Map<string, AnyMachineSnapshot> {
  const first = new Map<string, AnyMachineSnapshot>();
  for (const { snapshot } of walkFlow(registry[id].machine, flowSamples[id] as AnySamples).stops)
    if (!first.has(String(snapshot.value))) first.set(String(snapshot.value), snapshot);
  return first;
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
