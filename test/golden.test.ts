import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FlowId, registry } from '../machines/registry.ts';
import { createFlows } from '../src/engine/flows.ts';
import type { FlowRun } from '../src/engine/session.ts';
import { UnusableFlow } from '../src/engine/unusable-flow.ts';
import { loadFlowScreens } from '../src/screens/load-flow-screens.ts';
import { storedRuns } from './support/flow-states.ts';

/** What people have in their sessions: a run of every state of every released version (`npm run golden`). */
const folder = join(import.meta.dirname, 'golden');
const flows = createFlows(registry, await loadFlowScreens());
const golden = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => {
    const runs = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, FlowRun>;
    return Object.entries(runs).map(([state, run]) => ({
      name: `${run.flow} v${run.version} "${state}"`,
      run,
    }));
  });

describe('a session that was stored by a released version', () => {
  it.each(golden)('$name goes on, or ends where its migration says so', ({ name, run }) => {
    const { version } = registry[run.flow as FlowId];
    try {
      const flow = flows.restore(run);
      expect(flow.work.map(({ id }) => id)).toEqual(Object.keys(run.snapshot.children as object));
    } catch (error) {
      if (!(error instanceof UnusableFlow)) throw error;
      // A migration that answers null has been thought about: the person is told, and starts anew.
      if (run.version < version && / ends in "/u.test(error.message)) return;
      throw new Error(
        `${name} would strand the people in it: ${error.message}. Raise the version of ${run.flow} in ` +
          'machines/registry.ts and add a migration from the version before; it may answer null for a state in which ' +
          'the person has to start anew. Then run `npm run golden`.',
        { cause: error },
      );
    }
  });

  it('is kept for every state of the present version', () => {
    const kept = new Set(
      golden.map(({ run }) => `${run.flow} v${run.version} ${String(run.snapshot.value)}`),
    );
    const missing = storedRuns()
      .map(({ id, state }) => `${id} v${registry[id].version} ${state}`)
      .filter((each) => !kept.has(each));
    expect(missing, 'run `npm run golden`').toEqual([]);
  });
});
