import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FlowId, registry } from '../../machines/registry.ts';
import type { FlowRun } from '../../src/engine/session.ts';

const folder = join(import.meta.dirname, '../golden');

/** What people have in their sessions: a run of every state of every released version (`npm run golden`). */
export function goldenRuns(): { state: string; run: FlowRun }[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const runs = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, FlowRun>;
      return Object.entries(runs).map(([state, run]) => ({ state, run }));
    });
}

/** For every flow, and every state in which it can rest, one run as the present version stores it. */
export function storedRuns(): { id: FlowId; state: string; run: FlowRun }[] {
  return goldenRuns()
    .map(({ state, run }) => ({ id: run.flow as FlowId, state, run }))
    .filter(({ id, run }) => run.version === registry[id].version);
}
