import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flowFileName, registry } from '../../machines/registry.ts';
import type { FlowRun } from '../../src/engine/session.ts';
import { storedRuns } from '../support/flow-states.ts';

/**
 * `npm run golden`: keeps a stored run of every state of the present version of every flow. What is there already is
 * never written again: it stands for what people have in their sessions, whatever the machine looks like today.
 */
const folder = import.meta.dirname;
const all = storedRuns();
const byFlow = new Map(all.map(({ id }) => [id, all.filter((each) => each.id === id)]));
for (const [id, stored] of byFlow) {
  const file = join(folder, `${flowFileName(id)}.v${registry[id].version}.json`);
  const kept = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Record<string, FlowRun>,
    () => ({}) as Record<string, FlowRun>,
  );
  const added = stored.filter(({ state }) => !Object.hasOwn(kept, state));
  for (const { state, run } of added) kept[state] = run;
  if (added.length > 0) await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`);
  console.log(`${id}: ${added.length} added, ${Object.keys(kept).length} kept`);
}
